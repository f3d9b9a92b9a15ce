import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff } from './page-looks.ts';
import { outOfReach } from './sessions-stage/looks.ts';

/** A new session in a worktree that is made for it, and worktrees listed and removed. */
let chromium: Chromium;
let person: string;
let project: string;
let agent: FakeAgent;
let window: ChromiumWindow;
let page: Page;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  agent = new FakeAgent();
  person = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-worktrees-')));
  project = join(person, 'parcel-api');
  mkdirSync(project);
  git(project, 'init', '-q', '-b', 'main');
  writeFileSync(join(project, 'index.ts'), 'one\n');
  writeFileSync(join(project, '.gitignore'), '.env*\nnode_modules/\n');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'One');
  writeFileSync(join(project, '.env'), 'KEY=1\n');
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

function git(folder: string, ...command: string[]): string {
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', ['-C', folder, ...ada, ...command], {
    env: { PATH: process.env.PATH, HOME: person },
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();
}

async function open(): Promise<void> {
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, at: '#/sessions/new' },
    app: { agents: [agent], trash: async () => undefined },
    before: async ({ app }) => {
      const id = '00000000-0000-4000-8000-00000000001f';
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'Before', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Begin.' }] });
      await until(async () => (await app.session(id)).state === 'idle');
    },
  });
  ({ page } = window);
  await page.setViewportSize({ width: 1200, height: 800 });
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const beside = (name: string): string => join(person, 'parcel-api.worktrees', name);
const folder = (path: string): Locator => page.locator(`.composer_folder-button[title="${path}"]`);

/** Pictures to be looked at, where a folder for them is named. */
async function picture(name: string): Promise<void> {
  const folder = process.env.JUMPSEAT_TEST_PICTURES;
  for (const colorScheme of folder === undefined ? [] : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder ?? '', `worktrees-${name}-${colorScheme}.png`) });
  }
}

/** In a wide and in the narrowest window. */
async function looksRight(name: string): Promise<void> {
  for (const [width, height] of [
    [720, 480],
    [1200, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await picture(`${name}-${width}`);
    // The panes follow the new size a moment later.
    await soon(async () => expect([await outOfReach(page), await cutOff(page)]).toEqual([[], []]));
  }
  expect(await window.axe()).toEqual([]);
}

it('begins a session in a worktree that a person asked for, with what was written, and nothing of git’s hooks', async () => {
  const trap = join(person, 'ran');
  writeFileSync(join(project, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch '${trap}'\n`);
  chmodSync(join(project, '.git/hooks/post-checkout'), 0o755);
  await open();
  await field().fill('Mend the login.');
  await looksRight('new-session');
  await page.getByRole('button', { name: 'In a new worktree…' }).click();
  const asked = dialog('New session in a new worktree');
  const branch = asked.getByRole('textbox', { name: 'Branch' });
  await branch.waitFor();
  await until(() => branch.evaluate((element) => element === document.activeElement));
  const create = asked.getByRole('button', { name: /^Create worktree/ });
  expect(await create.isDisabled()).toBe(true);
  await branch.fill('main');
  await asked.getByText(/This branch is checked out in .*parcel-api/).waitFor();
  expect(await create.isDisabled()).toBe(true);
  await branch.fill('a..b');
  await asked.getByText('git takes no branch of this name.').waitFor();
  await branch.fill('fix/login');
  await asked.getByText(`A new branch from main. Folder: ${beside('fix-login')}`).waitFor();
  expect(await asked.getByRole('checkbox', { name: '.env' }).isChecked()).toBe(true);
  await asked.getByRole('textbox', { name: 'Set-up command' }).fill('echo "in $PWD"; exit 3');
  expect(await create.textContent()).toBe('Create worktree and run command');
  expect(existsSync(beside('fix-login'))).toBe(false);
  await looksRight('dialog');
  await branch.press('Enter');
  const made = dialog('Worktree created');
  await made.getByText('It ended with exit code 3.').waitFor();
  expect(await made.locator('pre').textContent()).toBe(`in ${beside('fix-login')}\n`);
  await looksRight('created');
  await made.getByRole('button', { name: 'Go on' }).click();
  await folder(beside('fix-login')).waitFor();
  await page.getByText('branch fix/login').waitFor();
  expect(readFileSync(join(beside('fix-login'), '.env'), 'utf8')).toBe('KEY=1\n');
  expect(existsSync(trap)).toBe(false);
  await until(async () => (await field().inputValue()) === 'Mend the login.');
  await page.getByText('The set-up command failed.').waitFor();
  await looksRight('after');
  await page.getByRole('button', { name: 'Show it' }).click();
  await dialog('Set-up command').getByRole('button', { name: 'Close' }).click();
  await field().press('Enter');
  await until(() => agent.methods().filter((method) => method === 'session/prompt').length === 2);
  const held = await window.stack.app.heldSessions();
  expect(held.find(({ title }) => title === 'Mend the login.')?.cwd).toBe(beside('fix-login'));
  // What was chosen is there again, and none is made before it is asked for.
  await page.getByRole('button', { name: 'New session', exact: true }).first().click();
  await page.getByRole('button', { name: 'In a new worktree…' }).click();
  expect(await asked.getByRole('textbox', { name: 'Set-up command' }).inputValue()).toBe('echo "in $PWD"; exit 3');
  await page.keyboard.press('Escape');
  expect(git(project, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(2);
});

it('lists worktrees with what each has, and removes one that has nothing of its own', async () => {
  git(project, 'worktree', 'add', '-q', '-b', 'ahead', beside('ahead'));
  writeFileSync(join(beside('ahead'), 'more.ts'), 'two\n');
  git(beside('ahead'), 'add', '-A');
  git(beside('ahead'), 'commit', '-q', '-m', 'Two');
  writeFileSync(join(beside('ahead'), '.env'), 'KEY=2\n');
  git(project, 'worktree', 'add', '-q', '-b', 'dirty', beside('dirty'));
  writeFileSync(join(beside('dirty'), 'index.ts'), 'changed\n');
  git(project, 'worktree', 'add', '-q', '-b', 'used', beside('used'));
  await open();
  let goOn = (): void => undefined;
  agent.script = async (turn) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await turn.say('Done.');
    return 'end_turn';
  };
  const { app } = window.stack;
  const working = await app.newSession({ cwd: beside('used'), agent: 'claude', title: 'At work', choices: {} });
  await app.sendMessage({ session: working.id, prompt: [{ type: 'text', text: 'Work.' }] });
  await until(async () => (await app.session(working.id)).state === 'running');
  const recent = (name: string): Locator => page.locator(`.composer_recents button[title="${name}"]`);
  await page.reload();
  await recent(beside('used')).waitFor();
  await recent(project).click();
  await page.getByRole('button', { name: 'Worktrees…' }).click();
  const list = dialog('Worktrees');
  const row = (name: string): Locator => list.getByRole('listitem', { name, exact: true });
  await row('ahead')
    .getByText(/^Everything committed · 1 commit not in main · \d/)
    .waitFor();
  await row('dirty')
    .getByText(/^1 file not committed · No commits yet/)
    .waitFor();
  await row('used').getByText('“At work” works here.').waitFor();
  expect(
    await row('parcel-api')
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0);
  expect(await row('used').getByRole('button', { name: 'Remove used…' }).isDisabled()).toBe(true);
  await looksRight('list');
  goOn();
  await until(async () => (await app.session(working.id)).state === 'idle');
  // Something is written in it after it was listed.
  writeFileSync(join(beside('dirty'), 'later.ts'), 'later\n');
  await row('dirty').getByRole('button', { name: 'Remove dirty…' }).click();
  const dirty = dialog('Remove the worktree dirty?');
  await dirty.getByText(/^2 files not committed\. It can’t be removed/).waitFor();
  expect(await dirty.getByRole('button', { name: 'Remove worktree' }).isDisabled()).toBe(true);
  await looksRight('refused');
  await dirty.getByRole('button', { name: 'Cancel' }).click();
  await row('ahead').getByRole('button', { name: 'Remove ahead…' }).click();
  const ahead = dialog('Remove the worktree ahead?');
  await ahead.getByText('Files that git ignores are deleted too: .env.').waitFor();
  await ahead.getByText('1 commit of ahead isn’t in main. The branch stays, with all of its commits.').waitFor();
  await looksRight('remove');
  writeFileSync(join(beside('ahead'), 'late.ts'), 'late\n');
  await ahead.getByRole('button', { name: 'Remove worktree' }).click();
  await ahead.getByText('In the worktree is work that isn’t committed: 1 file. Commit or discard it first.').waitFor();
  rmSync(join(beside('ahead'), 'late.ts'));
  await ahead.getByRole('button', { name: 'Remove worktree' }).click();
  await list.getByText('ahead was removed.').waitFor();
  expect(existsSync(beside('ahead'))).toBe(false);
  expect(git(project, 'branch', '--list', 'ahead', '--format=%(refname:short)')).toBe('ahead');
  // Listed anew by now, so that it is seen that nobody works there.
  await row('used').getByRole('button', { name: 'Remove used…' }).click();
  const used = dialog('Remove the worktree used?');
  await used.getByText('Delete its branch used too; it has no commits of its own').waitFor();
  await used.getByRole('button', { name: 'Remove worktree' }).click();
  await list.getByText('used was removed.').waitFor();
  await recent(beside('used')).waitFor({ state: 'detached' });
  await row('dirty').getByRole('button', { name: 'New session in dirty' }).click();
  await folder(beside('dirty')).waitFor();
});
