import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../database/sqlite-error.ts';
import { pruneInSlices, sumUpInSlices } from './retention.ts';
import {
  answer,
  type Change,
  type Changed,
  type Question,
  type QuestionName,
  type Reported,
  rowsIn,
} from './totals-cache.ts';

/**
 * The other thread of `totals-cache.ts`, with its own read-only connection for questions. It says what it can't do,
 * and goes on.
 */

/** How long another connection may hold the file, in ms. */
const patienceMs = 1_000;
const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: patienceMs });
const rows = rowsIn(database);

function tell<Name extends QuestionName>({ id, name, which }: Question<Name>): Reported<Name> {
  try {
    // One state of the file for all that is read.
    database.exec('BEGIN');
    return { id, ok: true, answer: answer(name, rows, which) };
  } catch (error) {
    return { id, ok: false, why: reasonOf(error) };
  } finally {
    if (database.isTransaction) database.exec('COMMIT');
  }
}

function work(what: Change['what']): Promise<number> {
  const path = String(workerData);
  if (what === 'sum-up') return sumUpInSlices(path);
  return pruneInSlices(path, what.olderThan);
}

async function change({ id, what }: Change): Promise<Changed> {
  try {
    return { id, ok: true, answer: await work(what) };
  } catch (error) {
    return { id, ok: false, why: reasonOf(error) };
  }
}

parentPort?.on('message', (asked: Question<QuestionName> | Change) => {
  if ('name' in asked) parentPort?.postMessage(tell(asked));
  else void change(asked).then((changed) => parentPort?.postMessage(changed));
});
