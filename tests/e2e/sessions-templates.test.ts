import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

/** Prompts that a person keeps, from the field and from what was sent, as files that Claude Code has too. */
const id = '00000000-0000-4000-8000-00000000002f';
let chromium: Chromium;
let person: string;
let project: string;
let window: ChromiumWindow;
let page: Page;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  person = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-templates-')));
  project = join(person, 'project');
  mkdirSync(project);
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

let agent: FakeAgent;
async function open(): Promise<void> {
  agent = new FakeAgent();
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, at: `#/sessions/${id}` },
    app: { agents: [agent] },
    before: async ({ app }) => {
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'Reviews', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Review src/a.ts for leaks.' }] });
      await until(async () => (await app.session(id)).state === 'idle');
    },
  });
  ({ page } = window);
  await page.setViewportSize({ width: 1200, height: 800 });
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const option = (name: string | RegExp): Locator => page.getByRole('option', { name });
const text = (): Promise<string> => field().inputValue();
const file = (...path: string[]): string => readFileSync(join(person, ...path), 'utf8');
const ofFolder = (name: string): string => join(project, '.claude', 'commands', `${name}.md`);
const prompts = () => agent.asked.filter(({ method }) => method === 'session/prompt').length;
const menu = async (label: string): Promise<void> => {
  await button('Templates').click();
  await page.getByRole('menuitem', { name: label }).click();
};

/** Buttons of the open dialog that take no click where they are. */
const buttonsOutOfSight = () =>
  page.locator('dialog[open] .dialog-buttons button').evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? [] : [one.textContent];
    }),
  );

/** In a wide and in the narrowest window, in both themes. */
async function looksRight(name: string): Promise<void> {
  const folder = process.env.JUMPSEAT_TEST_PICTURES;
  for (const [width, height] of [
    [720, 480],
    [1200, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `templates-${name}-${width}-${colorScheme}.png`) });
      expect(await window.axe()).toEqual([]);
    }
    // The panes follow the new size a moment later.
    await soon(async () => expect([await outOfReach(page), await cutOff(page)]).toEqual([[], []]));
    expect(await buttonsOutOfSight()).toEqual([]);
  }
}

it('is saved from the field, filled by keys alone, and sent by nobody but the person', async () => {
  await open();
  await field().fill('Review {{file}} for {{what}}.');
  await menu('Save as a template…');
  const saving = dialog('Save as a template');
  await page.keyboard.type('2 files');
  await saving.getByText(/^A name begins/).waitFor();
  await saving.getByRole('textbox', { name: 'Name' }).fill('check');
  await saving.getByText('In a terminal: /check [file] [what]').waitFor();
  await looksRight('save');
  await page.keyboard.press('Enter');
  await page.getByText('Template saved. Type / to use it: /check').waitFor();
  expect(readFileSync(ofFolder('check'), 'utf8')).toBe(
    '---\nargument-hint: "[file] [what]"\narguments: [file, what]\n---\nReview $file for $what.\n',
  );

  await field().fill('');
  await field().press('/');
  await page.keyboard.type('che');
  await option(/\/check/).waitFor();
  await looksRight('list-of-commands');
  await page.keyboard.press('Enter');
  await dialog('check').waitFor();
  await page.keyboard.type('src/b.ts');
  await page.keyboard.press('Tab');
  await page.keyboard.type('races');
  await looksRight('fill');
  await page.keyboard.press('Enter');
  await expect.poll(text).toBe('Review src/b.ts for races.');
  await expect.poll(() => field().evaluate((shown) => shown === document.activeElement)).toBe(true);
  expect(prompts()).toBe(1);
  await page.keyboard.press('Enter');
  await until(() => prompts() === 2);
});

it('is saved from a prompt that was sent, for all folders; edited, renamed, deleted and brought back', async () => {
  await open();
  await page
    .getByTestId('transcript')
    .getByText('Review src/a.ts for leaks.', { exact: true })
    .click({ button: 'right', position: { x: 20, y: 5 } });
  await page.getByRole('menuitem', { name: 'Save as a template…' }).click();
  const saving = dialog('Save as a template');
  expect(await saving.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Review src/a.ts for leaks.');
  await saving.getByRole('textbox', { name: 'Name' }).fill('leaks');
  // A template in a folder is one more thing to trust there.
  const untrusted = saving.getByText('You don’t trust this folder yet.');
  await untrusted.waitFor();
  await saving.getByRole('radio', { name: /For all folders/ }).check();
  expect(await untrusted.count()).toBe(0);
  await saving.getByRole('button', { name: 'Save' }).click();
  await until(() => existsSync(join(person, '.claude', 'commands', 'leaks.md')));
  expect(file('.claude', 'commands', 'leaks.md')).toBe('Review src/a.ts for leaks.\n');

  await page.keyboard.press('Control+Shift+E');
  await dialog('Templates').getByRole('listitem', { name: 'leaks' }).getByText('For all folders').waitFor();
  await looksRight('list');
  await button('Edit leaks…').click();
  const editing = dialog('Edit the template leaks');
  await editing.getByRole('textbox', { name: 'Name' }).fill('seams');
  await editing.getByRole('textbox', { name: 'Text' }).fill('Find seams in {{file}}.');
  await editing.getByRole('button', { name: 'Save' }).click();
  await dialog('Templates').getByRole('listitem', { name: 'seams' }).waitFor();
  expect(existsSync(join(person, '.claude', 'commands', 'leaks.md'))).toBe(false);
  const saved = file('.claude', 'commands', 'seams.md');
  expect(saved).toContain('Find seams in $file.');
  await button('Delete seams').click();
  await until(() => !existsSync(join(person, '.claude', 'commands', 'seams.md')));
  // Said in the dialog, which alone takes a click; of an earlier dialog it says nothing.
  const undo = dialog('Templates').getByRole('button', { name: 'Undo' });
  // It stays while it has the focus, however long the looks take.
  await undo.focus();
  await looksRight('deleted');
  expect(await dialog('Templates').locator('.toasts_toast').allInnerTexts()).toEqual([
    expect.stringContaining('The template seams was deleted.'),
  ]);
  await undo.click();
  await dialog('Templates').getByRole('listitem', { name: 'seams' }).waitFor();
  expect(file('.claude', 'commands', 'seams.md')).toBe(saved);
  await button('Delete seams').click();
  await until(() => !existsSync(join(person, '.claude', 'commands', 'seams.md')));
  await dialog('Templates').getByRole('button', { name: 'Close' }).click();
  await button('Undo').click();
  await until(() => existsSync(join(person, '.claude', 'commands', 'seams.md')));
  expect(file('.claude', 'commands', 'seams.md')).toBe(saved);
});

it('another’s file is read as it is now, marked where the folder isn’t trusted, and replaced only if one says so', async () => {
  mkdirSync(join(project, '.claude', 'commands'), { recursive: true });
  writeFileSync(ofFolder('theirs'), 'One.\n');
  writeFileSync(ofFolder('status'), 'Now: !`git status`\n');
  await open();
  writeFileSync(ofFolder('theirs'), 'Two of $ARGUMENTS.\n');
  await field().press('/');
  await option(/\/theirs.*Two of.*Not trusted/).waitFor();
  expect(await option(/git status/).count()).toBe(0);
  await option(/\/theirs/).click();
  await dialog('theirs').getByText('From this folder, which you don’t trust.').waitFor();
  await page.keyboard.press('Escape');
  expect(await text()).toBe('');

  await field().fill('Mine, and !`date`');
  await menu('Save as a template…');
  const saving = dialog('Save as a template');
  await saving.getByRole('textbox', { name: 'Name' }).fill('theirs');
  await saving.getByText(/^Claude Code would run/).waitFor();
  await saving.getByRole('textbox', { name: 'Text' }).fill('Mine');
  const save = saving.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await saving.getByRole('checkbox', { name: /Replace \/theirs/ }).check();
  writeFileSync(ofFolder('theirs'), 'Three.\n');
  await save.click();
  await saving.getByRole('alert').waitFor();
  expect(readFileSync(ofFolder('theirs'), 'utf8')).toBe('Three.\n');
  // What is there now has been read.
  await saving.getByText('Three.').waitFor();
  await saving.getByRole('checkbox', { name: /Replace \/theirs/ }).check();
  await save.click();
  await until(() => readFileSync(ofFolder('theirs'), 'utf8') === 'Mine\n');
});
