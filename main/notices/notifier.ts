import { type BrowserWindow, Notification } from 'electron';
import type { Clock, Log } from '../../app/ports.ts';
import type { BusNotifications } from './bus-notifications.ts';
import { type NoticeAnswers, NotificationGate, type Opens, type SystemNotice } from './notice.ts';

interface NotifierDependencies {
  clock: Clock;
  log: Log;
  icon: string;
  windows: () => BrowserWindow[];
  /** Those of Linux with buttons; null elsewhere, where Electron's have them. */
  bus: Pick<BusNotifications, 'show'> | null;
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
  readonly #shown = new Map<{ close(): void }, SystemNotice['cause']>();
  /** Withdrawn before they were shown. */
  readonly #begun = new Set<SystemNotice>();

  constructor(dependencies: NotifierDependencies) {
    this.#dependencies = dependencies;
  }

  /** False: it was not worth it now. */
  show(notice: SystemNotice): boolean {
    const { clock, log, windows, bus } = this.#dependencies;
    if (!this.#gate.lets(notice, { now: clock.now(), inSight: isInSight(windows()) })) return false;
    log.write('info', 'notification', { cause: notice.cause ?? 'answer' });
    const { answers } = notice;
    if (answers !== undefined && bus !== null) void this.#showOnBus(notice, answers, bus);
    else this.#showPlain(notice, answers);
    return true;
  }

  async #showOnBus(notice: SystemNotice, { body, buttons }: NoticeAnswers, bus: Pick<BusNotifications, 'show'>) {
    const { icon } = this.#dependencies;
    this.#begun.add(notice);
    let close: (() => void) | null = null;
    const shown = { close: () => close?.() };
    const closed = () => this.#shown.delete(shown);
    const click = () => this.#open(notice);
    const answer = await bus.show({ ...{ title: notice.title, body, icon, buttons, click, closed } });
    const isWithdrawn = !this.#begun.delete(notice);
    if (answer === null) {
      if (!isWithdrawn) this.#showPlain(notice);
      return;
    }
    close = answer.close;
    if (isWithdrawn) close();
    else this.#shown.set(shown, notice.cause);
  }

  #showPlain(notice: SystemNotice, answers?: NoticeAnswers): void {
    const { icon } = this.#dependencies;
    if (!Notification.isSupported()) return;
    const { title, body } = { ...notice, ...answers };
    const buttons = answers?.buttons ?? [];
    const actions = buttons.map(({ label }) => ({ type: 'button' as const, text: label }));
    const shown = new Notification({ title, body, icon, ...(actions.length > 0 && { actions }) });
    this.#shown.set(shown, notice.cause);
    const forget = () => this.#shown.delete(shown);
    shown.on('click', () => {
      forget();
      this.#open(notice);
    });
    shown.on('action', ({ actionIndex }) => {
      forget();
      buttons[actionIndex]?.press();
    });
    shown.on('close', forget);
    shown.on('failed', forget);
    shown.show();
  }

  #open({ opens }: SystemNotice): void {
    if (opens !== null) this.#dependencies.open(opens);
  }

  /** Takes back what is no longer so, and tells it if it comes again. */
  over(cause: string): void {
    this.withdraw(cause);
    this.#gate.forget(cause);
  }

  /** Takes back what is no longer so. */
  withdraw(cause: string): void {
    for (const notice of this.#begun) if (notice.cause === cause) this.#begun.delete(notice);
    for (const [shown, reported] of this.#shown) if (reported === cause) shown.close();
  }
}
