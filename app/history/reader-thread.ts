import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { pruneInSlices } from './pruning.ts';
import { answer, type QuestionName, rowsIn } from './questions.ts';
import type { Pruned, Pruning, Question, Told } from './reader.ts';
import { reasonOf } from './sqlite-error.ts';

/**
 * The other thread of `reader.ts`, with a read-only connection of its own for questions. What it can't do it says, and
 * goes on.
 */

/** How long another connection may hold the file, in ms. */
const patienceMs = 1_000;
const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: patienceMs });
const rows = rowsIn(database);

function tell<Name extends QuestionName>({ id, name, which }: Question<Name>): Told<Name> {
  try {
    return { id, ok: true, answer: answer(name, rows, which) };
  } catch (error) {
    return { id, ok: false, why: reasonOf(error) };
  }
}

async function prune({ id, olderThan }: Pruning): Promise<Pruned> {
  try {
    return { id, ok: true, answer: await pruneInSlices(String(workerData), olderThan) };
  } catch (error) {
    return { id, ok: false, why: reasonOf(error) };
  }
}

parentPort?.on('message', (asked: Question<QuestionName> | Pruning) => {
  if ('name' in asked) parentPort?.postMessage(tell(asked));
  else void prune(asked).then((pruned) => parentPort?.postMessage(pruned));
});
