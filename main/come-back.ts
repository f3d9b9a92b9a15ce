import type { Log } from '../app/ports.ts';
import { isOurs } from './pages.ts';

/** What of a window a page that left concerns. */
export interface LeftWindow {
  readonly webContents: {
    on(event: 'did-navigate', listener: (event: unknown, url: string) => void): unknown;
    on(
      event: 'did-fail-load',
      listener: (event: unknown, code: number, description: string, url: string, isMainFrame: boolean) => void,
    ): unknown;
  };
  loadURL(url: string): Promise<void>;
}

/** Chromium's word for a load that another one has replaced, or that a guard refused. */
const aborted = -3;

/**
 * Chromium lets a page go to `about:` addresses without asking the app. It holds nothing there and gets no answer, but
 * its window would stay empty.
 */
export function comeBack(window: LeftWindow, home: string, log: Log): void {
  const load = (url: string): void => {
    if (isOurs(url)) return;
    log.write('warn', 'window.page-left', { url });
    window.loadURL(home).catch(() => undefined);
  };
  window.webContents.on('did-navigate', (_event, url) => load(url));
  window.webContents.on('did-fail-load', (_event, code, _description, url, isMainFrame) => {
    if (isMainFrame && code !== aborted) load(url);
  });
}
