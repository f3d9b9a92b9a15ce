import type { Log } from '../app/ports.ts';

/** What of a window a crash of its page touches. */
export interface ReloadedWindow {
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
