import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { patienceMs, pauseMs } from './pruning.ts';
import { keepSql, quarterMs, quartersSql } from './totals.ts';

/** The sums of a quarter of more rows are not kept: adding them up would hold up who wants to write. */
const mostRows = 2_000;

/** After so many rows it is the turn of those who want to write. */
const rowsAtOnce = 200;

/** The last quarter is left out: rows still come. Parameter: the beginning. */
const nextSql = `SELECT quarter FROM (${quartersSql})
  WHERE kept = 0 AND quarter < (SELECT max(started_at) / ${quarterMs} FROM exchanges) LIMIT 1`;
/** Parameters: from, until. */
const countSql = `SELECT count(*) AS count FROM
  (SELECT 1 FROM exchanges WHERE started_at >= ? AND started_at < ? LIMIT ${mostRows + 1})`;

/**
 * Keeps the sums of quarters that have none, the oldest first, some at a time, through a connection of its own: as
 * `pruneInSlices`, and for the same thread. Returns how many.
 */
export async function sumUpInSlices(path: string): Promise<number> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec('PRAGMA synchronous = NORMAL');
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
  } finally {
    database.close();
  }
}
