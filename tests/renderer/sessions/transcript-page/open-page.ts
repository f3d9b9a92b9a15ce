import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../../../main/windows/pages.ts';
import { classNameOf } from '../../../../scripts/lib/class-names.ts';
import { launchChromium } from '../../../chromium.ts';
import { KeptPages } from '../../../kept-pages.ts';
import { patienceMs } from '../../../soon.ts';

const address = 'https://transcript.test/';
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface OpenPage {
  page: Page;
  /** Errors, and what the page's policy refused. */
  complaints: string[];
  /** Addresses beyond the page's own. */
  fetched: string[];
}

/** The transcript alone in a real browser, built once, under the window's own policy. */
export class TranscriptPages {
  readonly #folder = mkdtempSync(join(tmpdir(), 'jumpseat-transcript-'));
  #browser: Browser | null = null;
  readonly #pages = new KeptPages(
    { viewport: { width: 912, height: 600 }, reducedMotion: 'reduce', timezoneId: 'UTC' },
    (page) => this.#prepare(page),
  );

  async start(): Promise<void> {
    const outDir = this.#folder;
    const built = build({
      ...{ configFile: false, root: import.meta.dirname, base: './', publicDir: false, logLevel: 'error' },
      css: { modules: { generateScopedName: classNameOf } },
      plugins: [react()],
      build: { outDir, emptyOutDir: true, target: 'chrome140', minify: false },
    });
    [this.#browser] = await Promise.all([launchChromium(), built]);
  }

  async open(options?: BrowserContextOptions): Promise<OpenPage> {
    if (this.#browser === null) throw new Error('The browser was not started.');
    const { page, beside: heard } = await this.#pages.open(this.#browser, options);
    heard.complaints = [];
    heard.fetched = [];
    await page.goto(address);
    return { page, ...heard };
  }

  close({ page }: OpenPage): Promise<void> {
    return this.#pages.close(page);
  }

  async #prepare(page: Page): Promise<Omit<OpenPage, 'page'>> {
    page.context().setDefaultTimeout(patienceMs);
    const heard: Omit<OpenPage, 'page'> = { complaints: [], fetched: [] };
    page.on('pageerror', (error) => heard.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') heard.complaints.push(message.text());
    });
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (!url.startsWith(address)) {
        heard.fetched.push(url);
        await route.abort();
        return;
      }
      const path = new URL(url).pathname.slice(1) || 'index.html';
      if (path === 'favicon.ico') return route.fulfill({ status: 204 });
      await route.fulfill({
        body: readFileSync(join(this.#folder, path)),
        headers: {
          'content-type': types[extname(path)] ?? 'text/plain',
          'content-security-policy': contentSecurityPolicy,
        },
      });
    });
    return heard;
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
