import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import { claudeOf } from '../clients/hosted-agent.ts';
import { until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { cutOff } from './page-looks.ts';
import { outOfReach } from './sessions-stage/looks.ts';

/** Side questions of the real Claude Code, in the window. Each test goes on where the one before ended. */
describe.skipIf(process.env.JUMPSEAT_TEST_CLAUDE === undefined)('side questions in the window', { retry: 0 }, () => {
  oneAfterAnother();
  const id = '00000000-0000-4000-8000-0000000000b1';
  let chromium: Chromium;
  let window: ChromiumWindow;
  let page: Page;
  let person: string;

  beforeAll(async () => {
    person = mkdtempSync(join(tmpdir(), 'jumpseat-beside-'));
    const project = join(person, 'project');
    mkdirSync(project);
    chromium = await Chromium.launch();
    window = await chromium.window({
      ...{ person, at: `#/sessions/${id}`, settings: { version: 1, welcomedAt: 1 } },
      app: { agents: [claudeOf({ home: person })] },
      before: async ({ app }) => {
        await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
        await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'count to 3' }] });
        await until(async () => (await app.session(id)).state === 'idle');
      },
    });
    ({ page } = window);
    await page.setViewportSize({ width: 1700, height: 900 });
    await message().waitFor();
  });
  afterAll(async () => {
    const complaints = await chromium?.closeWindows();
    await chromium?.close();
    rmSync(person, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    expect(complaints).toEqual([]);
  });

  const message = (): Locator => page.getByRole('textbox', { name: 'Message' });
  const pane = (): Locator => page.getByTestId('side-questions');
  const field = (): Locator => pane().getByRole('textbox', { name: 'Side question' });
  const question = (words: string): Locator => pane().getByRole('article', { name: words });
  const isBeside = ({ body }: RecordedRequest): boolean => JSON.stringify(body).includes('This is a side question');
  const picture = async (name: string): Promise<void> => {
    const folder = process.env.JUMPSEAT_TEST_PICTURES;
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  it('are asked with /btw, beside the conversation, which stays as it is', async () => {
    await page
      .getByTestId('transcript')
      .getByText(/^\d+\.\d+ credits$/)
      .waitFor();
    const said = await page.getByTestId('transcript').innerText();
    await message().fill('/btw what did I ask?');
    await message().press('Enter');
    await question('what did I ask?').getByText('You asked: “what did I ask?”').waitFor();
    expect(await message().inputValue()).toBe('');
    expect(await page.getByTestId('transcript').innerText()).toBe(said);
    await question('what did I ask?')
      .getByText(/^\d+\.\d+ credits$/)
      .waitFor();
    await page.getByRole('button', { name: '1 side question' }).waitFor();
    expect(await window.axe()).toEqual([]);
    await picture('side-light');
  });

  it('are opened and closed by a key, which gives the keyboard to their field and back', async () => {
    await message().focus();
    await page.keyboard.press('Control+j');
    await pane().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+j');
    await until(() => field().evaluate((element) => element === document.activeElement));
    // What is written stays.
    await field().fill('and then?');
    await page.keyboard.press('Control+j');
    await pane().waitFor({ state: 'detached' });
    await until(() => message().evaluate((element) => element === document.activeElement));
    await page.getByRole('button', { name: '1 side question' }).click();
    expect(await field().inputValue()).toBe('and then?');
  });

  it('work while a turn runs, and can be stopped and asked again', async () => {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const { script } = window.stack.simulator;
    const held = script.next({ kind: 'usual', gate });
    await message().fill('count to 5');
    await message().press('Enter');
    await page
      .getByTestId('process')
      .getByText(/^Working/)
      .waitFor();
    // Else the side question could be the one that is held.
    await held.taken;
    script.next({ kind: 'silence' }, isBeside);
    // Stopped before its request was sent, the question would leave the silence to the next one.
    const sent = script.arrival(isBeside);
    await field().press('Enter');
    await question('and then?').getByText('Claude is answering…').waitFor();
    await sent;
    await until(async () => (await field().inputValue()) === '');
    await field().fill('another');
    expect(await pane().getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true);
    await question('and then?').getByRole('button', { name: 'Stop' }).click();
    await question('and then?').getByText('Stopped by you.').waitFor();
    await question('and then?').getByRole('button', { name: 'Ask again' }).click();
    await question('and then?').last().getByText('You asked: “and then?”').waitFor();
    await page
      .getByTestId('process')
      .getByText(/^Working/)
      .waitFor();
    goOn();
    await page.getByTestId('transcript').getByText('1, 2, 3, 4, 5').waitFor();
    await field().fill('');
  });

  it('say why there is no answer, with the request', async () => {
    const body = { error: { message: 'No credits', code: 'quota_exceeded' } };
    window.stack.simulator.script.next({ kind: 'answer', status: 402, body }, isBeside);
    await field().fill('why?');
    await field().press('Enter');
    await question('why?')
      .getByText(/^You’re out of Copilot credits\./)
      .waitFor();
    await question('why?').getByRole('button', { name: 'Show request' }).waitFor();
    expect(await window.axe()).toEqual([]);
    await question('why?').getByRole('button', { name: 'Delete this side question' }).click();
    await question('why?').waitFor({ state: 'detached' });
  });

  it('can be brought into the message as quoted text', async () => {
    await message().fill('Look:');
    await question('what did I ask?').getByRole('button', { name: 'Use in message' }).click();
    await until(async () => /^Look:\n\n> what did I ask\?\n>\n> This is /.test(await message().inputValue()));
    await until(() => message().evaluate((element) => element === document.activeElement));
    await message().fill('');
  });

  it('are the same in another window, and still there after a reload', async () => {
    const { dashboardUrl } = await window.stack.app.startProxy();
    const other = await chromium.browser.newPage();
    await other.goto(`${dashboardUrl}#/sessions/${id}`);
    await other.getByRole('button', { name: /side questions$/ }).click();
    const there = other.getByTestId('side-questions');
    await there.getByText('You asked: “what did I ask?”').waitFor();
    await field().fill('who?');
    await field().press('Enter');
    await there.getByText('You asked: “who?”').waitFor();
    // Its window is closed while Copilot still answers.
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const { script } = window.stack.simulator;
    script.next({ kind: 'usual', gate }, isBeside);
    const sent = script.arrival(isBeside);
    const asking = there.getByRole('textbox', { name: 'Side question' });
    await asking.fill('and you?');
    await asking.press('Enter');
    await sent;
    await other.close();
    await question('and you?').getByText('Claude is answering…').waitFor();
    goOn();
    await question('and you?').getByText('You asked: “and you?”').waitFor();
    await page.reload();
    await page.getByRole('button', { name: /side questions$/ }).click();
    await question('who?').getByText('You asked: “who?”').waitFor();
  });

  it('stand in the session’s costs by themselves', async () => {
    await message().fill('/cost');
    await message().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Credits of this session' });
    await dialog.getByRole('row', { name: /^Side questions/ }).waitFor();
    expect(await dialog.getByText('Cut off by going back').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('cover the session in a small window, in reach, in both themes', async () => {
    await page.setViewportSize({ width: 720, height: 480 });
    await message().waitFor({ state: 'detached' });
    await field().waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await window.axe()).toEqual([]);
      expect(await outOfReach(page)).toEqual([]);
      expect(await cutOff(page)).toEqual([]);
      await picture(`side-small-${scheme}`);
    }
    await pane().getByRole('button', { name: 'Close side questions' }).click();
    await message().waitFor();
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('side question');
    await page.keyboard.press('Enter');
    await field().waitFor();
    expect(await window.axe()).toEqual([]);
    await picture('side-dark');
  });

  it('are deleted together, after a question', async () => {
    await pane().getByRole('button', { name: 'Delete all side questions…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await pane().getByText('No side questions').waitFor();
    expect(await window.stack.app.sideQuestions(id)).toEqual([]);
    await picture('side-empty');
  });
});
