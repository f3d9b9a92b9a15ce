import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { until } from '../soon.ts';
import { Chromium } from './chromium-window.ts';

/** The keys of the whole view, in the window and in a browser. */
const id = '00000000-0000-4000-8000-000000000003';
let chromium: Chromium;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
afterEach(async () => expect(await chromium.closeWindows()).toEqual([]));
afterAll(() => chromium?.close());

describe.each([
  { as: 'tray' as const, newSession: 'Control+n', goTo: 'Control+p', named: 'Ctrl+N' },
  { as: 'dashboard' as const, newSession: 'Alt+n', goTo: 'Alt+p', named: 'Alt+N' },
])('in the $as', ({ as, newSession, goTo, named }) => {
  async function open(): Promise<Page> {
    const agent = new FakeAgent();
    const { page } = await chromium.window({
      ...{ as, secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, app: { agents: [agent] } },
      at: `#/sessions/${id}`,
      before: async ({ app, home }) => {
        await app.trustFolder(home);
        await app.newSession({ id, cwd: home, agent: 'claude', title: 'Retries', choices: {} });
        await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Go' }] });
      },
    });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    return page;
  }
  const at = (page: Page): string => new URL(page.url()).hash;

  it('they work where something is written too, are named, and are listed', async () => {
    const page = await open();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.click();
    await page.keyboard.press('Control+d');
    await page.getByTestId('changes').waitFor();
    await page.keyboard.press('Control+d');
    await page.getByTestId('changes').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+b');
    await page.getByTestId('session-list').waitFor({ state: 'detached' });
    const back = page.getByRole('button', { name: 'All sessions' });
    expect(await back.getAttribute('aria-keyshortcuts')).toBe('Control+B');
    await page.keyboard.press('Control+b');
    await page.getByTestId('session-list').waitFor();
    await page.keyboard.press('Control+Shift+o');
    await page.getByRole('menu', { name: 'Model' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await field.evaluate((shown) => shown === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find in conversation' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press(goTo);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');

    await field.click();
    await page.keyboard.type('?');
    expect(await field.inputValue()).toBe('?');
    await page.getByTestId('transcript').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText(named, { exact: true }).waitFor();
    await keys.getByRole('checkbox').uncheck();
    await keys.getByRole('button', { name: 'Close' }).click();
    await page.getByTestId('transcript').focus();
    await page.keyboard.press('?');
    await page.keyboard.press('/');
    expect(await keys.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT');

    const begin = page.getByRole('button', { name: 'New session', exact: true });
    expect(await begin.getAttribute('title')).toBe(`New session (${named})`);
    await page.keyboard.press(newSession);
    await until(() => at(page) === '#/sessions/new');
  });

  it('lead to the list and back, and out of the changes, where one pane fits', async () => {
    const page = await open();
    await page.setViewportSize({ width: 720, height: 480 });
    const field = page.getByRole('textbox', { name: 'Message' });
    // A key counts once what it is for has the focus.
    const focused = (what: Locator) => what.and(page.locator(':focus')).waitFor();
    const list = page.getByRole('treegrid', { name: 'Sessions' });
    await field.click();
    await page.keyboard.press('Control+b');
    await focused(list);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(() => at(page) === `#/sessions/${id}`);
    await field.click();
    await page.keyboard.press('Control+b');
    await focused(list);
    await page.keyboard.press('Control+b');
    await until(() => at(page) === `#/sessions/${id}`);
    await focused(field);
    await page.keyboard.type('Goes on');
    expect(await field.inputValue()).toBe('Goes on');

    const changes = page.getByTestId('changes');
    await page.keyboard.press('Control+d');
    await changes.waitFor();
    await page.keyboard.press('Escape');
    await changes.waitFor({ state: 'detached' });
    await focused(field);
    await page.keyboard.type(' here');
    expect(await field.inputValue()).toBe('Goes on here');
    await page.keyboard.press('Control+d');
    await changes.waitFor();
    await page.keyboard.press('Control+b');
    await focused(list);
    await page.keyboard.press('Control+b');
    await list.waitFor({ state: 'detached' });
    await changes.waitFor();
    await page.keyboard.press('Escape');
    await focused(field);

    await page.keyboard.press('Control+d');
    await changes.waitFor();
    await page.keyboard.press(as === 'tray' ? 'Control+Shift+e' : 'Alt+Shift+e');
    await page.getByRole('dialog', { name: 'Templates' }).waitFor();
    expect(await changes.count()).toBe(0);
  });
});
