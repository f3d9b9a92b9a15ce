import { type BrowserWindow, Notification } from 'electron';
import type { Clock, Log } from '../../app/ports.ts';
import { NotificationGate, type Opens, type SystemNotice } from './notice.ts';

interface NotifierDependencies {
  clock: Clock;
  log: Log;
  icon: string;
  windows: () => BrowserWindow[];
  open: (what: Exclude<Opens, null>) => void;
}

/** A window of ours is in front. */
export function isInSight(windows: readonly BrowserWindow[]): boolean {
  return windows.some((window) => window.isVisible() && !window.isMinimized() && window.isFocused());
}

/** The system's notifications. `state-notices.ts` and `session-notices.ts` decide what is worth one. */
export class Notifier {
  readonly #dependencies: NotifierDependencies;
  readonly #gate = new NotificationGate();
  /** What is shown has to be held: a notification that is collected loses its click. */
  readonly #shown = new Map<Notification, SystemNotice['cause']>();

  constructor(dependencies: NotifierDependencies) {
    this.#dependencies = dependencies;
  }

  /** False: it was not worth it now. */
  show(notice: SystemNotice): boolean {
    const { clock, log, icon, windows, open } = this.#dependencies;
    if (!this.#gate.lets(notice, { now: clock.now(), inSight: isInSight(windows()) })) return false;
    log.write('info', 'notification', { cause: notice.cause ?? 'answer' });
    if (!Notification.isSupported()) return true;
    const shown = new Notification({ title: notice.title, body: notice.body, icon });
    this.#shown.set(shown, notice.cause);
    const forget = () => this.#shown.delete(shown);
    shown.on('click', () => {
      forget();
      if (notice.opens !== null) open(notice.opens);
    });
    shown.on('close', forget);
    shown.on('failed', forget);
    shown.show();
    return true;
  }

  /** Takes back what is no longer so, and tells it if it comes again. */
  over(cause: string): void {
    this.withdraw(cause);
    this.#gate.forget(cause);
  }

  /** Takes back what is no longer so. */
  withdraw(cause: string): void {
    for (const [shown, reported] of this.#shown) if (reported === cause) shown.close();
  }
}
