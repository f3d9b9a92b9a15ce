import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/** What outlives a navigation: a page is not given to another test when one of these was used on it or its context. */
const lasting = [
  ...['addCookies', 'addInitScript', 'clock', 'close', 'emulateMedia', 'exposeBinding', 'exposeFunction'],
  ...['grantPermissions', 'newCDPSession', 'newPage', 'on', 'once', 'route', 'routeWebSocket', 'setDefaultTimeout'],
  ...['setExtraHTTPHeaders', 'setGeolocation', 'setOffline', 'setViewportSize'],
];

interface Kept<Beside> {
  page: Page;
  beside: Beside;
  devtools: CDPSession;
  isChanged: boolean;
}

/**
 * Pages of one kind in one browser. A context and a process for each test cost a third of what opening a page does
 * (measured: 0.35 s of processor time, and 0.3 s more at the first look of axe), so that a page is led to nowhere and
 * emptied for the next test: its document, scripts, storage and cookies are gone, and nobody's pointer is over it.
 */
export class KeptPages<Beside> {
  readonly #idle = new WeakMap<Browser, Kept<Beside>[]>();
  readonly #open = new Map<Page, Kept<Beside>>();
  readonly #options: BrowserContextOptions;
  readonly #prepare: (page: Page) => Beside | Promise<Beside>;

  /** `prepare`: once for a page, before it is opened anywhere; what it gives stays beside the page. */
  constructor(options: BrowserContextOptions, prepare: (page: Page) => Beside | Promise<Beside>) {
    this.#options = options;
    this.#prepare = prepare;
  }

  /** `own`: what this test wants of its context; then it has one of its own. */
  async open(browser: Browser, own?: BrowserContextOptions): Promise<{ page: Page; beside: Beside }> {
    const kept = (own === undefined ? this.#idle.get(browser)?.pop() : undefined) ?? (await this.#make(browser, own));
    this.#open.set(kept.page, kept);
    return kept;
  }

  async #make(browser: Browser, own: BrowserContextOptions | undefined): Promise<Kept<Beside>> {
    const context = await browser.newContext({ ...this.#options, ...own });
    const page = await context.newPage();
    const beside = await this.#prepare(page);
    const kept = { page, beside, devtools: await context.newCDPSession(page), isChanged: own !== undefined };
    for (const part of [page, context]) {
      for (const name of lasting.filter((one) => one in part)) {
        const real: unknown = Reflect.get(part, name);
        const get = (): unknown => {
          kept.isChanged = true;
          return real;
        };
        Object.defineProperty(part, name, { get });
      }
    }
    return kept;
  }

  /** Every page that is open is for the next test, or closed. */
  async close(page: Page): Promise<void> {
    const kept = this.#open.get(page);
    this.#open.delete(page);
    const isAsNew = kept !== undefined && !kept.isChanged && !page.isClosed();
    const context = page.context();
    if (!isAsNew || context.pages().length > 1) {
      return context.close();
    }
    const origin = new URL(page.url()).origin;
    await page.goto('about:blank');
    await kept.devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await page.mouse.move(-1, -1);
    await context.clearCookies();
    const browser = context.browser();
    if (browser === null) return;
    kept.isChanged = false;
    this.#idle.set(browser, [...(this.#idle.get(browser) ?? []), kept]);
  }
}
