import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * The headless shell first: it has no window to draw, and needs a third of the processor time of the whole Chromium.
 * Electron shows the pages in a real window.
 */
const programs = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Which Chromium the tests open pages in; null: there is none. */
export function chromiumPath(): string | null {
  return programs.find((path) => existsSync(path)) ?? null;
}

/** Starts a Chromium without a window. It has no sandbox: it loads pages of the tests alone. */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(`There is no Chromium at ${programs.join(', ')}.`);
  // Pages speak the browser's language, and tests read English.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--lang=en-US', ...args] });
}

/**
 * For pages that live for seconds: what V8's optimizing compilers cost is not earned back there (measured: a quarter
 * less processor time for a page that is gone through once and looked at by axe).
 */
export function launchForShortPages(...args: readonly string[]): Promise<Browser> {
  return launchChromium('--js-flags=--no-opt --no-maglev', ...args);
}
