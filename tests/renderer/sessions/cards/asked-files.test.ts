import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AskedFile } from '../../../../app/api/session-surroundings.ts';
import { permissionQuestion } from '../questions.ts';
import { answered, armed, CardPages, given, isSound } from './cards-page.ts';

const pages = new CardPages();
beforeAll(() => pages.start(), 120_000);
afterEach(async () => {
  await pages.closeAll();
  expect(pages.complaints.splice(0)).toEqual([]);
});
afterAll(() => pages.stop());

const path = '/home/me/parcel-api/a.ts';
const text = `${Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n')}\n`;
const file = (more: Partial<AskedFile> = {}): AskedFile => ({
  ...{ named: path, path, leadsTo: null, isOutside: false, state: 'there', text, lines: 30, modifiedAt: 1_000 },
  ...{ isUnknownToGit: false },
  ...more,
});
const files = (...found: AskedFile[]) => ({ askedFiles: { version: 'v', files: found } });
const edit = (before: string, after: string, more: object = {}) =>
  permissionQuestion({
    ...{ name: 'Edit', kind: 'edit', rawInput: { file_path: path, old_string: before, new_string: after, ...more } },
    content: [{ type: 'diff', path, oldText: before, newText: after }],
  });
const write = permissionQuestion({
  ...{ name: 'Write', kind: 'edit', rawInput: { file_path: path, content: 'new\n' } },
  content: [{ type: 'diff', path, oldText: null, newText: 'new\n' }],
});
const rows = (page: Page) => page.getByTestId('question').locator('tr').allInnerTexts();

describe('a question about a file', () => {
  it('shows an edit on it, and all of it where that is wanted', async () => {
    const question = edit('line 12', 'twelve', { replace_all: false });
    const page = await pages.open({ questions: [question], answers: files(file()) });
    await page.getByText('+1 −1').waitFor();
    expect((await rows(page)).map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
      ...['@@ 9 @@ line 8', '9 9 line 9', '10 10 line 10', '11 11 line 11', '12 − removed line 12'],
      ...['12 + added twelve', '13 13 line 13', '14 14 line 14', '15 15 line 15'],
    ]);
    expect(await page.getByText('replace_all').count()).toBe(0);
    expect(await page.getByText('has changed since').count()).toBe(0);
    await isSound(page);
    await page.getByRole('button', { name: 'Whole file' }).click();
    expect(await rows(page)).toHaveLength(31);
    expect(await given(page, 'askedFiles')).toContainEqual({ session: 's1', question: 'q1', version: null });
  });

  it('draws the difference anew where the file has changed since it was asked, and stays allowable', async () => {
    const question = { ...edit('line 12', 'twelve'), askedAt: 500 };
    const page = await pages.open({ questions: [question], answers: files(file()) });
    await page.getByText('a.ts has changed since Claude asked.').waitFor();
    await armed(page);
    await page.evaluate(
      (now) => {
        window.given.answers.askedFiles = now;
        window.dispatchEvent(new Event('focus'));
      },
      files(file({ text: `0\n${text}` })).askedFiles,
    );
    await page.getByText('@@ 10 @@ line 8').waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await answered(page, 'q1', { answer: 'allow' });
  });

  it('says whether it is made or replaced, and what would be lost', async () => {
    const made = await pages.open({ questions: [write], answers: files(file({ state: 'missing', text: null })) });
    await made.getByRole('group', { name: 'Create a.ts?' }).waitFor();
    expect(await made.getByRole('button', { name: 'Whole file' }).count()).toBe(0);
    const replaced = await pages.open({ questions: [write], answers: files(file({ isUnknownToGit: true })) });
    await replaced.getByRole('group', { name: 'Replace a.ts?' }).waitFor();
    await replaced.getByText('writes over 1 file that git doesn’t know').waitFor();
    await replaced.getByText('+1 −30').waitFor();
    const large = await pages.open({ questions: [write], answers: files(file({ state: 'too-large', text: null })) });
    await large.getByText('The current file can’t be compared: it is over 1 MB.').waitFor();
    await isSound(large);
  });

  it('says where it really lies, and which of its lines are read', async () => {
    const read = permissionQuestion({ name: 'Read', kind: 'read', rawInput: { file_path: path, offset: 3, limit: 4 } });
    const led = file({ isOutside: true, leadsTo: '/etc/shadow\u{202e}', text: null });
    const page = await pages.open({ questions: [read], answers: files(led) });
    await page.getByText('Lines 3-6 of 30').waitFor();
    await page.getByText('Outside of this session’s folder').waitFor();
    await page.getByText('A link leads from there to /etc/shadowU+202E.').waitFor();
  });

  it('that a command would write over says so', async () => {
    const run = permissionQuestion({ name: 'Bash', kind: 'execute', rawInput: { command: 'ls > a; ls > b' } });
    const two = files(file({ isUnknownToGit: true }), file({ named: 'b', isUnknownToGit: true }));
    const page = await pages.open({ questions: [run], answers: two });
    await page.getByText('writes over 2 files that git doesn’t know').waitFor();
  });
});

describe('a plan in a file', () => {
  const planFilePath = '/home/me/.claude/plans/p.md';
  const plan = permissionQuestion({ kind: 'switch_mode', rawInput: { plan: '# First', planFilePath } });
  const found = (words: string, modifiedAt: number) => files(file({ named: planFilePath, text: words, modifiedAt }));

  it('is opened there, and what the person made of it is what the agent gets', async () => {
    const page = await pages.open({ questions: [plan], answers: found('# First\n', 1) });
    await page.getByRole('heading', { name: 'First' }).waitFor();
    await page.getByRole('button', { name: 'Open as a file' }).click();
    expect(await given(page, 'showInSession')).toEqual([{ session: 's1', path: planFilePath }]);
    expect(await page.getByText('Changed by you').count()).toBe(0);
    await page.evaluate(
      (now) => {
        window.given.answers.askedFiles = now;
        window.dispatchEvent(new Event('focus'));
      },
      found('# Second', plan.askedAt + 1).askedFiles,
    );
    await page.getByText('Changed by you').waitFor();
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await isSound(page);
    await armed(page);
    await page.getByRole('button', { name: 'Approve and ask first' }).click();
    await answered(page, 'q1', { answer: 'allow', input: { plan: '# Second', planFilePath } });
  });
});
