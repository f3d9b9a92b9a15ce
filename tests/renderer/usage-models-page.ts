import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { nodeClock } from '../../app/adapters/clock.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { openHistory } from '../../app/history/history.ts';
import { classNameOf } from '../../scripts/lib/class-names.ts';
import { type Stack, type StackOptions, startStack } from '../app/stack.ts';
import { KeptPages } from '../kept-pages.ts';
import { patienceMs } from '../soon.ts';
import { busyDays } from './example-exchanges.ts';

export interface BuiltDashboard {
  folder: string;
  remove(): void;
}

/** The dashboard as `npm test` has built it; elsewhere it is built from its source into a folder of its own. */
export async function buildDashboard(): Promise<BuiltDashboard> {
  const cli = process.env.JUMPSEAT_TEST_CLI;
  if (cli !== undefined) return { folder: join(dirname(cli), '..', 'renderer'), remove: () => {} };
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  const outDir = mkdtempSync(join(tmpdir(), 'jumpseat-dashboard-'));
  await build({
    configFile: false,
    root: join(import.meta.dirname, '../../renderer'),
    base: './',
    publicDir: false,
    logLevel: 'error',
    css: { modules: { generateScopedName: classNameOf } },
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'chrome140', minify: false },
  });
  return { folder: outDir, remove: () => rmSync(outDir, { recursive: true, force: true }) };
}

export interface Shown {
  stack: Stack;
  page: Page;
  /** What the browser refused by the page's policy, and errors of the page. */
  complaints: string[];
  close(): Promise<void>;
}

export interface ShowOptions {
  dashboard: string;
  browser: Browser;
  place: string;
  rows?: readonly Exchange[];
  stack?: StackOptions;
  context?: BrowserContextOptions;
  /** Before the page is opened. */
  before?: (stack: Stack) => Promise<void>;
}

const pages = new KeptPages({ viewport: { width: 1200, height: 800 } }, (page) => {
  page.context().setDefaultTimeout(patienceMs);
  const heard: { complaints: string[] } = { complaints: [] };
  page.on('pageerror', (error) => heard.complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|violates/i.test(message.text())) heard.complaints.push(message.text());
  });
  return heard;
});

/** The real app with this history, and a real browser that came in by its one-time link. */
export async function show(options: ShowOptions): Promise<Shown> {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-page-'));
  const silent = { write: () => {} };
  const { history } = openHistory(join(home, 'history.db'), { clock: nodeClock(), log: silent });
  for (const row of options.rows ?? []) history.record(row);
  history.close();
  const stack = await startStack({
    home,
    ...options.stack,
    app: {
      dashboard: options.dashboard,
      // The sessions of whoever runs the tests are not the person's.
      environment: { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') },
      ...options.stack?.app,
    },
  });
  await options.before?.(stack);
  const { page, beside: heard } = await pages.open(options.browser, options.context);
  const complaints: string[] = [];
  heard.complaints = complaints;
  const { dashboardUrl } = await stack.app.startProxy();
  await page.goto(`${dashboardUrl}#/${options.place}`);
  // Its keys work from then on.
  await page.locator('main').first().waitFor();
  return {
    stack,
    page,
    complaints,
    close: async () => {
      await pages.close(page);
      await stack.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A month of work until `until`: busier on weekdays, with each kind of charge. */
export function monthOfWork(until: number, days = 20): Exchange[] {
  const rows: Exchange[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const evening = new Date(until);
    evening.setDate(evening.getDate() - back);
    if (back > 0) evening.setHours(18, 30, 0, 0);
    const weekend = evening.getDay() === 0 || evening.getDay() === 6;
    const count = weekend ? 4 + back : 40 + ((back * 37) % 90);
    for (const row of busyDays(count, evening.getTime())) {
      rows.push({
        ...row,
        id: `${back}-${row.id}`,
        session: row.session === null ? null : `${(0x7f3a + back * 977).toString(16)}${row.session.slice(4)}`,
      });
    }
  }
  return rows;
}
