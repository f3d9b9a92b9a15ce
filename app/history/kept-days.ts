import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Sums } from './sums.ts';

const dayMs = 24 * 60 * 60_000;

export interface KeptDaysDependencies {
  sums: Sums;
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
  /** Another process owns the folder and prunes. */
  readOnly: boolean;
}

/** Deletes what is older than the settings keep: at a start, when they change, and once a day. */
export class KeptDays {
  readonly #dependencies: KeptDaysDependencies;
  #prunedAt = 0;

  constructor(dependencies: KeptDaysDependencies) {
    this.#dependencies = dependencies;
  }

  prune(): void {
    const { sums, settings, clock, readOnly } = this.#dependencies;
    const { historyDays } = settings.current();
    this.#prunedAt = clock.now();
    if (readOnly) return;
    const pruned = historyDays === null ? null : sums.prune(this.#prunedAt - historyDays * dayMs);
    void Promise.resolve(pruned).then(() => sums.tidy());
  }

  pruneDaily(): void {
    if (this.#dependencies.clock.now() - this.#prunedAt > dayMs) this.prune();
  }
}
