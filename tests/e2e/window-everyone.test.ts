import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prompt } from '../app/stack.ts';
import { busyDays } from '../renderer/example-exchanges.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { sideways, strangeColors } from './page-looks.ts';

/**
 * What a person has asked the system or the browser for: other colours, more contrast, no motion, larger text, other
 * spacing.
 */
let chromium: Chromium;
let window: ChromiumWindow;
let page: Page;
let gate: PromiseWithResolvers<void>;
const past = busyDays(24, Date.now() - 60_000);

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(async () => {
  gate = Promise.withResolvers<void>();
  window = await chromium.window({
    past,
    secrets: desktopSecrets(),
    settings: { version: 1, welcomedAt: 1 },
    // Styles of a person's own are none of the page's.
    context: { bypassCSP: true },
  });
  page = window.page;
});
afterEach(async () => {
  gate.resolve();
  expect(await chromium.closeWindows()).toEqual([]);
});
afterAll(() => chromium?.close());

const places = {
  Requests: '#/requests',
  details: `#/requests/${past.at(-2)?.id}`,
  Usage: '#/usage',
  Models: '#/models',
  Health: '#/health',
  Settings: '#/settings',
  'first run': '#/welcome',
} as const;

/** What is only there when the view has all it needs. */
const sign: Readonly<Record<keyof typeof places, string>> = {
  Requests: '.requests_row',
  details: '.detail_detail .charge, .detail_detail table',
  Usage: '.usage_usage-tree .usage_tree-row:not(.usage_tree-head)',
  Models: '[data-testid=model-row-opus]',
  Health: '.health_group',
  Settings: '.settings_settings-page [data-section=about]',
  'first run': '.first-run_step',
};

async function forEachPlace(look: (name: keyof typeof places) => Promise<void>): Promise<void> {
  for (const name of Object.keys(places)) {
    if (!isPlace(name)) continue;
    await window.go(places[name]);
    await page.locator(sign[name]).first().waitFor();
    await look(name);
  }
}

function isPlace(name: string): name is keyof typeof places {
  return Object.hasOwn(places, name);
}

/** A request that runs until the test ends: something to turn. */
async function keepBusy(): Promise<void> {
  window.stack.simulator.script.next({ kind: 'usual', gate: gate.promise });
  void window.stack.messages(prompt('hello')).catch(() => undefined);
  await page.locator('.requests_row[aria-busy=true] .ring').waitFor();
}

describe('contrast', () => {
  it.each(['light', 'dark'] as const)(
    'prefers-contrast: more has enough of it in %s, and stronger borders',
    async (colorScheme) => {
      const border = () => page.locator('.shell_proxy-card').evaluate((card) => getComputedStyle(card).borderTopColor);
      await page.emulateMedia({ colorScheme });
      await page.locator('.requests_row').first().waitFor();
      const before = await border();
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      expect(await border()).not.toBe(before);
      await forEachPlace(async (name) => {
        expect(await window.axe({ rules: ['color-contrast'] }), name).toEqual([]);
      });
    },
  );
});

describe('forced colours', () => {
  it('every icon and text has a colour of the system, and what is chosen an outline', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await page.locator('.requests_row').first().waitFor();
    await keepBusy();
    await forEachPlace(async (name) => {
      expect(await strangeColors(page), name).toEqual([]);
    });
    await window.go(places.details);
    const selected = page.locator('.requests_row[aria-selected=true]');
    await selected.waitFor();
    const outline = await selected.evaluate((row) => getComputedStyle(row).outlineStyle);
    expect(outline).toBe('solid');
    for (const meter of await page.locator('.meter').all()) {
      expect(await meter.evaluate((bar) => getComputedStyle(bar).borderTopStyle)).toBe('solid');
    }
  });
});

describe('motion', () => {
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target?.getAttribute('class') ?? '') : '')),
    );

  it('nothing moves where less of it is wished, also while a request runs', async () => {
    await keepBusy();
    await forEachPlace(async (name) => expect(await moving(), name).toEqual([]));
  });

  it('else nothing moves but what is under way', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.locator('.requests_row').first().waitFor();
    await keepBusy();
    await expect.poll(moving).toEqual([expect.stringContaining('ring')]);
    for (const place of [places.Usage, places.Models, places.Settings]) {
      await window.go(place);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(moving).toEqual([]);
    }
  });
});

describe('size', () => {
  it.each([
    ['720 × 480, the smallest window', 720, 480],
    ['zoom 200 % of 1200 × 800', 600, 400],
    ['an ultra-wide screen', 3440, 1440],
  ])('%s: nothing scrolls sideways, and no control is out of reach', async (_name, width, height) => {
    await page.setViewportSize({ width, height });
    await forEachPlace(async (name) => {
      await expect.poll(() => sideways(page), { message: name }).toEqual([]);
    });
  });

  it('spaced text as WCAG 1.4.12 asks for stays whole', async () => {
    await page.addStyleTag({
      content:
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em ' +
        '!important } p { margin-bottom: 2em !important }',
    });
    await forEachPlace(async (name) => {
      // A table of figures may be wider than its view then, and scrolls in it.
      const found = async () => (await sideways(page)).filter((text) => !text.includes('view-scroll models'));
      await expect.poll(found, { message: name }).toEqual([]);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main :is(button, h1, h2, p, label, .pill_pill), aside :is(a, b)')]
          .filter((element) => element.checkVisibility() && element.closest('.sr, .shell_skip') === null)
          .filter(
            (element) =>
              getComputedStyle(element).overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 2,
          )
          .map((element) => element.textContent),
      );
      expect(cut, name).toEqual([]);
    });
  });
});
