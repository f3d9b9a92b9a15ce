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
  const sessions: string[] = [];

  const begin = async (folder: string, ...lines: string[]): Promise<string> => {
    mkdirSync(join(person, folder), { recursive: true });
    const { app } = window.stack;
    const { id } = await app.newSession({ cwd: join(person, folder), agent: 'claude', title: null, choices: {} });
    await app.sendMessage({ session: id, prompt: [{ type: 'text', text: lines.join('\n') }] });
    sessions.push(id);
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
    const short = await begin('parcel-api', 'Move all dates to UTC.', 'step: run: touch moved.txt');
    const long = await begin('website', 'Header.', `step: run: echo ${'header '.repeat(20)}end > header.txt`);
    await Promise.all([asksIn(short), asksIn(long)]);
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
    await page.locator('.session-rows').focus();
    await page.keyboard.press('/');
    await search.fill('hello second');
    await page.getByText(/^Searched \d+ conversations? in \d\.\d s\.$/).waitFor();
    await page.locator('.session-row mark').first().waitFor();
    await search.press('Enter');
    await page.getByTestId('transcript').getByText('hello second').first().waitFor();
    expect(new URL(page.url()).hash).toBe(`#/sessions/${elsewhere}`);
    await search.press('Escape');
    expect(await search.inputValue()).toBe('');
  });
});
