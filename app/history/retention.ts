import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { forgetWordsSql } from './packing.ts';
import { forgetSearchesSql, keepSql, quarterMs, quartersSql } from './totals.ts';
import type { Sums } from './totals-cache.ts';

const dayMs = 24 * 60 * 60_000;
const lookMs = 60 * 60_000;

interface KeptDaysDependencies {
  sums: Sums;
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
  /** True if another process owns the folder: that one prunes. */
  readOnly: boolean;
}

/** Deletes what is older than the settings keep: at a start, when they change, and once a day. */
export class KeptDays {
  readonly #dependencies: KeptDaysDependencies;
  #prunedAt = 0;
  readonly #looking = setInterval(() => this.pruneDaily(), lookMs).unref();

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

  close(): void {
    clearInterval(this.#looking);
  }

  pruneDaily(): void {
    // The clock may have been put back.
    if (Math.abs(this.#dependencies.clock.now() - this.#prunedAt) > dayMs) this.prune();
  }
}

/**
 * Few enough that who wants to write meanwhile hardly waits (measured, with 1 000 000 rows: 99 % within 3.5 ms; with
 * slices of 100 rows 15.7).
 */
const sliceRows = 20;
/** The turn of those who want to write. 3 000 rows a second are deleted that way. */
const pauseMs = 4;
/** How long another connection may hold the file, in ms. */
const patienceMs = 5_000;

/**
 * Work on many rows, some at a time, on another thread than the one that carries the bytes: old rows are deleted, sums
 * of quarters kept.
 */
async function onOwnConnection(path: string, work: (database: DatabaseSync) => Promise<number>): Promise<number> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec('PRAGMA synchronous = NORMAL');
    return await work(database);
  } finally {
    database.close();
  }
}

const sliceSql = `DELETE FROM exchanges WHERE seq IN
  (SELECT seq FROM exchanges WHERE started_at < ? ORDER BY started_at LIMIT ${sliceRows})`;

/**
 * Deletes exchanges that began before a time (ms): what was deleted has to be brought into the file, and that waits for
 * the disk. Returns how many.
 */
export function pruneInSlices(path: string, olderThan: number): Promise<number> {
  return onOwnConnection(path, async (database) => {
    const slice = database.prepare(sliceSql);
    let deleted = 0;
    for (;;) {
      const { changes } = slice.run(olderThan);
      deleted += Number(changes);
      if (Number(changes) < sliceRows) break;
      await pause(pauseMs);
    }
    database.prepare(forgetWordsSql).run(olderThan, olderThan);
    database.prepare(forgetSearchesSql).run(olderThan);
    return deleted;
  });
}

/** Larger quarters get no stored sum: adding them up would delay writers. */
const mostRows = 2_000;

/** After so many rows it is the turn of those who want to write. */
const rowsAtOnce = 200;

/** The last quarter is left out: rows still come. Parameter: the beginning. */
const nextSql = `SELECT quarter FROM (${quartersSql})
  WHERE kept = 0 AND quarter < (SELECT max(started_at) / ${quarterMs} FROM exchanges) LIMIT 1`;
/** Parameters: from, until. */
const countSql = `SELECT count(*) AS count FROM
  (SELECT 1 FROM exchanges WHERE started_at >= ? AND started_at < ? LIMIT ${mostRows + 1})`;

/** Keeps the sums of quarters that have none, the oldest first. Returns how many. */
export function sumUpInSlices(path: string): Promise<number> {
  return onOwnConnection(path, async (database) => {
    const next = database.prepare(nextSql);
    const count = database.prepare(countSql);
    const keep = database.prepare(keepSql);
    let from = 0;
    let done = 0;
    let since = 0;
    for (;;) {
      const quarter = next.get(from)?.quarter;
      if (typeof quarter !== 'number') return done;
      const begins = quarter * quarterMs;
      from = begins + quarterMs;
      const rows = Number(count.get(begins, from)?.count);
      if (rows > mostRows) continue;
      keep.run(quarter, begins, from);
      done += 1;
      since += rows;
      if (since < rowsAtOnce) continue;
      since = 0;
      await pause(pauseMs);
    }
  });
}
