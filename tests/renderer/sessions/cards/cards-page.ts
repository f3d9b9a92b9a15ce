import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { expect } from 'vitest';
import type { Session } from '../../../../app/api/sessions.ts';
import { classNameOf } from '../../../../scripts/lib/class-names.ts';
import { launchForShortPages } from '../../../chromium.ts';
import { axeViolations, without } from '../../../e2e/axe-findings.ts';
import { KeptPages } from '../../../kept-pages.ts';
import { patienceMs, soon } from '../../../soon.ts';
import type { Given } from './page.tsx';

const address = 'https://cards.test/';
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const unset = { wanted: null, applied: null };
const cost = { nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 1, agent: 1 };

export const session: Session = {
  ...{ id: 's1', agent: 'claude', cwd: '/home/me/parcel-api', directories: [], title: 'Dates', state: 'waiting' },
  ...{ turnId: 't1', outcome: null, problem: null, questions: 1, tasks: [], queue: [], isQueuePaused: false },
  ...{ model: unset, effort: unset, mode: unset, context: null, cost: { ...cost, input: 0, cached: 0, output: 0 } },
  ...{ pinned: false, createdAt: 0, sentAt: 0, endedAt: null, seenAt: null, isDismissed: false },
  ...{ parent: null, isBack: false, cutTurns: 0 },
};

/** Cards and changes on a page of their own, over a host that says what a test gives it. */
export class CardPages {
  readonly #folder = mkdtempSync(join(tmpdir(), 'jumpseat-cards-'));
  #browser: Browser | null = null;
  readonly #pages = new KeptPages({ viewport: { width: 760, height: 800 } }, (page) => this.#prepare(page));
  readonly #open: Page[] = [];
  readonly complaints: string[] = [];

  async start(): Promise<void> {
    const building = build({
      ...{ configFile: false, root: import.meta.dirname, base: './', publicDir: false, logLevel: 'error' },
      css: { modules: { generateScopedName: classNameOf } },
      plugins: [react()],
      build: { outDir: this.#folder, emptyOutDir: true, target: 'chrome140', minify: false },
    });
    [this.#browser] = await Promise.all([launchForShortPages(), building]);
  }

  /** `isTimeHeld`: no timer of the page runs before `page.clock.resume()`. */
  async open(given: Partial<Given>, { isTimeHeld = false } = {}): Promise<Page> {
    if (this.#browser === null) throw new Error('There is no browser yet.');
    const { page, beside } = await this.#pages.open(this.#browser, isTimeHeld ? {} : undefined);
    this.#open.push(page);
    beside.given = { session, questions: [], answers: {}, fails: [], shows: 'question', ...given };
    if (isTimeHeld) {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
    }
    await page.goto(address);
    return page;
  }

  async #prepare(page: Page): Promise<{ given: Given | null }> {
    const beside: { given: Given | null } = { given: null };
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => this.complaints.push(error.message));
    await page.route(`${address}**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
      if (name === 'given.js') {
        const body = `window.given = ${JSON.stringify(beside.given)};`;
        return route.fulfill({ body, contentType: 'text/javascript' });
      }
      const body = await readFile(join(this.#folder, name)).catch(() => null);
      if (body === null) await route.fulfill({ status: 404 });
      else await route.fulfill({ body, contentType: types[extname(name)] ?? 'text/plain' });
    });
    return beside;
  }

  async closeAll(): Promise<void> {
    for (const page of this.#open.splice(0)) await this.#pages.close(page);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What was given to one call, each time it was made. */
export async function given(page: Page, call: string): Promise<unknown[]> {
  const asked = await page.evaluate(() => window.asked);
  return asked.filter(([name]) => name === call).map(([, first]) => first);
}

/** What of an element's words a person sees: those that nothing around them cuts off. */
export function wordsInSight(locator: Locator): Promise<string> {
  return locator.evaluate((element) => {
    const clips: DOMRect[] = [new DOMRect(0, 0, window.innerWidth, window.innerHeight)];
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') clips.push(at.getBoundingClientRect());
    }
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let seen = '';
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent?.closest('.sr') != null) continue;
      const own = parent === null || parent === element ? [] : [parent.getBoundingClientRect()];
      for (const [at, letter] of [...(node.textContent ?? '')].entries()) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const isIn = [...clips, ...own].every(
          (clip) =>
            left >= clip.left - 1 && right <= clip.right + 1 && top >= clip.top - 1 && bottom <= clip.bottom + 1,
        );
        if (isIn) seen += letter;
      }
    }
    return seen;
  });
}

/** Until the buttons of the card do something. */
export async function armed(page: Page): Promise<void> {
  await page.locator('.questions_ask-foot .button[aria-disabled="false"]').first().waitFor();
}

/** Until a question was given this answer. */
export function answered(page: Page, question: string, answer: object): Promise<void> {
  return soon(async () =>
    expect(await given(page, 'answerQuestion')).toContainEqual({ session: 's1', question, answer }),
  );
}

/** Axe finds nothing in the page. */
export async function isSound(page: Page): Promise<void> {
  const violations = await axeViolations(page, without('region', 'page-has-heading-one'));
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
