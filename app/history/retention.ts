import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Sums } from './sums.ts';

const dayMs = 24 * 60 * 60_000;

interface KeptDaysDependencies {
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
    const now = clock.now();
    this.#prunedAt = now;
    if (readOnly) return;
    const pruned = historyDays === null ? null : this.#pruneOld(now, historyDays * dayMs);
    void Promise.resolve(pruned).then(() => sums.tidy());
  }

  /**
   * A clock that jumped far ahead makes every row old, but for those that began since. So old ones go only where one
   * would stay that is no newer than yesterday: the clock has been near for a day then. After a long pause that is a
   * day later than it could be.
   */
  #pruneOld(now: number, keptMs: number): Promise<void> | null {
    const { sums } = this.#dependencies;
    const standsMs = Math.min(dayMs, keptMs / 2);
    return sums.hasRows(now - keptMs, now - standsMs) ? sums.prune(now - keptMs) : null;
  }

  pruneDaily(): void {
    // The clock may have been put back.
    if (Math.abs(this.#dependencies.clock.now() - this.#prunedAt) > dayMs) this.prune();
  }
}
