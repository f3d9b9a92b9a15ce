import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { nodeClock } from '../../app/adapters/clock.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { openHistory } from '../../app/history/history.ts';
import type { Secrets } from '../../app/ports.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { pathsIn, type Stack, type StackOptions, startStack } from '../app/stack.ts';
import { launchForShortPages } from '../chromium.ts';
import { patienceMs } from '../soon.ts';
import { axeFindings } from './axe-findings.ts';

/** The page as `npm run build` leaves it. */
const built = join(import.meta.dirname, '..', '..', 'dist', 'renderer');

export interface DashboardOptions extends StackOptions {
  /** What the history holds before the app starts. */
  past?: readonly Exchange[];
  /** A history.db that is none. */
  damagedHistory?: boolean;
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  /** The address within the page: `#/requests?q=…` */
  at?: string;
}

/** The real app against the simulator, and its dashboard in a real browser. Every complaint of the page is kept. */
export class Dashboard {
  readonly stack: Stack;
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page said on its console, and errors it did not catch. */
  readonly complaints: string[];
  readonly #browser: Browser;
  readonly #home: string;

  private constructor(parts: {
    stack: Stack;
    page: Page;
    context: BrowserContext;
    browser: Browser;
    home: string;
    complaints: string[];
  }) {
    this.stack = parts.stack;
    this.page = parts.page;
    this.context = parts.context;
    this.complaints = parts.complaints;
    this.#browser = parts.browser;
    this.#home = parts.home;
  }

  static async open(options: DashboardOptions = {}): Promise<Dashboard> {
    const {
      past = [],
      damagedHistory = false,
      width = 1200,
      height = 800,
      colorScheme = 'light',
      at = '',
      ...stackOptions
    } = options;
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-dashboard-'));
    if (damagedHistory) writeFileSync(pathsIn(home).history, 'this is no database, '.repeat(500));
    else writePast(home, past);
    const stack = await startStack({
      secrets: keychainWith(fakeGithubToken),
      ...stackOptions,
      home,
      app: { ...stackOptions.app, dashboard: built },
    });
    const browser = await launchForShortPages('--force-color-profile=srgb');
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'info' && message.type() !== 'log')
        complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    const dashboard = new Dashboard({ stack, page, context, browser, home, complaints });
    const { dashboardUrl } = await stack.app.startProxy();
    await page.goto(`${dashboardUrl}${at}`);
    return dashboard;
  }

  /** What axe finds wrong, by rule and element. */
  axe(): Promise<string[]> {
    return axeFindings(this.page);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.stack.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Secrets as on a desktop: no banner about a missing keychain. Signed out without a token. */
export function keychainWith(token: string | null): Secrets {
  const memory = memorySecrets(token === null ? {} : { 'github-token': token });
  return {
    storage: 'keychain',
    status: () => memory.status(),
    get: (name) => memory.get(name),
    set: (name, value) => memory.set(name, value),
    delete: (name) => memory.delete(name),
  };
}

function writePast(home: string, past: readonly Exchange[]): void {
  if (past.length === 0) return;
  const { history } = openHistory(pathsIn(home).history, { clock: nodeClock(), log: { write: () => undefined } });
  for (const exchange of past) history.record(exchange);
  history.close();
}
