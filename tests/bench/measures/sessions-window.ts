import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '../../chromium.ts';
import { type Figure, quantile, shown } from '../figures.ts';
import { heapMiB, longestTaskOf } from '../page.ts';
import type { SessionWindowReady } from '../session-window-app.ts';
import type { Measure } from './measure.ts';

const app = fileURLToPath(new URL('../session-window-app.ts', import.meta.url));
const sessionCount = 2_000;
const messageCount = 10_000;
const perSecond = 200;

/** What the page notes about itself. Put in before its own code, so it can't use anything of it. */
interface Notes {
  /** From each key press to its handler, ms. */
  delays: number[];
  /** The sum of all layout shifts that no key or click brought about. */
  shift: number;
}

/** The view of sessions in a real browser: a long list, a long conversation, and one that streams. */
export const sessionsWindow: Measure = {
  title: 'Sessions in a browser',
  async run({ quick }) {
    const browser = chromiumPath() === null ? null : await launchChromium();
    if (browser === null) return [figure('not measured: there is no Chromium', 0, '', null)];
    const product = fork(app, [String(messageCount), String(sessionCount)], { execArgv: [] });
    try {
      const [ready] = await once(product, 'message');
      const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
      await context.addInitScript(takeNotes);
      const page = await context.newPage();
      return await measured(page, ready, quick);
    } finally {
      await browser.close();
      const gone = once(product, 'exit');
      product.disconnect();
      await gone;
    }
  },
};

const figure = (name: string, value: number, unit: Figure['unit'], limit: number | null, beside = ''): Figure => {
  return { name, value, unit, limit, beside, repeats: 'least' };
};

function takeNotes(): void {
  const notes: Notes = { delays: [], shift: 0 };
  Reflect.set(globalThis, 'notes', notes);
  addEventListener('keydown', ({ timeStamp }) => notes.delays.push(performance.now() - timeStamp), { capture: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, 'hadRecentInput') !== true) notes.shift += Number(Reflect.get(entry, 'value'));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const notesOf = (page: Page): Promise<Notes> => page.evaluate((): Notes => Reflect.get(globalThis, 'notes'));

/** From a change of the address to the frame that shows an element with these words, ms. */
function timeTo(page: Page, hash: string, selector: string, words: string): Promise<number> {
  return page.evaluate(
    ([hash = '', selector = '', words = '']) =>
      new Promise<number>((resolve, reject) => {
        const began = performance.now();
        const late = setTimeout(() => reject(new Error(`${selector} did not come`)), 30_000);
        const look = (): void => {
          const found = document.querySelector(selector)?.textContent?.includes(words) === true;
          if (!found) return;
          clearTimeout(late);
          watch.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
        };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
        location.hash = hash;
        look();
      }),
    [hash, selector, words],
  );
}

async function measured(page: Page, ready: SessionWindowReady, quick: boolean): Promise<Figure[]> {
  const { dashboardUrl, session, last } = ready;
  await page.goto(dashboardUrl);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // The code of the view comes with its first opening.
  const first = await timeTo(page, '#/sessions', '[data-testid="session-list"]', 'prompt');
  await timeTo(page, '#/requests', 'h1', 'Requests');
  const list = await timeTo(page, '#/sessions', '[data-testid="session-list"]', 'prompt');
  const opened = await timeTo(page, `#/sessions/${session}`, '[data-testid="transcript"]', last);
  await timeTo(page, '#/sessions', 'h1', 'Sessions');
  const again = await timeTo(page, `#/sessions/${session}`, '[data-testid="transcript"]', last);

  const transcript = page.getByTestId('transcript');
  await transcript.hover();
  const turns = quick ? 60 : 300;
  const scroll = await longestTaskOf(page, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, turn % 3 === 0 ? -20_000 : -400);
      await pause(16);
    }
  });
  const read = await readWhole(page);
  const streamed = await streaming(page, quick);
  const heap = await heapMiB(page);
  await page.context().close();
  return [
    figure(`list of ${sessionCount} sessions`, list, 'ms', 300, `with the code of the view ${shown(first, 'ms')}`),
    figure(`a conversation of ${messageCount} messages is there`, opened, 'ms', 1_000, 'its end, drawn'),
    figure('the same again', again, 'ms', null, 'goal: 50 ms'),
    figure(
      'longest task while scrolling through it',
      scroll.cpu,
      'ms',
      50,
      `CPU time of the main thread, over ${turns} turns of the wheel; by the clock ${shown(scroll.clock, 'ms')}`,
    ),
    figure(
      `input delay at ${perSecond} updates a second, 95 %`,
      quantile(streamed.delays, 0.95),
      'ms',
      16,
      `${streamed.delays.length} keys; longest ${shown(Math.max(...streamed.delays), 'ms')}`,
    ),
    figure('layout shift of what is read meanwhile', streamed.shift, '', 0),
    figure('heap of the page with all of it', heap, 'MiB', 120, `read in ${shown(read, 'ms')}`),
  ];
}

/** To its first message, ms: older ones are read as a person comes near them. */
async function readWhole(page: Page): Promise<number> {
  const began = performance.now();
  const transcript = page.getByTestId('transcript');
  await transcript.hover();
  while (!(await transcript.textContent())?.includes('Message 1 says')) {
    if (performance.now() - began > 60_000) throw new Error('the first message of the conversation did not come');
    await page.mouse.wheel(0, -1_000_000);
    await pause(50);
  }
  return performance.now() - began;
}

/** Words stream into the conversation while a person reads further up, and writes. */
async function streaming(page: Page, quick: boolean): Promise<Notes> {
  const transcript = page.getByTestId('transcript');
  await transcript.focus();
  await page.keyboard.press('End');
  const composer = page.getByTestId('composer');
  await composer.fill(`stream ${perSecond} words`);
  await page.keyboard.press('Enter');
  await transcript.getByText('word 39').first().waitFor();
  await transcript.hover();
  await page.mouse.wheel(0, -3_000);
  await pause(500);
  const before = await notesOf(page);
  await composer.focus();
  const began = performance.now();
  while (performance.now() - began < (quick ? 3_000 : 10_000)) {
    await page.keyboard.press('a');
    await pause(60);
  }
  const after = await notesOf(page);
  return { delays: after.delays.slice(before.delays.length), shift: after.shift - before.shift };
}
