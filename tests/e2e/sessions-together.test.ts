import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../app/api/events.ts';
import { claudeOf } from '../clients/hosted-agent.ts';
import { patienceMs, until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { type CuttableWay, cuttableWay } from './sessions-day/cuttable-way.ts';
import { holdAnswer } from './sessions-day/hold-answer.ts';
import { SessionsPage } from './sessions-day/sessions-page.ts';

/**
 * One session of the real Claude Code in two places: in the tray app's window, which hears by IPC, and in a dashboard,
 * which hears by server-sent events. Each test goes on where the one before ended.
 */
describe.skipIf(process.env.JUMPSEAT_TEST_CLAUDE === undefined)('G9 a session in two windows', { retry: 0 }, () => {
  oneAfterAnother();
  let chromium: Chromium;
  let window: ChromiumWindow;
  let way: CuttableWay;
  let person: string;
  let project: string;
  let tray: SessionsPage;
  let dashboard: SessionsPage;

  beforeAll(async () => {
    person = mkdtempSync(join(tmpdir(), 'jumpseat-together-'));
    project = join(person, 'project');
    const home = join(person, 'jumpseat');
    for (const folder of [project, home]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(project, 'notes.txt'), 'The old words.\n');
    way = await cuttableWay();
    chromium = await Chromium.launch();
    window = await chromium.window({
      ...{ home, person, at: '#/sessions', settings: { version: 1, welcomedAt: 1 } },
      app: { agents: [claudeOf({ home: person })] },
    });
    tray = new SessionsPage(window.page);
    const { app } = window.stack;
    await app.trustFolder(project);
    const id = '00000000-0000-4000-8000-000000000001';
    await app.newSession({ id, cwd: project, agent: 'claude', title: null, choices: {} });
    const { dashboardUrl } = await app.startProxy();
    const context = await chromium.browser.newContext({
      ...{ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' as const },
      proxy: { server: way.server, bypass: '<-loopback>' },
    });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'count to 3' }] });
    await page.goto(`${dashboardUrl}#/sessions/${id}`);
    dashboard = new SessionsPage(page);
    await tray.go(`#/sessions/${id}`);
    for (const each of [tray, dashboard]) await each.ended(1);
  });
  afterAll(async () => {
    await chromium?.close();
    way?.close();
    rmSync(person, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  /** Until both show the same of it, and this among it. */
  const same = async (words: string | RegExp): Promise<void> => {
    const has = (text: string): boolean => (typeof words === 'string' ? text.includes(words) : words.test(text));
    await until(
      async () => {
        const [one, other] = [await shownIn(tray.page), await shownIn(dashboard.page)];
        return one === other && has(one);
      },
      async () => ({ wanted: String(words), tray: await shownIn(tray.page), dashboard: await shownIn(dashboard.page) }),
    );
  };
  const lost = (): Promise<void> => dashboard.process.getByText('Connection lost').waitFor();

  it('streams into both, and is the same after a reload in the middle', async () => {
    const answer = holdAnswer(window.stack.simulator.script, 'count to 200');
    await tray.send('count to 200');
    await answer.held;
    await same('count to 200');
    await dashboard.page.reload();
    await dashboard.transcript.getByText('count to 200').first().waitFor();
    await same('count to 200');
    answer.goOn();
    await same(/199, 200[\s\S]*Idle/);
  });

  it('says that the connection was lost, keeps what is written, and has all that was missed', async () => {
    const answer = holdAnswer(window.stack.simulator.script, 'count to 150');
    await tray.send('count to 150');
    await answer.held;
    await same('count to 150');
    way.cut();
    await lost();
    await dashboard.page.getByTestId('banner').getByText('Jumpseat isn’t answering.').waitFor();
    await dashboard.composer.fill('Written while it was cut off.');
    expect(
      await dashboard.page
        .getByRole('button', { name: /^(Send|Queue|Steer)$/ })
        .first()
        .isDisabled(),
    ).toBe(true);
    await dashboard.composer.press('Enter');
    answer.goOn();
    await tray.transcript.getByText('149, 150').waitFor();
    await tray.idle();
    way.remedy();
    await same(/149, 150[\s\S]*Idle/);
    expect(await dashboard.composer.inputValue()).toBe('Written while it was cut off.');
    await dashboard.page.reload();
    await until(async () => (await dashboard.composer.inputValue()) === 'Written while it was cut off.');
    await dashboard.canSend();
  });

  it('asks in both, also where it was asked while cut off; answered in one it goes from the other', async () => {
    way.cut();
    await lost();
    const edit = `step: edit: ${join(project, 'notes.txt')} | old | new`;
    await tray.send('Write it.', edit);
    await tray.question('Edit notes.txt?').waitFor();
    await tray.send('count to 4');
    await tray.page.getByTestId(/^queue-/).waitFor();
    expect(await dashboard.question('Edit notes.txt?').count()).toBe(0);
    way.remedy();
    await dashboard.question('Edit notes.txt?').waitFor();
    await dashboard.page.getByTestId(/^queue-/).waitFor();
    await same('Edit notes.txt?');
    await dashboard.composer.focus();
    await tray.answer('Edit notes.txt?', '1');
    await dashboard.question('Edit notes.txt?').waitFor({ state: 'detached' });
    await same(/That was the last of 1 steps\.[\s\S]*1, 2, 3, 4[\s\S]*Idle/);
    expect(await dashboard.hasFocus(dashboard.composer)).toBe(true);
    expect(await dashboard.composer.inputValue()).toBe('Written while it was cut off.');
  });

  it('goes on from the dashboard with what was written there, and keeps what was written in the window', async () => {
    await dashboard.composer.press('Enter');
    await same(/Written while it was cut off\.[\s\S]*Idle/);
    expect(await tray.composer.inputValue()).toBe('');
    await tray.composer.fill('Written in the window.');
    await dashboard.send('Write it again.', `step: edit: ${join(project, 'notes.txt')} | new | newest`);
    await tray.question('Edit notes.txt?').waitFor();
    await same('Edit notes.txt?');
    await dashboard.answer('Edit notes.txt?', '1');
    await tray.question('Edit notes.txt?').waitFor({ state: 'detached' });
    await same(/That was the last of 1 steps\.[\s\S]*Idle/);
    expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('The newest words.\n');
    expect(await tray.composer.inputValue()).toBe('Written in the window.');
    const foot = await tray.foot.textContent();
    await tray.page.reload();
    await tray.foot.waitFor();
    await same(/That was the last of 1 steps\.[\s\S]*Idle/);
    expect(await tray.foot.textContent()).toBe(foot);
    expect(window.asked.faults).toEqual([]);
  });

  it('takes one of two answers that are given at once, and shows the same in both', async () => {
    const file = join(project, 'race.txt');
    const prompt = 'Who is first?';
    await tray.send(prompt, `step: write: ${file} | Written once.`);
    const asked = [tray, dashboard].map((each) => each.question('Create race.txt?'));
    for (const question of asked) {
      const button = question.locator('footer button').last();
      await until(async () => (await button.isVisible()) && (await button.getAttribute('aria-disabled')) !== 'true');
    }
    const given: unknown[] = [];
    const stop = window.stack.app.listen((event: AppEvent) => {
      if (event.event === 'session-event' && event.entry.kind === 'answered') given.push(event.entry.event);
    });
    await Promise.all([tray, dashboard].map(({ page }) => page.keyboard.press('Control+.')));
    for (const each of [tray, dashboard]) await until(() => each.hasFocus(each.question('Create race.txt?')));
    await Promise.all([tray.page.keyboard.press('1'), dashboard.page.keyboard.press('3')]);
    await same(/Who is first\?[\s\S]*Idle/);
    for (const question of asked) await question.waitFor({ state: 'detached' });
    stop();
    const isAllowed = existsSync(file);
    expect(given).toMatchObject([{ by: 'person', answer: { answer: isAllowed ? 'allow' : 'deny' } }]);
    expect(window.asked.faults).toEqual([]);
  });

  it('opens beside the tab by Ctrl and a click, by the middle button and from the menu, and stays where it is', async () => {
    const row = dashboard.page.getByTestId(/^session-row-/).first();
    const { address } = dashboard;
    await dashboard.go('#/sessions');
    const opens: (() => Promise<void>)[] = [
      () => row.click({ modifiers: ['Control'] }),
      () => row.click({ button: 'middle' }),
      async () => {
        await row.click({ button: 'right' });
        await dashboard.page.getByRole('menuitem', { name: 'Open in a new tab' }).click();
      },
    ];
    for (const open of opens) {
      const [tab] = await Promise.all([dashboard.page.context().waitForEvent('page'), open()]);
      const beside = new SessionsPage(tab);
      await beside.transcript.getByText('Written while it was cut off.').first().waitFor();
      expect([beside.address, dashboard.address]).toEqual([address, '#/sessions']);
      await tab.close();
    }
    await tray.page
      .getByTestId(/^session-row-/)
      .first()
      .click({ modifiers: ['Control'] });
    await until(() => window.asked.opened.includes(address));
  });
});

/** All that a page shows of sessions but for its own field: rows, conversation, question, lines of the dock, foot. */
function shownIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const dock = ['question', 'tasks'].map((name) => `[data-testid=${name}]`);
    const lines = ['queue', 'steer'].map((name) => `[data-testid^=${name}-]`);
    const parts = [
      '[data-testid^=session-row-]',
      '[data-testid=transcript]',
      ...dock,
      ...lines,
      'footer.panes_session-foot',
    ];
    const texts = parts.flatMap((part) =>
      [...document.querySelectorAll<HTMLElement>(part)].map((element) => element.innerText),
    );
    // Seconds that count up are not in step.
    return texts.join('\n').replaceAll(/\d+(\.\d)? s\b/g, '… s');
  });
}
