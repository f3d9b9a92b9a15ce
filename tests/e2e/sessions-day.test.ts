import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeOf } from '../clients/hosted-agent.ts';
import { markedProcesses } from '../clients/marked-processes.ts';
import { until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { keychainWith } from './dashboard.ts';

/**
 * A person's day in Sessions: the real Claude Code, led from the dashboard in a browser, against the simulator. Each
 * test goes on where the one before ended.
 */
describe.skipIf(process.env.JUMPSEAT_TEST_CLAUDE === undefined)('G7 a day in Sessions', { retry: 0 }, () => {
  let chromium: Chromium;
  let window: ChromiumWindow;
  let page: Page;
  let person: string;
  let project: string;
  /** Of the session that the day is spent with. */
  let address: string;
  const file = (name: string): string => join(project, name);

  const open = async (at: string, signedIn = true): Promise<void> => {
    const home = join(person, 'jumpseat');
    mkdirSync(home, { recursive: true });
    window = await chromium.window({
      as: 'dashboard',
      home,
      person,
      // A sign-in is shown to no other host, and each simulator is another one.
      ...(signedIn ? {} : { secrets: keychainWith(null) }),
      app: { agents: [claudeOf({ home: person })] },
      at,
    });
    ({ page } = window);
  };

  beforeAll(async () => {
    person = mkdtempSync(join(tmpdir(), 'jumpseat-day-'));
    project = join(person, 'project');
    mkdirSync(project);
    writeFileSync(file('notes.txt'), 'The old words.\n');
    chromium = await Chromium.launch();
    await open('#/sign-in', false);
  });
  afterAll(async () => {
    await chromium?.close();
    // What Claude Code started may write a last line.
    rmSync(person, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const composer = (): Locator => page.getByRole('textbox', { name: 'Message' });
  const transcript = (): Locator => page.getByTestId('transcript');
  /** One for each turn that has ended. */
  const figures = (): Locator => page.getByTestId(/^turn-figures-/);
  const hasFocus = (where: Locator): Promise<boolean> =>
    where.evaluate((element) => element.contains(document.activeElement));
  const send = async (...lines: string[]): Promise<void> => {
    await composer().fill(lines.join('\n'));
    await composer().press('Enter');
  };
  /** Goes to the question with the keyboard, and answers it once its buttons are alive. */
  const answer = async (title: string, ...keys: string[]): Promise<void> => {
    const asked = page.getByRole('group', { name: title });
    await asked.waitFor();
    await page.keyboard.press('Control+.');
    await until(() => hasFocus(asked));
    await until(async () => (await asked.locator('footer button').last().getAttribute('aria-disabled')) !== 'true');
    for (const key of keys) await page.keyboard.press(key);
    await asked.waitFor({ state: 'detached' });
  };
  const ended = (turns: number): Promise<unknown> => until(async () => (await figures().count()) === turns);
  const costOf = async (foot: Locator): Promise<string> =>
    /([\d.,]+)(?: \+ \?)? credits/.exec((await foot.textContent()) ?? '')?.[1] ?? '';

  it('begins with a sign-in', async () => {
    await page.getByTestId('device-code').waitFor();
    window.stack.simulator.script.approve();
    await until(() => window.stack.app.state().account !== null);
    await window.go('#/sessions');
  });

  it('begins in a folder, and edits two files once it was allowed with the keyboard', async () => {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await page.getByRole('menuitem', { name: 'Choose folder…' }).click();
    await page.getByRole('textbox', { name: 'Path of the folder' }).fill(project);
    await page.getByRole('button', { name: 'Use this folder' }).click();
    // It is known a moment after the sign-in with what and as whom a session would run.
    await composer().fill('x');
    const sending = page.getByRole('button', { name: 'Send', exact: true });
    await until(async () => (await sending.isEnabled()) && (await sending.getAttribute('aria-disabled')) !== 'true');
    await send(
      'Put new words in.',
      `step: read: ${file('notes.txt')}`,
      `step: edit: ${file('notes.txt')} | old | new`,
      `step: write: ${file('more.txt')} | More words.`,
    );
    await page.getByTestId('question').waitFor();
    expect(await hasFocus(composer())).toBe(true);
    expect(await window.axe()).toEqual([]);
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The old words.\n');
    await answer('Edit notes.txt?', '1');
    await answer('Create more.txt?', '1');
    await transcript().getByText('That was the last of 3 steps.').waitFor();
    await ended(1);
    expect(await hasFocus(composer())).toBe(true);
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The new words.\n');
    expect(readFileSync(file('more.txt'), 'utf8')).toContain('More words.');
    expect(await window.axe()).toEqual([]);
    address = new URL(page.url()).hash;
  });

  it('takes one of the two edits back', async () => {
    await page.getByRole('button', { name: '2 files +2 −1' }).click();
    const row = page.getByTestId(`change-${file('notes.txt')}`);
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The old words.\n');
    expect(existsSync(file('more.txt'))).toBe(true);
    expect(await window.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Close changes' }).click();
  });

  it('asks about a plan, and has a question of its own', async () => {
    await page.getByTestId('mode').click();
    await page.getByRole('menuitemradio', { name: /^Plan only/ }).click();
    await page.getByRole('button', { name: 'Permissions: Plan only' }).waitFor();
    await send('First a plan.', 'step: plan: First this, then that', 'step: ask: Which one? | This | That');
    await answer('Go ahead with this plan?', '2');
    await answer('Claude has a question', '2', 'Enter');
    await ended(2);
    await page.getByRole('button', { name: 'Permissions: Ask first' }).waitFor();
    await transcript()
      .getByRole('button', { name: /^Question Choice, Answered/ })
      .waitFor();
  });

  it('takes words into the running turn, queues others, and is stopped', async () => {
    const { script } = window.stack.simulator;
    const read = Promise.withResolvers<void>();
    script.next({ kind: 'usual', gate: read.promise });
    await send('Read both.', `step: read: ${file('notes.txt')}`, `step: read: ${file('more.txt')}`);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await composer().fill('Mind the commas.');
    await composer().press('Control+Enter');
    await page
      .getByTestId(/^steer-/)
      .getByText('Mind the commas.')
      .waitFor();
    read.resolve();
    await transcript()
      .getByText(/^Steered at /)
      .waitFor();
    await ended(3);

    const forEver = new Promise<void>(() => undefined);
    script.next({ kind: 'usual', before: (index) => (index === 8 ? forEver : undefined) });
    await send('count to 1000');
    await transcript()
      .getByText(/1, 2, 3/)
      .waitFor();
    await send('count to 3');
    await page
      .getByTestId(/^queue-/)
      .getByText('count to 3')
      .waitFor();
    await composer().press('Escape');
    await transcript()
      .getByText(/^Stopped by you after /)
      .waitFor();
    await page.getByText('1 message is queued and waits.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await ended(5);
  });

  it('says what it cost, which is what its rows say', async () => {
    const cost = await costOf(page.getByRole('region', { name: 'Session', exact: true }).locator('footer'));
    expect(Number(cost)).toBeGreaterThan(0);
    await page.getByRole('link', { name: /^\d+ user, \d+ agent requests$/ }).click();
    await page.locator('.row').first().waitFor();
    await until(async () => (await costOf(page.locator('main footer'))) === cost);
  });

  it('is there after a restart, goes on, and is forked', async () => {
    expect(await chromium.closeWindows()).toEqual([]);
    await open('#/sessions');
    await page.getByTestId(`session-row-${address.split('/').at(-1)}`).click();
    await ended(5);
    await send('count to 4');
    await ended(6);
    await figures().last().getByRole('button', { name: 'Fork from here' }).click();
    await until(() => new URL(page.url()).hash !== address);
    await page.getByRole('heading', { name: /, fork$/, level: 2 }).waitFor();
    await send('count to 5');
    await transcript().getByText(/4, 5/).waitFor();
    await page.getByTestId('process').getByText('Idle').waitFor();
  });

  it('sends a subagent, which has a line of its own', async () => {
    await send('subagent: say hello');
    await transcript()
      .getByRole('button', { name: /^Subagent / })
      .waitFor();
    await page.getByTestId('process').getByText('Idle').waitFor();
  });

  it('says that Claude Code was killed, keeps what it said, and goes on', async () => {
    const answering = Promise.withResolvers<void>();
    const before = (index: number): Promise<void> | undefined => {
      if (index !== 8) return undefined;
      answering.resolve();
      return new Promise<void>(() => undefined);
    };
    window.stack.simulator.script.next({ kind: 'usual', before });
    await send('count to 900');
    await answering.promise;
    // One for each session that has a process: this one, and the one that it was forked from.
    const claude = markedProcesses(person).filter(({ args }) => args.includes('--output-format'));
    expect(claude).not.toEqual([]);
    for (const { pid } of claude) process.kill(pid, 'SIGKILL');
    await transcript().getByText('Claude Code stopped in the middle of this turn.').waitFor();
    await page.getByTestId('process').getByText('Claude Code stopped').waitFor();
    expect(await window.axe()).toEqual([]);
    await transcript().getByRole('button', { name: 'Continue' }).click();
    await transcript().getByText('Go on where you stopped.').first().waitFor();
    await page.getByTestId('process').getByText('Idle').waitFor();
    expect(await chromium.closeWindows()).toEqual([]);
  });
});
