import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { nodeClock } from '../../app/adapters/clock.ts';
import { openHistory } from '../../app/history/history.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { busyDays } from '../renderer/example-exchanges.ts';
import type { Client } from './client.ts';
import { type Figure, median, quantile, shown } from './figures.ts';
import type { Measure } from './measures/measure.ts';
import { heapMiB, type LongestTask, longestTaskOf } from './page.ts';
import type { Bench, Product } from './processes.ts';
import { nativeModel, smallRequest } from './requests.ts';

const assets = fileURLToPath(new URL('../../dist/renderer/assets', import.meta.url));
const rowCount = 100_000;
const perSecond = 500;
/** A machine that can't carry so many gets fewer, and the row says how many. */
const mostAtOnce = 64;
const megabyte = 1e6 / 2 ** 20;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the page notes about itself. Put in before its own code, so it can't use anything of it. */
interface Notes {
  /** When the first row of the list was there, ms after the navigation began. */
  firstRow: number | null;
  /** From each key press to its handler, ms. */
  delays: number[];
  /** From each input of the search field to the frame that shows another foot, ms. */
  answers: number[];
}

/** The dashboard in a real browser with a hundred thousand requests behind it, and while many new ones come. */
export const window: Measure = {
  title: 'Window in a browser',
  async run({ bench, client, quick }) {
    const browser = chromiumPath() === null ? null : await launchChromium();
    if (browser === null) return [notMeasured('there is no Chromium')];
    const home = mkdtempSync(join(bench.folder, 'window-'));
    await writeHistory(join(home, 'history.db'));
    const product = await bench.startProduct({ home });
    try {
      return await measured(browser, product, { bench, client, quick });
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

async function measured(
  browser: Browser,
  product: Product,
  { bench, client, quick }: { bench: Bench; client: Client; quick: boolean },
): Promise<Figure[]> {
  const door = await newContext(browser);
  const entrance = await door.newPage();
  await entrance.goto(product.dashboardUrl);
  const address = entrance.url().split('#')[0] ?? '';
  const storageState = await door.storageState();
  await door.close();

  const paints: number[] = [];
  const firstRows: number[] = [];
  let page: Page | null = null;
  for (let round = 0; round < (quick ? 2 : 4); round += 1) {
    await page?.context().close();
    page = await (await newContext(browser, storageState)).newPage();
    await page.goto(`${address}#/requests`);
    await page.locator('.requests_row').first().waitFor();
    paints.push(await paintOf(page));
    firstRows.push((await notesOf(page)).firstRow ?? Number.NaN);
  }
  if (page === null) return [];
  const scripts = await scriptsOf(page);
  const began = performance.now();
  await page.getByText(`${rowCount.toLocaleString('en')} requests`).waitFor({ timeout: 90_000 });
  const whole = performance.now() - began;
  const held = await heapMiB(page);

  const filters = await filterAnswers(page, quick);
  const scroll = await scrollThrough(page, quick);
  const storm = await manyNew(page, product, { bench, client, seconds: quick ? 3 : 10 });
  const heldThen = await heapMiB(page);
  await page.context().close();
  return [
    figure(
      'window: first paint',
      median(paints),
      'ms',
      1000,
      `a new browser profile each time; longest ${shown(Math.max(...paints), 'ms')}`,
    ),
    figure(
      `window: usable with ${rowCount.toLocaleString('en')} rows`,
      median(firstRows),
      'ms',
      1000,
      `the newest rows are there; all of them were read ${shown(whole, 'ms')} later`,
    ),
    figure(
      'window: answer to a filter',
      median(filters),
      'ms',
      150,
      `from the key to the frame, over all rows; longest ${shown(Math.max(...filters), 'ms')}`,
    ),
    figure(
      'window: longest task while scrolling',
      scroll.cpu,
      'ms',
      50,
      `CPU time of the main thread, over ${scroll.turns} turns of the wheel through all rows; by the clock ` +
        `${shown(scroll.clock, 'ms')}`,
    ),
    figure(
      'window: input delay while many come, 95 %',
      quantile(storm.delays, 0.95),
      'ms',
      100,
      `${Math.round(storm.rate)} new requests a second; median ${shown(median(storm.delays), 'ms')}, ` +
        `longest ${shown(Math.max(...storm.delays), 'ms')}`,
    ),
    figure(
      'window: heap of the page',
      heldThen,
      'MiB',
      150 * megabyte,
      `after all that; before the new ones ${shown(held, 'MiB')}`,
    ),
    downloaded(scripts),
  ];
}

function figure(name: string, value: number, unit: Figure['unit'], limit: number, beside: string): Figure {
  return { name, value, unit, limit, beside, repeats: 'least' };
}

function notMeasured(reason: string): Figure {
  return { name: `not measured: ${reason}`, value: 0, unit: '', limit: null, beside: '', repeats: 'least' };
}

/** What a browser loads of code to show the list of requests. What other views need comes when they are opened. */
function downloaded(names: readonly string[]): Figure {
  const sizes = names.map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  const sum = sizes.reduce((all, size) => all + size, 0);
  return figure(
    'window: JavaScript, compressed',
    sum / 1000,
    'kB',
    250,
    `${sizes.length} files of ${assets.split('/').slice(-3).join('/')}`,
  );
}

async function writeHistory(path: string): Promise<void> {
  const { history } = openHistory(path, { clock: nodeClock(), log: { write: () => {} } });
  // As many as are written in one go without anything else having to wait for long.
  for (const [index, row] of busyDays(rowCount, Date.now() - 60_000).entries()) {
    history.record(row);
    if (index % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
  }
  history.close();
}

async function newContext(
  browser: Browser,
  storageState?: Awaited<ReturnType<BrowserContext['storageState']>>,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    ...(storageState !== undefined && { storageState }),
  });
  await context.addInitScript(() => {
    const notes: Notes = { firstRow: null, delays: [], answers: [] };
    Reflect.set(globalThis, 'notes', notes);
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        notes.delays.push(performance.now() - timeStamp);
      },
      { capture: true },
    );
    let asked: number | null = null;
    addEventListener(
      'input',
      ({ timeStamp }) => {
        asked = timeStamp;
      },
      { capture: true },
    );
    const watch = new MutationObserver(() => {
      if (notes.firstRow === null && document.querySelector('.requests_row') !== null)
        notes.firstRow = performance.now();
      if (asked === null) return;
      const foot = document.querySelector('.list-foot')?.textContent ?? '';
      if (foot === Reflect.get(globalThis, 'foot')) return;
      const from = asked;
      asked = null;
      requestAnimationFrame(() => notes.answers.push(performance.now() - from));
    });
    addEventListener('DOMContentLoaded', () =>
      watch.observe(document.body, { childList: true, subtree: true, characterData: true }),
    );
  });
  return context;
}

function notesOf(page: Page): Promise<Notes> {
  return page.evaluate((): Notes => Reflect.get(globalThis, 'notes'));
}

/** Names of the files of code that the page has loaded. */
function scriptsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname.split('/').at(-1) ?? '')
        .filter((name) => name.endsWith('.js')),
    ),
  ]);
}

function paintOf(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
  );
}

/** Each of these narrows all rows anew. */
const queries = [
  'model:haiku',
  'is:error',
  'initiator:user',
  'credits:>5',
  'agent:Explore',
  'Tool results',
  'took:>20s',
  'is:cut',
];

async function filterAnswers(page: Page, quick: boolean): Promise<number[]> {
  const field = page.getByRole('combobox');
  for (const query of quick ? queries.slice(0, 4) : queries) {
    for (const text of [query, '']) {
      await field.focus();
      await field.selectText();
      await page.evaluate(() => Reflect.set(globalThis, 'foot', document.querySelector('.list-foot')?.textContent));
      const before = (await notesOf(page)).answers.length;
      if (text === '') await page.keyboard.press('Delete');
      else await page.keyboard.insertText(text);
      for (let waited = 0; (await notesOf(page)).answers.length === before && waited < 100; waited += 1)
        await pause(20);
    }
  }
  return (await notesOf(page)).answers;
}

async function scrollThrough(page: Page, quick: boolean): Promise<LongestTask & { turns: number }> {
  const grid = page.getByTestId('request-grid');
  await grid.hover();
  await grid.focus();
  await page.keyboard.press('Home');
  await pause(300);
  const turns = quick ? 60 : 150;
  const longest = await longestTaskOf(page, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      // Slowly at first, then in leaps, as one looks for something.
      await page.mouse.wheel(0, turn % 3 === 0 ? 30_000 : 400);
      await pause(16);
    }
    await pause(200);
  });
  return { ...longest, turns };
}

/** New requests at an even pace, each through the proxy and to its end, while somebody walks through the list. */
async function manyNew(
  page: Page,
  product: Product,
  { bench, client, seconds }: { bench: Bench; client: Client; seconds: number },
): Promise<{ delays: number[]; rate: number }> {
  await bench.script({ events: 8, pace: 'burst' });
  await page.getByTestId('request-grid').focus();
  await page.keyboard.press('End');
  await pause(500);
  const before = (await notesOf(page)).delays.length;
  const make = smallRequest(nativeModel);
  const asked = new Set<Promise<void>>();
  let begun = 0;
  let ended = 0;
  const began = performance.now();
  const ask = async (): Promise<void> => {
    begun += 1;
    // One that a busy machine breaks off is missing from the rate.
    await client.ask(product.target, make()).then(
      () => (ended += 1),
      () => undefined,
    );
  };
  const timer = setInterval(() => {
    const due = Math.min(seconds * perSecond, ((performance.now() - began) / 1000) * perSecond);
    while (begun < due && asked.size < mostAtOnce) {
      const one: Promise<void> = ask().finally(() => asked.delete(one));
      asked.add(one);
    }
  }, 10);
  for (let key = 0; performance.now() - began < seconds * 1000; key += 1) {
    await page.keyboard.press(key % 2 === 0 ? 'ArrowUp' : 'ArrowDown');
    await pause(80);
  }
  const rate = ended / ((performance.now() - began) / 1000);
  clearInterval(timer);
  await Promise.all(asked);
  return { delays: (await notesOf(page)).delays.slice(before), rate };
}
