import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePath } from '../app/sessions/transcripts/samples.ts';
import { Chromium, type ChromiumWindow } from '../e2e/chromium-window.ts';
import { until } from '../soon.ts';
import { claudeOf } from './hosted-agent.ts';

const elsewhere = '00000000-0000-4000-8000-000000000001';

/** What a person does in the list alone, while the real Claude Code asks and works. */
describe.skipIf(process.env.JUMPSEAT_TEST_CLAUDE === undefined)('the list of sessions', { retry: 0 }, () => {
  let chromium: Chromium;
  let window: ChromiumWindow;
  let page: Page;
  let person: string;
  /** With a command that is short, and with a longer one. */
  let short: string;
  let long: string;

  const begin = async (folder: string, ...lines: string[]): Promise<string> => {
    mkdirSync(join(person, folder), { recursive: true });
    const { app } = window.stack;
    const { id } = await app.newSession({ cwd: join(person, folder), agent: 'claude', title: null, choices: {} });
    await app.sendMessage({ session: id, prompt: [{ type: 'text', text: lines.join('\n') }] });
    return id;
  };
  const row = (id: string): Locator => page.getByTestId(`session-row-${id}`);
  const asksIn = (id: string): Promise<unknown> =>
    until(async () => (await window.stack.app.sessionQuestions(id)).length > 0);

  beforeAll(async () => {
    person = mkdtempSync(join(tmpdir(), 'jumpseat-list-'));
    const projects = join(person, '.claude', 'projects', '-home-me-project');
    mkdirSync(projects, { recursive: true });
    copyFileSync(samplePath('compaction'), join(projects, `${elsewhere}.jsonl`));
    const home = join(person, 'jumpseat');
    mkdirSync(home);
    chromium = await Chromium.launch();
    window = await chromium.window({
      ...{ home, person, at: '#/sessions', app: { agents: [claudeOf({ home: person })] } },
      settings: { version: 1, sessions: { atOnce: 4 } },
    });
    ({ page } = window);
    short = await begin('parcel-api', 'Move all dates to UTC.', 'step: run: touch moved.txt');
    long = await begin('website', 'Header.', `step: run: echo ${'header '.repeat(20)}end > header.txt`);
    await Promise.all([asksIn(short), asksIn(long)]);
  });
  afterAll(async () => {
    await chromium?.close();
    // What Claude Code started may write a last line.
    rmSync(person, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it('has a session that was made elsewhere, with how it ended, at an unknown cost', async () => {
    await row(elsewhere).waitFor();
    expect(await row(elsewhere).getByText('Done').isVisible()).toBe(true);
    await row(elsewhere).getByTitle('It didn’t run through Jumpseat, so its cost isn’t known.').waitFor();
    // Its folder is one of another machine.
    await page.getByTestId('session-group-/home/me/project').locator('s').waitFor();
  });

  it('takes the answer to a short command, and only leads to what is longer', async () => {
    await page.getByRole('button', { name: 'Waiting 2' }).click();
    await page.getByTestId(`row-command-${short}`).getByText('touch moved.txt').waitFor();
    expect(await row(long).getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    const allow = row(short).getByRole('button', { name: 'Allow once' });
    // A script answers nothing, whenever it clicks.
    await until(async () => (await allow.getAttribute('aria-disabled')) === 'false');
    await allow.evaluate((button: HTMLElement) => button.click());
    expect(await window.stack.app.sessionQuestions(short)).toHaveLength(1);
    expect(await window.axe()).toEqual([]);
    await allow.click();
    await row(short).waitFor({ state: 'detached' });
    await until(async () => (await window.stack.app.session(short)).outcome === 'done');
    await row(long).getByRole('button', { name: 'Look at' }).click();
    await page.getByTestId('question').waitFor();
    await page.getByTestId('question').getByRole('button', { name: 'Deny', exact: false }).first().click();
    await page.getByText('Nothing waits for you.').waitFor();
    await page.getByRole('button', { name: /^All / }).click();
  });

  it('finds words that were said, and opens the conversation there', async () => {
    const search = page.getByRole('textbox', { name: 'Search sessions' });
    await page.locator('.session-list_session-rows').focus();
    await page.keyboard.press('/');
    await search.fill('hello second');
    await page.getByText(/^Searched \d+ conversations? in (?:\d+\.\d s|\d+ ms)\.$/).waitFor();
    await page.locator('.session-list_session-row mark').first().waitFor();
    await search.press('Enter');
    await page.getByTestId('transcript').getByText('hello second').first().waitFor();
    expect(new URL(page.url()).hash).toBe(`#/sessions/${elsewhere}`);
    await search.press('Escape');
    expect(await search.inputValue()).toBe('');
  });

  it('is gone over with keys, and a session is gone to by name', async () => {
    const heading = page.locator('.panes_session').getByRole('heading', { level: 2 });
    await page.keyboard.press('Control+p');
    const field = page.getByRole('combobox', { name: 'Go to a session' });
    await field.fill('utc');
    await page.getByRole('option').first().waitFor();
    expect(await window.axe()).toEqual([]);
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
    await until(() => new URL(page.url()).hash === `#/sessions/${short}`);
    await window.go('#/usage');
    await page.keyboard.press('Control+k');
    const everything = page.getByRole('combobox', { name: 'Search sessions, commands and settings' });
    await everything.fill('utc');
    await page.getByRole('group', { name: 'Sessions' }).getByRole('option').first().waitFor();
    await everything.press('Enter');
    await until(() => new URL(page.url()).hash === `#/sessions/${short}`);
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'Name of the session' });
    await name.fill('All in UTC');
    await name.press('Enter');
    await heading.getByText('All in UTC').waitFor();
    const list = page.getByTestId('session-list');
    await page.keyboard.press('Control+b');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+b');
    await list.waitFor();
    await window.stack.app.sendMessage({ session: long, prompt: [{ type: 'text', text: 'step: run: touch x' }] });
    await asksIn(long);
    await row(long).getByText('Asks to run a command').waitFor();
    await page.keyboard.press('Control+Shift+.');
    await until(() => new URL(page.url()).hash === `#/sessions/${long}`);
    await page.keyboard.press('Control+n');
    await until(() => new URL(page.url()).hash === '#/sessions/new');
    const rows = page.locator('.session-list_session-rows');
    await rows.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await row(elsewhere).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await until(() => new URL(page.url()).hash === `#/sessions/${elsewhere}`);
    await rows.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /^Pin/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    await page.locator('.session-list_session-group').getByText('Pinned').waitFor();
  });

  it('gives way to the changes, which are as wide as the person wants', async () => {
    await window.go(`#/sessions/${long}`);
    await page.getByTestId('composer').waitFor();
    await page.keyboard.press('Control+d');
    const changes = page.getByTestId('changes');
    await changes.waitFor();
    const widthOf = async (): Promise<number> => Math.round((await changes.boundingBox())?.width ?? 0);
    expect(await widthOf()).toBe(432);
    const edge = page.getByRole('separator', { name: 'Width of the changes' });
    const box = await edge.boundingBox();
    if (box === null) throw new Error('The edge of the changes is not there.');
    await page.mouse.move(box.x + 4, 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 4 - 40, 300);
    await page.mouse.up();
    await until(async () => (await widthOf()) === 472);
    await edge.press('ArrowRight');
    await until(async () => (await widthOf()) === 456);
    await edge.press('Home');
    await until(async () => (await widthOf()) === 360);
    await page.keyboard.press('Control+d');
    await changes.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+d');
    await until(async () => (await widthOf()) === 360);
    expect(await window.axe()).toEqual([]);
    await page.keyboard.press('Control+d');
  });

  it('says what is in force in a session, and gives its conversation as Markdown', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.stack.app.renameSession({ session: short, title: 'All in UTC' });
    await window.go(`#/sessions/${short}`);
    const act = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Session actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const foot = page.getByTestId('process');
    await until(async () => /^pid \d+ · [\d.]+ MB · Claude Code \d/.test((await foot.getAttribute('title')) ?? ''));
    await act('In force…');
    const dialog = page.getByRole('dialog', { name: 'In force' });
    await dialog.getByRole('region', { name: 'MCP servers' }).getByText('Connected: web_search, web_fetch').waitFor();
    await dialog.getByRole('region', { name: 'Models' }).getByText('claude-opus-4.8').first().waitFor();
    expect(await window.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await act('Copy conversation as Markdown');
    await page.getByText('Conversation copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^# All in UTC\n\n`.*parcel-api`\n\n## You, .*\n\nMove all dates to UTC\.\n/);
    expect(copied).toContain('- Run `touch moved.txt`');
  });
});
