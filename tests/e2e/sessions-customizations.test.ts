import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { cutOff } from './page-looks.ts';
import { outOfReach } from './sessions-stage/looks.ts';

/** What a person adds for a session, in the window. */
const id = '00000000-0000-4000-8000-00000000002f';
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
  person = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-customizations-')));
  project = join(person, 'parcel-api');
  mkdirSync(project);
  // What Claude Code says of the plugins that it was given.
  agent.script = async (turn) => {
    const asked = agent.asked.findLast(({ method }) => method.startsWith('session/new') || method === 'session/resume');
    const paths: string[] = Object(Object(asked?.params._meta).jumpseat).plugins ?? [];
    const plugins = paths.map((path) => ({ name: 'tools', path, source: 'tools@inline', version: '1.2.0' }));
    await turn.raw({ type: 'system', subtype: 'init', permissionMode: 'default', plugins });
    return 'end_turn';
  };
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

function write(path: string, content: string): void {
  const file = join(person, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function furnish(): string {
  const manifest = { name: 'tools', version: '1.2.0', description: 'Checks and ships this service.' };
  write('plugins/tools/.claude-plugin/plugin.json', JSON.stringify(manifest));
  write('plugins/tools/skills/ship/SKILL.md', '---\nname: ship\n---\nShip it.\n');
  write('plugins/tools/commands/check.md', 'Check it.\n');
  const hooks = { PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: './format.sh --all' }] }] };
  write('plugins/tools/hooks/hooks.json', JSON.stringify({ hooks }));
  return join(person, 'plugins/tools');
}

async function open(as: 'tray' | 'dashboard', trusted: boolean): Promise<void> {
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, as, at: `#/sessions/${id}` },
    app: { agents: [agent] },
    before: async ({ app }) => {
      if (trusted) await app.trustFolder(project);
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Begin.' }] });
      await until(async () => (await app.session(id)).state === 'idle');
    },
  });
  ({ page } = window);
  await page.setViewportSize({ width: 1200, height: 800 });
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const dialog = (name: string): Locator => page.getByRole('dialog', { name });
const line = (name: string): Locator => dialog('Customizations').getByRole('listitem', { name });

async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'Customizations…' }).click();
  await dialog('Customizations').waitFor();
}

async function say(words: string): Promise<void> {
  await page.keyboard.press('Escape');
  const before = agent.asked.filter(({ method }) => method === 'session/prompt').length;
  await field().fill(words);
  await field().press('Enter');
  await until(() => agent.asked.filter(({ method }) => method === 'session/prompt').length > before);
  await until(async () => (await window.stack.app.session(id)).state === 'idle');
}

const given = (): unknown => {
  const asked = agent.asked.findLast(({ method }) => method === 'session/resume' || method === 'session/new');
  return Object(Object(asked?.params._meta).jumpseat).plugins;
};

/** Pictures to be looked at, where a folder for them is named. */
async function picture(name: string): Promise<void> {
  const folder = process.env.JUMPSEAT_TEST_PICTURES;
  for (const colorScheme of folder === undefined ? [] : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder ?? '', `customizations-${name}-${colorScheme}.png`) });
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

it('a plugin is looked at, trusted and added, loaded with the next message, switched off and removed', async () => {
  const folder = furnish();
  await open('dashboard', true);
  await openDialog();
  await looksRight('empty');
  await page.getByRole('button', { name: 'Add from a folder…' }).click();
  const adding = dialog('Add from a folder');
  await adding.getByRole('textbox', { name: 'Path of the folder' }).fill(join(person, 'plugins'));
  await page.keyboard.press('Enter');
  await adding.getByText('This folder has no plugin').waitFor();
  await looksRight('nothing-there');
  await adding.getByRole('textbox', { name: 'Path of the folder' }).fill(folder);
  await page.keyboard.press('Enter');
  const offer = adding.getByRole('status', { name: 'tools' });
  await offer.getByText('It runs programs on this machine').waitFor();
  // Which of the two folders is meant: that with its files, or that of the session.
  await offer.getByText(`Its files: ${folder}`).waitFor();
  await adding
    .getByRole('group', { name: 'Add it for' })
    .getByText(/^All sessions in .*parcel-api$/)
    .waitFor();
  await offer.getByText('Hook PostToolUse: ./format.sh --all').waitFor();
  await looksRight('offer');
  expect((await window.stack.app.customizations(id)).customizations).toEqual([]);
  await adding.getByRole('button', { name: 'Trust tools and add' }).click();
  await line('tools').getByText('From your next message on').waitFor();
  await line('tools').getByText('plugins/tools').waitFor();
  await line('tools').getByText('1 skill, 1 command, and 1 hook').waitFor();
  await looksRight('added');
  expect(await window.stack.app.trustedFolders()).toContain(folder);
  // Its commands can be chosen for the message that loads it.
  await page.keyboard.press('Escape');
  await field().fill('/');
  for (const name of ['/tools:check', '/tools:ship']) {
    const command = page.getByRole('option').filter({ hasText: name });
    await command.getByText('From your next message on').waitFor();
    expect(await command.locator('.composer_from').innerText()).toBe('tools');
  }
  await picture('coming');
  await field().fill('/tools:ch');
  await field().press('Enter');
  await soon(async () => expect(await field().inputValue()).toBe('/tools:check '));

  await say('Go on.');
  expect(given()).toEqual([folder]);
  await openDialog();
  await line('tools').getByText('Loaded', { exact: true }).waitFor();
  const toggle = line('tools').getByRole('switch', { name: 'tools' });
  await toggle.press('Space');
  await soon(async () => expect(await toggle.getAttribute('aria-checked')).toBe('false'));
  await line('tools').getByText('Off', { exact: true }).waitFor();
  await say('Without it.');
  expect(given()).toEqual([]);

  // What another window does is shown here.
  await openDialog();
  const [{ id: customization = '' } = {}] = (await window.stack.app.customizations(id)).customizations;
  await window.stack.app.switchCustomization({ session: id, customization, on: true });
  await line('tools').getByText('From your next message on').waitFor();
  rmSync(folder, { recursive: true });
  await say('It is gone.');
  await openDialog();
  await line('tools').getByText('There is no such folder.').waitFor();
  await picture('gone-in-conversation');
  const note = page.getByTestId('transcript').getByText('tools wasn’t loaded. There is no such folder.');
  expect(await note.count()).toBe(1);
  await looksRight('gone');
  await page.getByRole('button', { name: 'Remove tools' }).click();
  await dialog('Customizations').getByText('Nothing was added yet.').waitFor();
  expect(readdirSync(project)).toEqual([]);
});

it('a server is added for the folder, and isn’t started while that isn’t trusted', async () => {
  await open('tray', false);
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'In force…' }).click();
  await dialog('In force').getByRole('button', { name: 'Customizations…' }).click();
  await page.getByRole('button', { name: 'Add an MCP server…' }).click();
  const adding = dialog('Add an MCP server');
  await adding.getByRole('textbox', { name: 'Name' }).fill('no spaces');
  await adding.getByRole('textbox', { name: 'Command' }).fill('node "my server.js" --fast');
  expect(await adding.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await adding.getByRole('textbox', { name: 'Name' }).fill('forms');
  await adding.getByRole('radio', { name: /^All sessions in/ }).check();
  await adding
    .getByText(/^This runs on this machine.* This session runs in .*parcel-api, which you don’t trust\./)
    .waitFor();
  await looksRight('server');
  await adding.getByRole('textbox', { name: 'Command' }).press('Enter');
  await line('forms').getByText('you don’t trust the folder of this session').waitFor();
  await line('forms').getByText('All sessions in').waitFor();
  await looksRight('shut');
  await say('Go on.');
  const servers = (): unknown[] => {
    const asked = agent.asked.findLast(({ method }) => /session\/(new|resume)/.test(method));
    const all = asked?.params.mcpServers;
    return Array.isArray(all) ? all.filter(({ name }) => name !== 'jumpseat') : [];
  };
  expect(servers()).toEqual([]);
  await window.stack.app.trustFolder(project);
  await say('Now with it.');
  expect(servers()).toEqual([{ name: 'forms', command: 'node', args: ['my server.js', '--fast'], env: [] }]);
});

it('a plugin of a marketplace that Claude Code knows is chosen by its name; one that isn’t here can’t be', async () => {
  furnish();
  const plugins = [
    { name: 'tools', source: './tools', description: 'Checks and ships.' },
    { name: 'far', source: { source: 'github', repo: 'nobody/nothing' } },
  ];
  write('plugins/.claude-plugin/marketplace.json', JSON.stringify({ name: 'ours', plugins }));
  const known = {
    source: { source: 'directory', path: join(person, 'plugins') },
    installLocation: join(person, 'plugins'),
  };
  write('.claude/plugins/known_marketplaces.json', JSON.stringify({ ours: known }));
  await open('tray', true);
  await openDialog();
  await page.getByRole('button', { name: 'Add from a marketplace…' }).click();
  const adding = dialog('Add from a marketplace');
  await adding.getByText('“claude plugin install far@ours” in a terminal').waitFor();
  expect(await adding.getByRole('radio', { name: /^far/ }).isDisabled()).toBe(true);
  await adding.getByRole('radio', { name: /^tools/ }).check();
  await adding.getByText('Hook PostToolUse: ./format.sh --all').waitFor();
  await looksRight('marketplace');
  await adding.getByRole('button', { name: 'Trust tools and add' }).click();
  await line('tools').getByText('tools@ours').waitFor();
  await say('Go on.');
  expect(given()).toEqual([join(person, 'plugins/tools')]);
});
