import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { nodeClock } from '../../app/adapters/clock.ts';
import { redact } from '../../app/adapters/redact.ts';
import { type CallName, calls } from '../../app/api/calls.ts';
import type { WindowEvent } from '../../app/api/events.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { openHistory } from '../../app/history/history.ts';
import type { Log } from '../../app/ports.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { chosenPage } from '../../app/words/text.ts';
import { Updates } from '../../main/updates.ts';
import { answerWindow, type CallEvent } from '../../main/windows/ipc.ts';
import { contentSecurityPolicy, fileFor, origin } from '../../main/windows/pages.ts';
import { desktopPreferences, frontAnswers } from '../../main/windows/window-answers.ts';
import { callChannel } from '../../preload/calls.ts';
import { pathsIn, type Stack, type StackOptions, startStack } from '../app/stack.ts';
import { launchForShortPages } from '../chromium.ts';
import { patienceMs } from '../soon.ts';
import { axeFindings, type Looked } from './axe-findings.ts';
import { keychainWith } from './dashboard.ts';

const callNames = Object.keys(calls) as CallName[];
const built = join(import.meta.dirname, '..', '..', 'dist', 'renderer');
/** Chromium takes pages from known schemes alone; the files are those of `app://bundle`. */
const address = 'https://jumpseat.test';

export interface WindowOptions extends StackOptions {
  /** The app's own folder, kept. Default: a new one. */
  home?: string;
  /** As the tray app's window, or as the dashboard that the proxy serves. Default: `tray`. */
  as?: 'tray' | 'dashboard';
  /** What the history holds before the app starts. */
  past?: readonly Exchange[];
  /** What stands in settings.json before the app starts. */
  settings?: unknown;
  /** Before the app is made. */
  prepare?: (home: string) => unknown;
  /** What Claude Code's settings hold before; null: it has none. */
  claude?: string | null;
  /** The address within the page. */
  at?: string;
  /** Before the page is opened. */
  before?: (stack: Stack) => unknown;
  beforePage?: (page: Page) => unknown;
  /** Before the tray app's window is answered: waits, or fails with an error for a person. */
  onCall?: (name: CallName, given: readonly unknown[]) => Promise<unknown> | undefined;
  context?: BrowserContextOptions;
  /** The folder of the person, kept. Default: a new one. */
  person?: string;
  /** What Claude Code's checks see. */
  environment?: Record<string, string>;
}

/** What the page asked its surroundings to do. */
export interface Asked {
  opened: string[];
  acted: string[];
  folders: string[];
  /** What was put on the clipboard as a secret. */
  secrets: string[];
  /** What the person picks in the next dialog of files. */
  chosen: string[];
  /** Calls that failed by a fault of ours. */
  faults: string[];
}

/** One Chromium for a whole file of tests. */
export class Chromium {
  readonly browser: Browser;
  readonly #open: ChromiumWindow[] = [];

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async launch(): Promise<Chromium> {
    return new Chromium(await launchForShortPages('--force-color-profile=srgb', '--font-render-hinting=none'));
  }

  async window(options: WindowOptions = {}): Promise<ChromiumWindow> {
    const window = await ChromiumWindow.open(this.browser, options);
    this.#open.push(window);
    return window;
  }

  /** Closes every window, and gives what their pages complained about. */
  async closeWindows(): Promise<string[]> {
    const complaints: string[] = [];
    for (const window of this.#open.splice(0)) {
      complaints.push(...window.complaints, ...window.asked.faults);
      await window.close();
    }
    return complaints;
  }

  async close(): Promise<void> {
    await this.closeWindows();
    await this.browser.close();
  }
}

/**
 * The built page in Chromium with the real app behind it. As the tray app's window it goes through that window's own
 * handlers; only Electron's wire between them is another one, so that states in which no dashboard is served can be
 * looked at too.
 */
export class ChromiumWindow {
  readonly stack: Stack;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly asked: Asked;
  /** What the page said on its console, and errors it did not catch. */
  readonly complaints: string[] = [];
  readonly #homes: string[];
  readonly #stopListening: () => void;

  private constructor(parts: {
    stack: Stack;
    page: Page;
    context: BrowserContext;
    asked: Asked;
    homes: string[];
    stopListening: () => void;
  }) {
    this.stack = parts.stack;
    this.page = parts.page;
    this.context = parts.context;
    this.asked = parts.asked;
    this.#homes = parts.homes;
    this.#stopListening = parts.stopListening;
    this.page.on('console', (message) => {
      if (message.type() !== 'info' && message.type() !== 'log')
        this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    this.page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
  }

  static async open(browser: Browser, options: WindowOptions): Promise<ChromiumWindow> {
    const {
      as = 'tray',
      past = [],
      settings,
      claude = null,
      at = '#/requests',
      before,
      beforePage,
      context: wished,
    } = options;
    const { environment, ...stackOptions } = options;
    const home = options.home ?? mkdtempSync(join(tmpdir(), 'jumpseat-window-'));
    const person = options.person ?? mkdtempSync(join(tmpdir(), 'jumpseat-person-'));
    mkdirSync(join(person, '.claude'), { recursive: true });
    if (claude !== null) writeFileSync(join(person, '.claude', 'settings.json'), claude);
    if (settings !== undefined)
      writeFileSync(pathsIn(home).settings, typeof settings === 'string' ? settings : JSON.stringify(settings));
    writePast(home, past);
    await options.prepare?.(home);
    const stack = await startStack({
      secrets: keychainWith(fakeGithubToken),
      ...stackOptions,
      home,
      app: {
        dashboard: built,
        environment: {
          HOME: person,
          CLAUDE_CONFIG_DIR: join(person, '.claude'),
          SHELL: '/bin/bash',
          PATH: '',
          ...environment,
        },
        ...stackOptions.app,
      },
    });
    await before?.(stack);
    const context = await browser.newContext({
      viewport: { width: 1200, height: 800 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...wished,
    });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await beforePage?.(page);
    const asked: Asked = { opened: [], acted: [], folders: [], secrets: [], chosen: [], faults: [] };
    const stopListening = as === 'tray' ? await wire(page, stack, asked, options.onCall) : () => undefined;
    const base = as === 'tray' ? `${address}/` : (await stack.app.startProxy()).dashboardUrl;
    const window = new ChromiumWindow({
      stack,
      page,
      context,
      asked,
      homes: [...(options.home === undefined ? [home] : []), ...(options.person === undefined ? [person] : [])],
      stopListening,
    });
    await page.goto(`${base}${at}`);
    return window;
  }

  /** Another place of the same page. */
  async go(at: string): Promise<void> {
    await this.page.evaluate((hash) => {
      window.location.hash = hash;
    }, at);
  }

  /** What axe finds wrong in it. */
  axe(options: Looked = {}): Promise<string[]> {
    return axeFindings(this.page, options);
  }

  async close(): Promise<void> {
    this.#stopListening();
    // As a person closes it: the page has its `pagehide`, which the end of its context skips.
    if (!this.page.isClosed()) {
      const closed = this.page.waitForEvent('close');
      await this.page.close({ runBeforeUnload: true });
      await closed;
    }
    await this.context.close();
    await this.stack.close();
    for (const home of this.#homes) rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Listener = (event: CallEvent, given: unknown, language?: string) => unknown;

/** What the preload script does, with Playwright's wire in place of Electron's. */
async function wire(page: Page, stack: Stack, asked: Asked, onCall: WindowOptions['onCall']): Promise<() => void> {
  await page.route(`${address}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = fileFor(`${origin}${pathname}`, built);
    if (file === null) return route.fulfill({ status: 404 });
    const body = readFileSync(file.path);
    return route.fulfill({
      body: file.path.endsWith('.html') ? chosenPage(body.toString('utf8'), stack.app.preferences()) : body,
      contentType: file.type,
      headers: { 'content-security-policy': contentSecurityPolicy },
    });
  });
  const desktop = {
    loginItem: { isAvailable: true, read: () => false, write: () => undefined },
    platform: 'linux',
    runtime: 'Electron 45.4.1',
  };
  const log: Log = {
    write: (_level, event, facts) => void asked.faults.push(`${event} ${facts?.call} ${facts?.error ?? ''}`),
  };
  const front = frontAnswers({
    app: stack.app,
    act: (action) => void asked.acted.push(action),
    copySecret: (text) => void asked.secrets.push(text),
    openOutside: (url) => {
      asked.opened.push(url);
      return Promise.resolve(true);
    },
    updates: new Updates({
      whyOff: 'Update this build the way you installed it, with your package manager or installer.',
      load: () => Promise.reject(new Error('There is no updater here.')),
      beforeRestart: () => Promise.resolve(true),
      clock: nodeClock(),
      log,
    }),
    desktop: {
      ...desktop,
      applySetup: (id) => stack.app.applySetup(id),
      openFolder: (which) => {
        asked.folders.push(which);
        return Promise.resolve();
      },
      openAddress: (address) => {
        asked.opened.push(address);
        return Promise.resolve();
      },
      openWindow: (place) => void asked.opened.push(place),
      openPath: () => Promise.resolve(''),
      revealPath: () => undefined,
      chooseFolder: () => Promise.resolve(null),
      chooseFiles: (folder) => {
        asked.folders.push(folder);
        return Promise.resolve(asked.chosen.splice(0));
      },
      chooseFile: () => Promise.resolve(null),
      chooseSound: () => Promise.resolve(null),
      sounds: { try: async () => {}, check: async () => {} },
      openers: {
        found: () => Promise.resolve(['system', 'zed']),
        open: (program, path, line) => {
          asked.opened.push(line === undefined ? `${program} ${path}` : `${program} ${path}:${line}`);
          return Promise.resolve();
        },
      },
      ask: () => Promise.resolve(false),
    },
  });
  const frame = { url: `${origin}/` };
  const ours = { senderFrame: frame, sender: { mainFrame: frame } };
  const sources = [front, stack.app];
  const answers = Object.fromEntries(
    callNames.map((name) => [
      name,
      async (...given: unknown[]): Promise<unknown> => {
        await onCall?.(name, given);
        const source = sources.find((some) => typeof Reflect.get(some, name) === 'function') ?? stack.app;
        return Reflect.apply(Reflect.get(source, name), source, given);
      },
    ]),
  );
  const listeners = new Map<string, Listener>();
  const handle = (channel: string, listener: (event: never, given: unknown) => unknown): void =>
    void listeners.set(channel, listener as Listener);
  answerWindow({ handle }, { table: calls, answers: [answers], redact }, log);
  await page.exposeFunction('jumpseatCall', (name: CallName, given: unknown, language: string) =>
    listeners.get(callChannel(name))?.(ours, given, language),
  );
  await page.addInitScript((names) => {
    let language = 'en';
    const call = (name: string, given: unknown[]): unknown =>
      Reflect.get(window, 'jumpseatCall')(name, given, language);
    const preloaded: Record<string, unknown> = {
      speak: (tag: string) => {
        language = tag;
      },
      listen: (listener: (event: unknown) => void) => {
        const hear = (event: Event): void => {
          if (event instanceof CustomEvent) listener(event.detail);
        };
        window.addEventListener('jumpseat', hear);
        return () => window.removeEventListener('jumpseat', hear);
      },
    };
    for (const name of names) preloaded[name] = (...given: unknown[]) => call(name, given);
    Reflect.set(window, 'jumpseat', preloaded);
  }, callNames);
  const tell = (event: WindowEvent): void => {
    const reported =
      event.event === 'preferences' ? { ...event, preferences: desktopPreferences(event.preferences, desktop) } : event;
    const hear = (detail: unknown): void => void window.dispatchEvent(new CustomEvent('jumpseat', { detail }));
    // The page may be on its way out.
    page.evaluate(hear, reported).catch(() => undefined);
  };
  return stack.app.listen(tell);
}

function writePast(home: string, past: readonly Exchange[]): void {
  if (past.length === 0) return;
  const { history } = openHistory(pathsIn(home).history, { clock: nodeClock(), log: { write: () => undefined } });
  for (const exchange of past) history.record(exchange);
  history.close();
}
