import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { patienceMs, pauseMs } from './pruning.ts';
import { columns, fromRow, toRow } from './row.ts';
import { Words } from './words.ts';

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

/** Few, as in `pruning.ts`: each writes to pages of its own in two indexes. */
const sliceRows = 4;

const sliceSql = `SELECT * FROM exchanges WHERE seq <= ? ORDER BY seq DESC LIMIT ${sliceRows}`;
const assignments = compacted.map((name) => `${name} = ?`).join(', ');
const updateSql = `UPDATE OR REPLACE exchanges SET ${assignments} WHERE seq = ? AND id = ?`;

/**
 * Brings rows of earlier versions into today's form, the newest first, some at a time, through a connection of its own:
 * as `pruneInSlices`, and for the same thread. One that ends in the middle goes on at the next start. Returns how many.
 */
export async function compactInSlices(path: string): Promise<number> {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec('PRAGMA synchronous = NORMAL');
    const prepare = statementsOf(database);
    const words = new Words({ prepare });
    let done = 0;
    for (;;) {
      const count = compactSlice(database, prepare, words);
      if (count === null) return done;
      done += count;
      await pause(pauseMs);
    }
  } finally {
    database.close();
  }
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
  const rows = prepare(sliceSql).all(mark);
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
