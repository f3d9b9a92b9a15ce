import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { samplePath } from '../app/sessions/transcripts/samples.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff } from './page-looks.ts';
import { crowded, outOfReach } from './sessions-stage/looks.ts';
import { asksToRun, edit } from './sessions-stage/steps.ts';

/** The list of sessions: those that wait in a strip of their own, what rows say beside their state, copies. */
const id = (nth: number): string => `00000000-0000-4000-8000-0000000000${50 + nth}`;
const names = ['website', 'parcel-api', 'dotfiles', 'notes', 'billing'];
let chromium: Chromium;
let person: string;
let window: ChromiumWindow;
let page: Page;
let agent: FakeAgent;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(async () => {
  agent = new FakeAgent();
  person = mkdtempSync(join(tmpdir(), 'jumpseat-waiting-'));
  agent.script = async (turn) => {
    if (turn.text === 'Ask.') await asksToRun(turn, 'npm test', 'Run the tests');
    if (turn.text.startsWith('Run ')) await asksToRun(turn, turn.text.slice('Run '.length), 'Run it');
    if (turn.text.startsWith('Edit ')) {
      const path = turn.text.slice('Edit '.length);
      writeFileSync(path, 'new\n');
      await edit(turn, path, 'old\n', ['old', 'new']);
    }
    await turn.say('Done.', crypto.randomUUID());
    return 'end_turn';
  };
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), person, at: '#/sessions', app: { agents: [agent] } },
    settings: { version: 1, welcomedAt: 1, sessions: { atOnce: 4 } },
    before: async ({ app }) => {
      for (const [nth, name] of names.entries()) {
        mkdirSync(join(person, name));
        await app.newSession({
          id: id(nth),
          cwd: join(person, name),
          agent: 'claude',
          title: `In ${name}`,
          choices: {},
        });
        await app.sendMessage({ session: id(nth), prompt: [{ type: 'text', text: 'Begin.' }] });
        await until(async () => (await app.session(id(nth))).state === 'idle');
      }
    },
  });
  ({ page } = window);
  await row(0).waitFor();
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const row = (nth: number): Locator => page.getByTestId(`session-row-${id(nth)}`);
const strip = (): Locator => page.getByRole('region', { name: 'Waiting for you' });
const send = (nth: number, text: string) =>
  window.stack.app.sendMessage({ session: id(nth), prompt: [{ type: 'text', text }] });

async function asks(nth: number): Promise<void> {
  await send(nth, 'Ask.');
  await until(async () => (await window.stack.app.sessionQuestions(id(nth))).length === 1);
}

it('a session that waits and is deleted is said to be, and nothing of its question', async () => {
  await asks(0);
  await row(0).click();
  await page.getByTestId('question').getByText('npm test').first().waitFor();
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete session' }).click();
  await page.getByText('“In website” was deleted.', { exact: true }).first().waitFor();
  await row(0).waitFor({ state: 'detached' });
  expect(await page.getByText('The question is gone').count()).toBe(0);
});

it('sessions that wait stand in a strip, in the order in which they asked, and no row moves for it', async () => {
  for (const nth of [1, 0]) await send(nth, 'Go on.');
  await until(async () => (await window.stack.app.session(id(0))).state === 'idle');
  const places = async (): Promise<number[]> =>
    Promise.all(names.map(async (_, nth) => Math.round((await row(nth).boundingBox())?.y ?? -1)));
  expect(await strip().count()).toBe(0);
  const before = await places();
  await asks(0);
  await strip().waitFor();
  expect(await places()).toEqual(before);
  for (const nth of [3, 1, 2]) await asks(nth);
  const lines = strip().getByRole('listitem');
  await soon(async () =>
    expect((await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'In website npm test',
      'In notes npm test',
      'In parcel-api npm test',
    ]),
  );
  await strip().getByRole('button', { name: '1 more waits for you' }).waitFor();
  const asked = await places();
  const [question] = await window.stack.app.sessionQuestions(id(0));
  expect(before.every((y) => y > 0)).toBe(true);
  // Each went up because something was sent to it.
  await window.stack.app.answerQuestion({ session: id(0), question: question?.id ?? '', answer: { answer: 'deny' } });
  await soon(async () => expect(await lines.first().innerText()).toContain('notes'));
  expect(await places()).toEqual(asked);
  expect(await window.axe({ within: '[data-testid=session-list]' })).toEqual([]);
  // A fifth session runs though four places are all there are: who waits for a person gives its place back.
  await asks(0);
  await send(4, 'Go on.');
  await until(async () => (await window.stack.app.session(id(4))).outcome === 'done');
  await strip().getByRole('button', { name: '1 more waits for you' }).click();
  await strip().waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^All/ }).click();
  await lines.nth(1).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('question').getByText('npm test').first().waitFor();
  expect(page.url()).toContain(id(1));
});

it('what a session asks for is whole in the strip, or in three lines and its tooltip', async () => {
  const short = 'pnpm --filter website exec vitest run --reporter=verbose src/dates';
  const long = `${short} ${'--exclude=node_modules '.repeat(12)}`.trim();
  await send(0, `Run ${short}`);
  await strip().getByText(short).waitFor();
  const asked = strip().locator('.session-list_asked');
  const cut = () => asked.evaluateAll((all) => all.map((one) => one.scrollHeight > one.clientHeight));
  await soon(async () => expect(await cut()).toEqual([false]));
  await send(1, `Run ${long}`);
  await strip().getByText(long).waitFor();
  await soon(async () => expect(await cut()).toEqual([false, true]));
  expect(await strip().getByTitle(`In parcel-api · parcel-api · ${long}`).count()).toBe(1);
  const pictures = process.env.JUMPSEAT_TEST_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'waiting-long.png') });
});

it('a row has the branch of its conversation, where there was one', async () => {
  const folder = join(person, '.claude', 'projects', '-home-me-project');
  mkdirSync(folder, { recursive: true });
  const sample = readFileSync(samplePath('edits'), 'utf8');
  for (const [nth, branch] of [
    [8, 'topic/dates'],
    [9, 'HEAD'],
  ] as const) {
    writeFileSync(join(folder, `${id(nth)}.jsonl`), sample.replaceAll('"gitBranch":"HEAD"', `"gitBranch":"${branch}"`));
  }
  await page.reload();
  await row(8)
    .getByText(/ · topic\/dates$/)
    .waitFor();
  expect(await row(8).getAttribute('aria-label')).toContain(', branch topic/dates');
  await row(9).waitFor();
  expect(await row(9).innerText()).not.toContain('HEAD');
});

it('a row has what its edits changed, and a copy is marked before its title', async () => {
  expect(await row(2).locator('.session-list_changed').count()).toBe(0);
  await send(2, `Edit ${join(person, 'dotfiles', 'rc')}`);
  await soon(async () => expect(await row(2).locator('.session-list_changed').innerText()).toMatch(/^\+1\s*−1$/));
  await soon(async () => expect(await row(2).getAttribute('aria-label')).toContain('1 line added, 1 line removed'));
  await window.stack.app.undoChanges({ session: id(2), turn: null, paths: null });
  await row(2).locator('.session-list_changed').waitFor({ state: 'detached' });
  const kinds = ['fork', 'fork 2', 'before going back'];
  for (const [nth, kind] of kinds.entries()) {
    await window.stack.app.renameSession({ session: id(nth), title: `Move all dates, ${kind}` });
    await page.getByRole('row', { name: `Move all dates, ${kind},` }).waitFor();
  }
  const title = async (nth: number): Promise<string> =>
    (await row(nth).locator('.session-list_title').innerText()).replace(/\s+/g, ' ');
  expect([await title(0), await title(1), await title(2), await title(3)]).toEqual([
    ...['Fork Move all dates', 'Fork 2 Move all dates', 'Copy Move all dates', 'In notes'],
  ]);
});

it.each([
  ['light', 1200, 800],
  ['dark', 1200, 800],
  ['light', 720, 480],
] as const)('is for everyone: %s, %i × %i', async (colorScheme, width, height) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await send(2, `Edit ${join(person, 'dotfiles', 'rc')}`);
  await window.stack.app.renameSession({ session: id(2), title: 'Move every date of it to UTC, fork 2' });
  for (const nth of [0, 1, 3, 4]) await asks(nth);
  await strip().getByText('1 more waits for you').waitFor();
  expect(await window.axe({ within: '[data-testid=session-list]' })).toEqual([]);
  expect([await outOfReach(page), await cutOff(page), await crowded(page)]).toEqual([[], [], []]);
  const pictures = process.env.JUMPSEAT_TEST_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `waiting-${colorScheme}-${width}.png`) });
});
