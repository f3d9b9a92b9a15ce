import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChangedFile, FileNow, SessionQuestion } from '../../../../app/api/sessions.ts';
import { modeWordsOf } from '../../../../app/words/agents.ts';
import { soon } from '../../../soon.ts';
import { formQuestion, permissionQuestion } from '../questions.ts';
import { answered, armed, CardPages, given, isSound, session, wordsInSight } from './cards-page.ts';

const pages = new CardPages();
beforeAll(() => pages.start(), 120_000);
afterEach(async () => {
  await pages.closeAll();
  expect(pages.complaints.splice(0)).toEqual([]);
});
afterAll(() => pages.stop());

const command = (words: string, more: Partial<SessionQuestion> = {}) =>
  permissionQuestion({ name: 'Bash', kind: 'execute', rawInput: { command: words } }, more);
const answers = (page: Page) => given(page, 'answerQuestion');

describe('a question', () => {
  it('takes no focus and no key, and is dead for half a second', async () => {
    const page = await pages.open({ questions: [command('npm test')] }, { isTimeHeld: true });
    const message = page.getByLabel('Message');
    await message.focus();
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.clock.runFor(499);
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await page.clock.resume();
    await armed(page);
    await page.keyboard.press('1');
    expect(await message.inputValue()).toBe('1\n1');
    expect(await answers(page)).toEqual([]);
    await isSound(page);
  });

  it('is answered by its digit once the keyboard was brought to it, and gives the keyboard back', async () => {
    const page = await pages.open({ questions: [command('npm test')] });
    await page.getByLabel('Message').focus();
    await armed(page);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('Control+.');
    await page.keyboard.press('1');
    expect(await answers(page)).toEqual([]);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Message').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('1');
    await answered(page, 'q1', { answer: 'allow' });
    await page.getByTestId('question').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Message').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('is answered also where what was said before it can’t be read', async () => {
    const page = await pages.open({ questions: [command('npm test')], fails: ['sessionPast'] });
    await armed(page);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await answered(page, 'q1', { answer: 'allow' });
    await page.getByTestId('question').waitFor({ state: 'detached' });
  });

  it('is not answered by a click that a script made', async () => {
    const page = await pages.open({ questions: [command('npm test')] });
    await armed(page);
    await page.getByRole('button', { name: 'Allow once' }).evaluate((button: HTMLButtonElement) => button.click());
    await page.evaluate(() => {
      const card = document.querySelector('[data-testid="question"]');
      card?.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }));
    });
    expect(await answers(page)).toEqual([]);
  });

  it('shows exactly what will run', async () => {
    const page = await pages.open({ questions: [command('sudo rm \u{202e}x \ny')] });
    const shown = page.getByTestId('question-command');
    expect(await shown.textContent()).toBe('sudo rm U+202Ex·\ny');
    expect(await page.getByText('as root').count()).toBe(1);
  });

  it('may be allowed for the session by the narrowest rule first', async () => {
    const page = await pages.open({ questions: [command('npm test -- webhooks')] });
    await armed(page);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('2');
    expect(await page.getByRole('radio').first().isChecked()).toBe(true);
    await isSound(page);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    const rule = { tool: 'Bash', input: 'npm test', isExact: false };
    await answered(page, 'q1', { answer: 'allow', rule });
  });

  it('is refused with words, which a digit in them does not answer', async () => {
    const page = await pages.open({ questions: [command('npm test')] });
    await armed(page);
    await page.getByRole('button', { name: 'Deny and say why…' }).click();
    await page.keyboard.type('Run it 1 time');
    await page.keyboard.press('Enter');
    await answered(page, 'q1', { answer: 'deny', words: 'Run it 1 time' });
  });

  it('runs what stands in the field', async () => {
    const page = await pages.open({ questions: [command('npm test')] });
    await armed(page);
    await page.getByRole('button', { name: 'Change before running' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' -- 1');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await answered(page, 'q1', { answer: 'allow', input: { command: 'npm test -- 1' } });
  });

  it('stands before others, each of which has its own half second', async () => {
    const other = command('ls', { id: 'q2', askedAt: 1 });
    const page = await pages.open({ questions: [command('npm test'), other] });
    await armed(page);
    expect(await page.getByText('1 of 2').count()).toBe(1);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('3');
    await page.keyboard.press('3');
    await answered(page, 'q1', { answer: 'deny' });
    await page.getByText('ls', { exact: true }).waitFor();
    expect(await answers(page)).toHaveLength(1);
    await armed(page);
    await page.keyboard.press('3');
    await answered(page, 'q2', { answer: 'deny' });
  });

  it('is not left by the key that goes to it before it can be answered', async () => {
    const page = await pages.open({ questions: [command('npm test'), command('ls', { id: 'q2', askedAt: 1 })] });
    const isIn = () => page.getByTestId('question').evaluate((card) => card.contains(document.activeElement));
    await page.getByLabel('Message').focus();
    // In the page, so that the machine's pace leaves the half second no time to pass.
    const isInAfter = await page.evaluate(async () => {
      const press = () =>
        window.dispatchEvent(new KeyboardEvent('keydown', { key: '.', ctrlKey: true, bubbles: true }));
      const next = document.querySelector<HTMLElement>('[aria-label="Next question"]');
      press();
      next?.click();
      await new Promise((done) => requestAnimationFrame(done));
      press();
      return document.querySelector('[data-testid="question"]')?.contains(document.activeElement);
    });
    expect(isInAfter).toBe(true);
    await armed(page);
    await page.keyboard.press('Control+.');
    expect(await isIn()).toBe(false);
  });

  it('says when it came too late, and why it is gone', async () => {
    const late = await pages.open({ questions: [command('npm test')], answers: { answerQuestion: false } });
    await armed(late);
    await late.getByRole('button', { name: 'Deny', exact: true }).click();
    await late.getByText('Too late. Claude Code had already gone on.').waitFor();
    const gone = await pages.open({ questions: [command('npm test')] });
    await armed(gone);
    await gone.evaluate(() => {
      const event = { id: 'q1', by: 'withdrawn', rule: null, answer: { answer: 'deny' } };
      window.tell({ ...{ seq: 90, sessionId: 's1', turnId: 't1', at: 1, cuts: null }, kind: 'answered', event });
    });
    await gone.getByText(/^The question is gone: /).waitFor();
  });

  it('about an edit has the difference, and may accept edits from here on', async () => {
    const path = '/home/me/parcel-api/a.ts';
    const content = [{ type: 'diff', path, oldText: 'one\ntwo', newText: 'one\n2' }];
    const asked = permissionQuestion({ name: 'Edit', kind: 'edit', rawInput: { file_path: path }, content });
    const page = await pages.open({ questions: [asked] });
    await armed(page);
    expect(await page.getByRole('group', { name: /Edit a\.ts\?/ }).count()).toBe(1);
    expect(await page.getByTestId('question').locator('tr').allInnerTexts()).toHaveLength(3);
    await isSound(page);
    await page.getByRole('button', { name: 'Accept edits in this session' }).click();
    await answered(page, 'q1', { answer: 'allow', acceptEdits: true });
  });

  it('about an edit outside of the folders offers no accepting of edits, which would not count there', async () => {
    const path = '/home/me/other/a.ts';
    const content = [{ type: 'diff', path, oldText: 'one', newText: '1' }];
    const asked = permissionQuestion({ name: 'Edit', kind: 'edit', rawInput: { file_path: path }, content });
    const page = await pages.open({ questions: [asked] });
    await armed(page);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await page.getByRole('button', { name: 'Accept edits in this session' }).count()).toBe(0);
  });

  it('about an edit offers no accepting of edits where they are accepted', async () => {
    const path = '/home/me/.bashrc';
    const content = [{ type: 'diff', path, oldText: 'one', newText: '1' }];
    const asked = permissionQuestion({ name: 'Edit', kind: 'edit', rawInput: { file_path: path }, content });
    const mode = { wanted: 'acceptEdits', applied: 'acceptEdits' };
    const page = await pages.open({ session: { ...session, mode }, questions: [asked] });
    await armed(page);
    const offers = await page.getByTestId('question').locator('.questions_ask-foot button').allInnerTexts();
    expect(offers.map((words) => words.replace(/\s*\d$/, ''))).toEqual(['Allow once', 'Deny', 'Deny and say why…']);
  });

  it('that is denied with words says how these may count', async () => {
    const page = await pages.open({ questions: [command('npm test')] });
    await armed(page);
    await page.getByRole('button', { name: 'Deny and say why…' }).click();
    await page.getByText('Copilot may count it as a request of yours.').waitFor();
  });

  it.each([760, 480])('shows the whole path of a file, a tool or a skill in %i pixels', async (width) => {
    const folders = Array.from({ length: 6 }, (_, at) => `a-folder-with-a-long-name-${at}`).join('/');
    const path = `/home/me/parcel-api/${folders}/.bashrc-of-nobody.ts`;
    const content = [{ type: 'diff', path, oldText: 'one', newText: '1' }];
    const rawInput = { file_path: path };
    const long = 'x'.repeat(120);
    const asked: [string, Parameters<typeof permissionQuestion>[0]][] = [
      [`Edit ${folders}/.bashrc-of-nobody.ts?`, { name: 'Edit', kind: 'edit', rawInput, content }],
      [`Read ${folders}/.bashrc-of-nobody.ts?`, { name: 'Read', kind: 'read', rawInput }],
      [`Use ${long} of notes?`, { name: `mcp__notes__${long}`, rawInput: {} }],
      [`Use the skill ${long}?`, { name: 'Skill', rawInput: { skill: long } }],
    ];
    for (const [words, call] of asked) {
      const page = await pages.open({ questions: [permissionQuestion(call)] });
      await page.setViewportSize({ width, height: 800 });
      await armed(page);
      const heading = page.getByTestId('question').getByRole('heading', { level: 3 });
      // Where a line ends there is no space to see.
      expect((await wordsInSight(heading)).replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
      expect(await page.getByRole('button', { name: 'Allow once' }).isVisible()).toBe(true);
    }
  });

  it('that waits behind another one has the name of its file', async () => {
    const folders = Array.from({ length: 6 }, (_, at) => `a-folder-with-a-long-name-${at}`).join('/');
    const path = `/home/me/parcel-api/${folders}/deliver.ts`;
    const read = permissionQuestion({ name: 'Read', kind: 'read', rawInput: { file_path: path } }, { id: 'q2' });
    const page = await pages.open({ questions: [command('ls'), read] });
    await armed(page);
    expect(await wordsInSight(page.locator('.questions_ask-others'))).toMatch(/deliver\.ts$/);
  });

  it('about a command that deletes files says so, and its Allow is not green', async () => {
    const colours = async (words: string): Promise<string> => {
      const page = await pages.open({ questions: [command(words)] });
      await armed(page);
      expect(await page.getByText('deletes files', { exact: true }).count()).toBe(words === 'ls' ? 0 : 1);
      const allow = page.getByRole('button', { name: 'Allow once' });
      return allow.evaluate((button) => getComputedStyle(button).backgroundColor);
    };
    expect(await colours('rm -rf build')).not.toBe(await colours('ls'));
  });

  it('about a plan is answered by how its edits are taken', async () => {
    const asked = permissionQuestion({ name: 'ExitPlanMode', kind: 'switch_mode', rawInput: { plan: '# Plan' } });
    const page = await pages.open({ questions: [asked] });
    await armed(page);
    expect(await page.getByRole('heading', { name: 'Plan', exact: true }).count()).toBe(1);
    const note = page.locator('.questions_ask-foot .questions_end');
    // Where a line ends there is no space to see.
    const seen = (await wordsInSight(note)).replaceAll(' ', '');
    expect(seen).toBe(`Accept edits: ${modeWordsOf.acceptEdits.text}`.replaceAll(' ', ''));
    await isSound(page);
    await page.getByRole('button', { name: 'Approve and accept edits' }).click();
    await answered(page, 'q1', { answer: 'allow', acceptEdits: true });
  });

  it('of Claude has choices by digits, and other words', async () => {
    const one = { title: 'Menu', description: 'Where?', oneOf: [{ const: 'Bottom' }, { const: 'Drawer' }] };
    const two = { type: 'array', title: 'Browsers', description: 'Which?', items: { anyOf: [{ const: 'New' }] } };
    const properties = { question_0: one, question_0_custom: {}, question_1: two, question_1_custom: {} };
    const page = await pages.open({
      questions: [formQuestion({ mode: 'form', toolCallId: 't', message: 'x', requestedSchema: { properties } })],
    });
    await armed(page);
    await isSound(page);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    await page.getByLabel('Something else, in your words').fill('Old 1');
    await page.keyboard.press('Enter');
    const content = { question_0: 'Drawer', question_1: ['New'], question_1_custom: 'Old 1' };
    await answered(page, 'q1', { answer: 'form', action: 'accept', content });
  });

  it('about a tool of a server says which, all of its input, and what the server says of it', async () => {
    const asked = permissionQuestion({
      ...{ name: 'mcp__notes__look', rawInput: { key: 'a\u{202e}b', all: false } },
      _meta: { claudeCode: { mcpServer: { name: 'my notes', source: 'user' } } },
    });
    const request = { ...Object(asked.request), _meta: { jumpseat: { hints: { readOnly: true, openWorld: true } } } };
    const page = await pages.open({ questions: [{ ...asked, request }] });
    await page.getByRole('group', { name: 'Use look of my notes?' }).waitFor();
    await page.getByText('The server’s message: It only reads. It reaches out of this machine.').waitFor();
    const input = await page.getByTestId('question-command').textContent();
    expect(input).toBe('{\n  "key": "aU+202Eb",\n  "all": false\n}');
    await isSound(page);
  });

  it('of a server that has a name says it', async () => {
    const request = {
      mode: 'url',
      message: 'Sign in',
      url: 'https://gіthub.com/x?y',
      _meta: { jumpseat: { server: 'n' } },
    };
    const page = await pages.open({ questions: [formQuestion(request)] });
    await page.getByRole('group', { name: 'Open this address?' }).waitFor();
    await page.getByText('Asked by the server n').waitFor();
    expect(await page.getByTestId('question-command').textContent()).toContain('xn--gthub-n2e.com');
    const form = {
      mode: 'form',
      message: 'Who?',
      requestedSchema: { properties: {} },
      _meta: { jumpseat: { server: 'n' } },
    };
    const other = await pages.open({ questions: [formQuestion(form)] });
    await other.getByRole('group', { name: 'n asks' }).waitFor();
  });

  it('of a server is a form', async () => {
    const properties = { name: { type: 'string', title: 'Name' }, age: { type: 'integer', title: 'Age', maximum: 9 } };
    const page = await pages.open({
      questions: [formQuestion({ mode: 'form', message: 'Who?', requestedSchema: { properties, required: ['name'] } })],
    });
    await armed(page).catch(() => undefined);
    await page.getByRole('textbox', { name: 'Age', exact: true }).fill('10');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByText('Write a whole number up to 9.').waitFor();
    await page.getByRole('textbox', { name: 'Age', exact: true }).fill('8');
    await isSound(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await answered(page, 'q1', { answer: 'form', action: 'accept', content: { name: 'Ada', age: 8 } });
  });
});

describe('changes', () => {
  const patch = '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-one\n+1\n same\n@@ -8,1 +8,1 @@\n-x\n+y\n';
  const file = (name: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
    ...{
      path: `/home/me/parcel-api/${name}`,
      state: 'made',
      edits: ['1'],
      undoneHunks: 0,
      byCommand: false,
      patch,
      added: 2,
      removed: 2,
    },
    ...{ isNew: false, isDeleted: false },
    ...more,
  });
  const files = [file('src/a.ts'), file('b.ts', { state: 'undone' }), file('c.ts'), file('d.ts')];
  const seen = { modifiedAt: null, isOutside: false, problem: null };
  const filesNow: FileNow[] = [
    { ...seen, path: '/home/me/parcel-api/c.ts', now: 'changed' },
    { ...seen, path: '/home/me/parcel-api/d.ts', now: 'gone' },
  ];
  const done = [{ path: '/home/me/parcel-api/src/a.ts', isDone: true, problem: null }];
  const open = () =>
    pages.open({
      shows: 'changes',
      answers: { sessionChanges: { files, commands: 3, untracked: 3 }, filesNow, undoChanges: done, undoHunk: done[0] },
    });

  it('are listed with what can be done about each', async () => {
    const page = await open();
    const row = (name: string) => page.getByTestId(`change-/home/me/parcel-api/${name}`);
    await row('src/a.ts').getByRole('button', { name: 'Undo' }).waitFor();
    expect(await row('b.ts').getByRole('button', { name: 'Redo' }).count()).toBe(1);
    expect(await row('c.ts').getByText('Changed since', { exact: true }).count()).toBe(1);
    expect(await row('c.ts').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await row('d.ts').getByRole('button', { name: 'Bring back' }).count()).toBe(1);
    expect(await page.getByText('1 file of 4 changed since. 1 file of 4 can’t be undone.').count()).toBe(1);
    expect(await page.getByText(/3 commands ran in this turn\./).count()).toBe(1);
    await page.getByRole('button', { name: 'Show the commands' }).click();
    expect(await page.getByRole('list', { name: 'Commands' }).count()).toBe(1);
    await isSound(page);
  });

  it('with nothing to undo close only', async () => {
    const page = await pages.open({
      shows: 'changes',
      answers: { sessionChanges: { files: [], commands: 0, untracked: 0 }, filesNow: [] },
    });
    await page.evaluate(() => window.dialog.setState({ open: { kind: 'undo', session: 's1', turn: 't1' } }));
    const dialog = page.getByRole('dialog', { name: 'There is nothing to undo' });
    await dialog.waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
  });

  it('are undone by place, by file and by key', async () => {
    const page = await open();
    const first = page.getByTestId('change-/home/me/parcel-api/src/a.ts');
    await first.getByRole('button', { name: /^a\.ts/ }).click();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    const path = '/home/me/parcel-api/src/a.ts';
    const ofFile = { session: 's1', turn: 't1', paths: [path] };
    await soon(async () =>
      expect(await given(page, 'undoHunk')).toEqual([{ session: 's1', turn: 't1', path, hunk: '@@ -8,1 +8,1 @@' }]),
    );
    await first.getByRole('button', { name: /^a\.ts/ }).focus();
    await page.keyboard.press('a');
    await page.keyboard.press('z');
    await soon(async () => expect(await given(page, 'undoChanges')).toEqual([ofFile]));
    expect(await given(page, 'acceptChanges')).toEqual([ofFile]);
  });

  it('of a turn are undone after a question', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Undo all edits…' }).click();
    await page.getByRole('dialog', { name: 'Undo the edits to 1 file?' }).waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Undo 1 file' }).click();
    await page.getByText('Undid 1 file.').waitFor();
  });

  it('go with a session that goes back, if the person wants it', async () => {
    const idle = { ...session, turnId: null, state: 'idle' as const };
    const answers = {
      sessionChanges: { files, commands: 0, untracked: 0 },
      filesNow,
      goBack: { prompt: [], files: [], copy: 'c' },
    };
    const page = await pages.open({ session: idle, shows: 'changes', answers });
    const ask = () =>
      page.evaluate(() => {
        const about = { session: 's1', turn: 't1', at: null, done: () => window.asked.push(['done']) };
        window.dialog.setState({ open: { kind: 'go-back', ...about } });
      });
    await ask();
    await page.getByLabel(/^Undo the edits to 1 file as well/).waitFor();
    expect(await page.getByRole('dialog').getByRole('listitem').allInnerTexts()).toEqual(['src/a.ts']);
    await page
      .getByText(/c\.ts has changed since and stays as it is\. d\.ts was deleted since and stays so\./)
      .waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Go back' }).click();
    await soon(async () => expect(await given(page, 'done')).toHaveLength(1));
    expect(await given(page, 'goBack')).toEqual([{ session: 's1', turn: 't1', withFiles: true }]);
  });
});

describe('an edit outside of the session’s folders', () => {
  const patch = '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-one\n+1\n';
  const file = (path: string): ChangedFile => ({
    ...{ path, state: 'made', edits: ['1'], undoneHunks: 0, byCommand: false, patch, added: 1, removed: 1 },
    ...{ isNew: false, isDeleted: false },
  });
  const [inside, outside] = ['/home/me/parcel-api/a.ts', '/home/me/.bashrc'];
  const filesNow: FileNow[] = [inside, outside].map((path) => ({
    ...{ path, now: 'as-left', modifiedAt: null, problem: null },
    isOutside: path === outside,
  }));
  const answers = {
    sessionChanges: { files: [file(inside), file(outside)], commands: 0, untracked: 0 },
    filesNow,
    undoChanges: [inside, outside].map((path) => ({ path, isDone: true, problem: null })),
    goBack: { prompt: [], files: [], copy: 'c' },
  };
  const idle = { ...session, turnId: null, state: 'idle' as const };
  const open = () => pages.open({ session: idle, shows: 'changes', answers });

  it('is undone by its row only after a question that names the whole path', async () => {
    const page = await open();
    const row = page.getByTestId(`change-${outside}`);
    const dialog = page.getByRole('dialog', { name: 'Write outside of the session’s folders?' });
    await row.getByRole('button', { name: 'Undo…' }).click();
    await dialog.getByText(outside).waitFor();
    await isSound(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await given(page, 'undoChanges')).toEqual([]);
    await row.getByRole('button', { name: 'Undo…' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    const asked = { session: 's1', turn: 't1', paths: [outside], outside: [outside] };
    await soon(async () => expect(await given(page, 'undoChanges')).toEqual([asked]));
  });

  it('is said to be deleted where it was made', async () => {
    const made = {
      ...answers,
      sessionChanges: { files: [{ ...file(outside), isNew: true }], commands: 0, untracked: 0 },
    };
    const page = await pages.open({ session: idle, shows: 'changes', answers: made });
    await page.getByTestId(`change-${outside}`).getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete outside of the session’s folders?' });
    expect(await dialog.innerText()).toContain(`This deletes ${outside}`);
    const last = (of: Locator) => of.getByRole('button').last().getAttribute('class');
    expect(await last(dialog)).toContain('danger');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const [edited, new_] = [file(inside), { ...file('/home/me/parcel-api/src/new.ts'), isNew: true }];
    const both = await pages.open({
      ...{ session: idle, shows: 'changes' },
      answers: { ...answers, filesNow: [], sessionChanges: { files: [edited, new_], commands: 0, untracked: 0 } },
    });
    await both.getByRole('button', { name: 'Undo all edits…' }).click();
    const listed = both.getByRole('dialog').getByRole('listitem');
    await listed.first().waitFor();
    expect(await listed.allInnerTexts()).toEqual([
      expect.not.stringContaining('deleted'),
      'src/new.ts will be deleted',
    ]);
    expect(await last(both.getByRole('dialog'))).toContain('danger');
  });

  it('is not said to be undone “as well” where nothing else is', async () => {
    const alone = { ...answers, sessionChanges: { files: [file(outside)], commands: 0, untracked: 0 } };
    const page = await pages.open({ session: idle, shows: 'changes', answers: alone });
    await page.getByRole('button', { name: 'Undo all edits…' }).click();
    const box = page.getByRole('dialog').locator('.session-dialogs_dialog-choice');
    await box.waitFor();
    expect(await box.innerText()).toContain('Undo the edits to 1 file outside of the session’s folders');
    expect(await box.innerText()).not.toContain('as well');
  });

  it('is undone with its turn only where it is ticked', async () => {
    const page = await open();
    const undo = async (label: string, ticks: boolean): Promise<void> => {
      await page.getByRole('button', { name: 'Undo all edits…' }).click();
      await page.getByRole('dialog').getByText(outside).waitFor();
      if (ticks) await page.getByLabel(/outside of the session’s folders as well/).check();
      const count = label.replace('Undo ', '');
      await page.getByRole('dialog', { name: `Undo the edits to ${count}?` }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: label }).click();
    };
    await undo('Undo 1 file', false);
    await soon(async () =>
      expect(await given(page, 'undoChanges')).toEqual([{ session: 's1', turn: 't1', paths: [inside] }]),
    );
    await undo('Undo 2 files', true);
    await soon(async () =>
      expect((await given(page, 'undoChanges')).at(1)).toEqual({
        ...{ session: 's1', turn: 't1', paths: [inside, outside], outside: [outside] },
      }),
    );
  });

  it('stays where a session goes back, unless it is ticked', async () => {
    const page = await open();
    const back = async (ticks: boolean): Promise<void> => {
      await page.evaluate(() => {
        const about = { session: 's1', turn: 't1', at: null, done: () => undefined };
        window.dialog.setState({ open: { kind: 'go-back', ...about } });
      });
      const box = page.getByLabel(/outside of the session’s folders as well/);
      await box.waitFor();
      if (ticks) await box.check();
      await isSound(page);
      await page.getByRole('button', { name: 'Go back' }).click();
    };
    await back(false);
    const asked = { session: 's1', turn: 't1', withFiles: true };
    await soon(async () => expect(await given(page, 'goBack')).toEqual([asked]));
    await back(true);
    await soon(async () => expect(await given(page, 'goBack')).toEqual([asked, { ...asked, outside: [outside] }]));
  });
});

describe('a session that went back', () => {
  it('says how far, and can be brought back', async () => {
    const problem = { code: 'too-large', text: 'a.ts is over 5 MB.', remedy: 'Look at it.' };
    const left = { path: '/home/me/parcel-api/a.ts', isDone: false, problem, threeWay: null };
    const back = { ...session, isBack: true, cutTurns: 3 };
    const page = await pages.open({
      session: back,
      shows: 'back',
      answers: { undoGoBack: { prompt: [], files: [left] } },
    });
    await page.getByText('You went back 3 turns.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('a.ts is over 5 MB.').waitFor();
    expect(await given(page, 'undoGoBack')).toEqual(['s1']);
  });
});
