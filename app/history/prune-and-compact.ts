import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { columns, fromRow, toRow } from './row.ts';
import { forgetSearchesSql } from './search-table.ts';
import { keepSql, quarterMs, quartersSql } from './totals.ts';
import { forgetWordsSql, Words } from './words.ts';

/*
 * Work on many rows, some at a time, on another thread than the one that carries the bytes and through a connection of
 * its own: old rows are deleted, rows of earlier versions brought into today's form, sums of quarters kept.
 */

/**
 * Few enough that who wants to write meanwhile hardly waits (measured, with 1 000 000 rows: 99 % within 3.5 ms; with
 * slices of 100 rows 15.7).
 */
const sliceRows = 20;
/** The turn of those who want to write. 3 000 rows a second are deleted that way. */
const pauseMs = 4;
/** How long another connection may hold the file, in ms. */
const patienceMs = 5_000;

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

/** The row up to which rows may be in the form of an earlier version, in `meta`. None: all are in today's. */
const markName = 'compact-up-to';

/** Whether there is such a row. No parameters. */
export const isCompactingDueSql = `SELECT 1 FROM meta WHERE name = '${markName}'`;

/** What earlier versions wrote in another form. No more, so that no other index is written. */
const compacted: readonly string[] = [
  'id',
  'session',
  'prompt',
  'reason_rule',
  'reason_sentence',
  'fits',
  'attempts',
  'sent_ms',
  'headers_ms',
  'first_event_ms',
  'last_event_ms',
  'charge_details',
  'upstream_request_ids',
  'read_ms',
  'held_from_ms',
  'held_until_ms',
  'shape',
] satisfies (typeof columns)[number][];

/** Few, for the same reason: each writes to pages of its own in two indexes. */
const compactedAtOnce = 4;

const compactedSql = `SELECT * FROM exchanges WHERE seq <= ? ORDER BY seq DESC LIMIT ${compactedAtOnce}`;
const assignments = compacted.map((name) => `${name} = ?`).join(', ');
const updateSql = `UPDATE OR REPLACE exchanges SET ${assignments} WHERE seq = ? AND id = ?`;

/**
 * Brings rows of earlier versions into today's form, the newest first. One that ends in the middle goes on at the next
 * start. Returns how many.
 */
export function compactInSlices(path: string): Promise<number> {
  return onOwnConnection(path, async (database) => {
    const prepare = statementsOf(database);
    const words = new Words({ prepare });
    let done = 0;
    for (;;) {
      const count = compactSlice(database, prepare, words);
      if (count === null) return done;
      done += count;
      await pause(pauseMs);
    }
  });
}

type Prepare = (sql: string) => StatementSync;

function statementsOf(database: DatabaseSync): Prepare {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

/**
 * Null: there are no more. Rows are read before the file is locked: no row changes; one can go meanwhile, and its
 * number to another.
 */
function compactSlice(database: DatabaseSync, prepare: Prepare, words: Words): number | null {
  const mark = prepare('SELECT value FROM meta WHERE name = ?').get(markName)?.value;
  if (typeof mark !== 'number') return null;
  const rows = prepare(compactedSql).all(mark);
  const found = rows.map((row) => ({ seq: Number(row.seq), id: String(row.id), exchange: fromRow(row, words) }));
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const { seq, id, exchange } of found) {
      if (exchange === null) continue;
      const values = toRow(exchange, words).filter((_, index) => compacted.includes(columns[index] ?? ''));
      prepare(updateSql).run(...values, seq, id);
    }
    const last = found.at(-1)?.seq;
    if (last === undefined) prepare('DELETE FROM meta WHERE name = ?').run(markName);
    else prepare('UPDATE meta SET value = ? WHERE name = ?').run(last - 1, markName);
    database.exec('COMMIT');
    return last === undefined ? null : rows.length;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

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
 * Keeps the sums of quarters that have none, the oldest first. Returns how many.
 */
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
