import type { AppState } from '../app/api/state.ts';
import type { Clock } from '../app/ports.ts';
import type { Settings, SettingsStore } from '../app/settings/settings.ts';
import { BusySign } from './busy-sign.ts';
import { updateNotice } from './notices/answer-notices.ts';
import { quotaNotice, worldNotice } from './notices/billing-notices.ts';
import { goneNotice } from './notices/gone-notice.ts';
import { isWanted } from './notices/notification-gate.ts';
import { noticesFor } from './notices/state-notices.ts';
import type { SystemNotice } from './notices/system-notice.ts';

export interface StateTellerDependencies {
  clock: Clock;
  settings: SettingsStore;
  state: () => AppState;
  notify: (notice: SystemNotice) => void;
  /** What is shown has changed without a change of state. */
  changed: () => void;
}

const codeTickMs = 5_000;

/** What is told once, over restarts too. */
type Told = Pick<Settings['told'], 'quota' | 'world' | 'goneModels'>;

/** What follows from the state over time: notifications, the busy sign, the minutes that are left of a code. */
export class StateTeller {
  readonly #dependencies: StateTellerDependencies;
  readonly #busy: BusySign;
  #before: AppState;
  #told: Told;
  #codeTimer: NodeJS.Timeout | null = null;

  constructor(dependencies: StateTellerDependencies) {
    this.#dependencies = dependencies;
    this.#busy = new BusySign(dependencies.clock, dependencies.changed);
    this.#before = dependencies.state();
    const { quota, world, goneModels } = dependencies.settings.current().told;
    this.#told = { quota, world, goneModels };
  }

  /** How many requests to show as running. */
  get running(): number {
    return this.#busy.shown;
  }

  see(state: AppState): void {
    for (const notice of noticesFor(this.#before, state, this.#dependencies.clock.now())) this.#tell(notice);
    this.#before = state;
    this.#tellOnce(state);
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
    const { settings, notify } = this.#dependencies;
    if (isWanted(notice, settings.current().notifications)) notify(notice);
  }

  #tellOnce(state: AppState): void {
    const { settings } = this.#dependencies;
    const quota = quotaNotice(state.quota, this.#told.quota, settings.current().quotaThresholds);
    const world = worldNotice(state, this.#told.world);
    const gone = goneNotice(state.goneModels, this.#told.goneModels);
    if (quota === null && world === null && gone === null) return;
    for (const found of [quota, world, gone]) if (found?.notice) this.#tell(found.notice);
    this.#told = {
      quota: quota?.told ?? this.#told.quota,
      world: world?.told ?? this.#told.world,
      goneModels: gone?.told ?? this.#told.goneModels,
    };
    void settings.update({ told: { ...settings.current().told, ...this.#told } }).catch(() => undefined);
  }

  #countDown(on: boolean): void {
    if (on && this.#codeTimer === null) this.#codeTimer = setInterval(this.#dependencies.changed, codeTickMs);
    if (on || this.#codeTimer === null) return;
    clearInterval(this.#codeTimer);
    this.#codeTimer = null;
  }
}
