import type { AppState } from '../app/api.ts';
import type { Clock } from '../app/ports.ts';
import type { SettingsStore } from '../app/settings/settings.ts';
import { BusySign } from './busy-sign.ts';
import { isWanted, noticesFor, type QuotaTold, quotaNotice, type SystemNotice, updateNotice } from './notifications.ts';

export interface StateTellerParts {
  clock: Clock;
  settings: SettingsStore;
  state: () => AppState;
  notify: (notice: SystemNotice) => void;
  /** What is shown has changed without a change of state. */
  changed: () => void;
}

const codeTickMs = 5_000;

/** What follows from the state over time: notifications, the busy sign, the minutes that are left of a code. */
export class StateTeller {
  readonly #parts: StateTellerParts;
  readonly #busy: BusySign;
  #before: AppState;
  #quotaTold: QuotaTold | null;
  #codeTimer: NodeJS.Timeout | null = null;

  constructor(parts: StateTellerParts) {
    this.#parts = parts;
    this.#busy = new BusySign(parts.clock, parts.changed);
    this.#before = parts.state();
    this.#quotaTold = parts.settings.current().told.quota;
  }

  /** How many requests to show as running. */
  get running(): number {
    return this.#busy.shown;
  }

  see(state: AppState): void {
    for (const notice of noticesFor(this.#before, state, this.#parts.clock.now())) this.#tell(notice);
    this.#before = state;
    this.#tellQuota(state);
    this.#busy.see(state.health.running);
    this.#countDown(state.account.kind === 'signing-in');
  }

  updateReady(version: string): void {
    this.#tell(updateNotice(version));
  }

  close(): void {
    this.#busy.close();
    this.#countDown(false);
  }

  #tell(notice: SystemNotice): void {
    const { settings, notify } = this.#parts;
    if (isWanted(notice, settings.current().notifications)) notify(notice);
  }

  #tellQuota({ quota }: AppState): void {
    const { settings } = this.#parts;
    const found = quotaNotice(quota, this.#quotaTold, settings.current().quotaThresholds);
    if (found === null) return;
    this.#quotaTold = found.told;
    this.#tell(found.notice);
    void settings.update({ told: { ...settings.current().told, quota: found.told } }).catch(() => undefined);
  }

  #countDown(on: boolean): void {
    if (on && this.#codeTimer === null) this.#codeTimer = setInterval(this.#parts.changed, codeTickMs);
    if (on || this.#codeTimer === null) return;
    clearInterval(this.#codeTimer);
    this.#codeTimer = null;
  }
}
