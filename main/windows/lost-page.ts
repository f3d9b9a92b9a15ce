import type { Log } from '../../app/ports.ts';
import { isOurs } from './pages.ts';

/** A page that left its window, or crashed, is loaded again. */

/** What of a window a page that left concerns. */
interface LeftWindow {
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

/** What of a window a crash of its page touches. */
interface ReloadedWindow {
  readonly webContents: {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: { reason: string; exitCode: number }) => void,
    ): unknown;
    reload(): void;
  };
  isDestroyed(): boolean;
  destroy(): void;
}

/** Crashes further apart have nothing to do with each other. */
const sameTroubleMs = 60_000;

/**
 * A page that crashed is loaded again. When it crashes again soon its window goes; the next time it is asked for it is
 * a new one.
 */
export function reloadOnce(window: ReloadedWindow, log: Log, ticks = () => performance.now()): void {
  let last = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    const again = ticks() - last < sameTroubleMs;
    last = ticks();
    log.write('error', 'window.page-crashed', {
      reason,
      exitCode,
      next: again ? 'window closed' : 'page loaded again',
    });
    // Electron itself crashes when the page is touched while it hears of this.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (again) window.destroy();
      else window.webContents.reload();
    });
  });
}
