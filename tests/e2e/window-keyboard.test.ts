import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { busyDays } from '../renderer/example-exchanges.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';

/**
 * Each view with the keyboard alone: in, through everything that can be used, and out again; the focus is always seen
 * and comes back.
 */
let chromium: Chromium;
let window: ChromiumWindow;
let page: Page;
const past = busyDays(24, Date.now() - 60_000);
const usual = (): WindowOptions => ({ past, secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 } });

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => open(usual()));
afterEach(async () => {
  expect(await chromium.closeWindows()).toEqual([]);
});
afterAll(() => chromium?.close());

async function open(options: WindowOptions): Promise<void> {
  window = await chromium.window(options);
  page = window.page;
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Settings have the most: about 130. */
const mostStops = 250;

interface Stop {
  name: string;
  /** It has a ring of at least 2 px around it, and lies within the window. */
  seen: boolean;
}

function here(): Promise<Stop | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body) return null;
    const labelled = element.getAttribute('aria-label') ?? element.closest('label')?.textContent;
    const name = labelled || element.textContent?.trim() || element.getAttribute('title') || element.tagName;
    // The ring may be drawn by the box around a field.
    const rings = [element, element.parentElement, element.parentElement?.parentElement].flatMap((one) => one ?? []);
    const ringed = rings.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const inside = right > left && bottom > top && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    let isClipped = false;
    for (let one: Element | null = element; one !== null; one = one.parentElement)
      if (!one.matches('.shell_skip') && getComputedStyle(one).clipPath !== 'none') isClipped = true;
    return { name: name.replaceAll(/\s+/g, ' ').slice(0, 60), seen: ringed && inside && !isClipped };
  });
}

/** Every stop of the Tab key, from the top of the page until it leaves it or begins anew. */
async function walk(): Promise<Stop[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const stops: Stop[] = [];
  for (let count = 0; count < mostStops; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await here();
    if (stop === null || (stops.length > 2 && stop.name === stops[0]?.name)) break;
    stops.push(stop);
  }
  return stops;
}

const focused = () => here().then((stop) => stop?.name ?? null);

/** Presses Tab until it is there. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let count = 0; count < mostStops; count += 1) {
    const now = (await focused()) ?? '';
    if (typeof name === 'string' ? now === name : name.test(now)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name}.`);
}

describe('every stop of the Tab key is seen, and everything is reached', () => {
  it.each([
    ['#/requests', 'Requests', ['Pause list', 'Export', 'More actions', 'Requests']],
    ['#/usage', 'Usage', ['Today', 'This cycle', 'Export', 'Chart', 'Table']],
    ['#/models', 'Models', ['Refresh', 'Add override']],
    ['#/health', 'Health', ['Copy report', 'Check again', 'Checks']],
    ['#/settings', 'Settings', ['System', 'Open at login', 'Port', 'Replace key…', 'Sign out…']],
  ])('%s', async (at, title, wanted) => {
    await window.go(at);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    if (title === 'Health') await page.getByRole('button', { name: 'Check again', exact: true }).waitFor();
    if (title === 'Models') await page.getByTestId('model-row-opus').waitFor();
    if (title === 'Usage') await page.getByTestId('chart-split').waitFor();
    const stops = await walk();
    const names = stops.map(({ name }) => name);
    expect(names[0]).toBe(`Skip to ${title}`);
    expect(names).toEqual(expect.arrayContaining(['Proxy', 'Copy proxy address', ...wanted]));
    expect(stops.filter(({ seen }) => !seen)).toEqual([]);
  });
});

describe('the frame', () => {
  it('goes back and forward through its places, as a browser does', async () => {
    const title = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.keyboard.press('Control+3');
    await title('Usage');
    await page.keyboard.press('Control+4');
    await title('Models');
    for (const [key, name] of [
      ['Alt+ArrowLeft', 'Usage'],
      ['Alt+ArrowLeft', 'Requests'],
      ['Alt+ArrowRight', 'Usage'],
    ] as const) {
      // Where the page leaves it to Electron, it opens the menu bar.
      const released = page.evaluate(
        () =>
          new Promise((done) => {
            globalThis.addEventListener('keyup', (event) => event.key === 'Alt' && done(event.defaultPrevented));
          }),
      );
      await page.keyboard.press(key);
      await title(name);
      expect(await released).toBe(true);
      expect(await page.getByRole('navigation').locator('[aria-current="page"]').innerText()).toContain(name);
    }
  });

  it('shows beside its strip what is hidden in that while the keyboard is there', async () => {
    await page.setViewportSize({ width: 720, height: 480 });
    await page.getByTestId('quota').getByRole('meter').waitFor({ state: 'attached' });
    const stops = await walk();
    expect(stops.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Proxy', 'Copy proxy address', expect.stringContaining('left')]),
    );
    expect(stops.filter(({ seen }) => !seen)).toEqual([]);
  });

  it('the skip link leads into the view, shortcuts lead to places, and the menu gives the focus back', async () => {
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to Requests');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    for (const [key, title] of [
      ['2', 'Sessions'],
      ['3', 'Usage'],
      ['4', 'Models'],
      ['5', 'Health'],
      [',', 'Settings'],
      ['1', 'Requests'],
    ] as const) {
      await page.keyboard.press(`Control+${key}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    }
    await tabTo('Account octo-demo');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out…' }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Sign out…');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Account octo-demo');
  });

  it('a question is left by Esc, harmed nothing and gives the focus back; agreed to, it is done', async () => {
    await window.go('#/settings/account');
    await page.getByRole('button', { name: 'Sign out…' }).waitFor();
    await tabTo('Sign out…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign out of GitHub?' }).waitFor();
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Sign out…');
    expect(window.stack.app.state().account.kind).toBe('signed-in');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Sign out');
    await page.keyboard.press('Enter');
    await expect.poll(() => window.stack.app.state().account.kind).toBe('signed-out');
  });

  it('the proxy is switched by its key and by its switch', async () => {
    // A key turns over what the page shows, so it waits until that is so.
    const shown = (): Promise<string | null> =>
      page.getByRole('switch', { name: 'Proxy', exact: true }).getAttribute('aria-checked');
    await expect.poll(shown).toBe('true');
    await page.keyboard.press('Control+Shift+P');
    await expect.poll(() => window.stack.app.state().proxy.kind).toBe('off');
    await expect.poll(shown).toBe('false');
    await tabTo('Proxy');
    await page.keyboard.press('Space');
    await expect.poll(() => window.stack.app.state().proxy.kind).toBe('on');
    expect(await focused()).toBe('Proxy');
  });
});

describe('Usage', () => {
  it('the period is chosen, the chart read bar by bar, a session opened and closed', async () => {
    await window.go('#/usage');
    await page.getByTestId('chart-split').waitFor();
    await tabTo('Today');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByTestId('chart-split').waitFor();
    await tabTo(/^Credits by hour/);
    await page.keyboard.press('Home');
    await page.locator('.usage_chart-tip').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.usage_chart-tip').waitFor({ state: 'detached' });
    const first = page.getByRole('treegrid').locator('[aria-level="1"]').first();
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('Models', () => {
  it('an override is written, saved and taken away, and the form gives the focus back', async () => {
    await window.go('#/models');
    await page.getByTestId('model-row-opus').waitFor();
    await tabTo('Add override');
    await page.keyboard.press('Enter');
    await tabTo('Claude Code asks for');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Add override');
    await page.keyboard.press('Enter');
    await tabTo('Claude Code asks for');
    await page.keyboard.type('my-model');
    await page.keyboard.press('Tab');
    await page.keyboard.type('haiku-4.5');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo('Save override');
    await page.keyboard.press('Enter');
    await page.getByTestId('model-row-my-model').getByText('Your override').waitFor();
  });
});

describe('Settings', () => {
  it('a theme is chosen and a switch thrown; both are kept and in force', async () => {
    await window.go('#/settings');
    await page.getByRole('heading', { name: 'General' }).waitFor();
    await tabTo('Dark');
    await page.keyboard.press('Space');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(window.stack.app.preferences().theme).toBe('dark');
    await tabTo('Start the proxy with Jumpseat');
    await page.keyboard.press('Space');
    await expect.poll(() => window.stack.app.preferences().proxyOnAtStart).toBe(false);
    expect(await focused()).toBe('Start the proxy with Jumpseat');
  });

  it('a port that is none is refused below its field, which keeps the focus', async () => {
    await window.go('#/settings/proxy');
    await page.getByRole('heading', { name: 'General' }).waitFor();
    await tabTo('Port');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('80');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a number from 1024 to 65535.').waitFor();
    expect(await focused()).toBe('Port');
  });
});

describe('sign-in and first run', () => {
  it('a code is asked for, cancelled and asked for again', async () => {
    await chromium.closeWindows();
    await open({ ...usual(), secrets: desktopSecrets(null), at: '#/sign-in' });
    await page.getByTestId('device-code').waitFor();
    await tabTo('Copy code and open GitHub');
    await page.keyboard.press('Enter');
    await expect.poll(() => window.asked.acted).toEqual(['copy-code']);
    await tabTo('Cancel');
    await page.keyboard.press('Enter');
    await page.getByTestId('device-code').waitFor({ state: 'detached' });
    expect(window.stack.app.state().account.kind).toBe('signed-out');
  });

  it('the three steps are gone through', async () => {
    await chromium.closeWindows();
    await open({ secrets: desktopSecrets(null), at: '#/welcome', claude: '{}', simulator: { deviceInterval: 0 } });
    await tabTo('Sign in');
    await page.keyboard.press('Enter');
    await page.getByTestId('device-code').waitFor();
    window.stack.simulator.script.approve();
    await page.getByText(/^Signed in as octo-demo/).waitFor();
    await page.getByRole('button', { name: 'Add to settings' }).waitFor();
    await tabTo('Add to settings');
    await page.keyboard.press('Enter');
    await page.getByText(/Waiting for the first request/).waitFor();
    await tabTo('Finish later');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    expect(window.stack.app.preferences().welcomedAt).not.toBeNull();
  });
});
