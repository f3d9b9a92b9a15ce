import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { openHistory } from '../../../app/history/history.ts';
import { rowsAsSent } from '../../bench/rows-as-sent.ts';
import { startStack } from '../stack.ts';
import { temporaryFolder } from './surroundings.ts';

const samples = join(import.meta.dirname, '..', '..', 'samples');
const sampleSchema = z.object({ headers: z.array(z.tuple([z.string(), z.string()])), body: z.unknown() });
const isRecorded = /^claude-code-.*-(main|subagent|auxiliary)-.*\.request\.json$/;

/** Bytes of a row and of its places in the indexes, without what SQLite adds for each page. */
function bytesOfRow(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const sql = `SELECT sum(payload) * 1.0 / (SELECT count(*) FROM exchanges) AS bytes FROM dbstat
    WHERE name LIKE '%exchanges%'`;
  const bytes = Number(database.prepare(sql).get()?.bytes);
  database.close();
  return bytes;
}

/** The benchmark's rows: 575 bytes each in a file of a million, pages and all. */
function ofTheBenchmark(): number {
  const path = join(temporaryFolder(), 'history.db');
  const { history } = openHistory(path, { clock: nodeClock(), log: { write: () => undefined } });
  for (const row of rowsAsSent(1_000, Date.now())) history.record(row);
  history.close();
  return bytesOfRow(path);
}

it('a row of a recorded request takes no more bytes than the benchmark’s, which are at most 600 with their pages', {
  timeout: 60_000,
}, async () => {
  const stack = await startStack();
  onTestFinished(() => stack.close());
  let sent = 0;
  for (const name of readdirSync(samples).filter((file) => isRecorded.test(file))) {
    const { headers, body } = sampleSchema.parse(JSON.parse(readFileSync(join(samples, name), 'utf8')));
    const known = headers.filter(([field]) => /^(user-agent|anthropic-|x-claude-|x-app)/i.test(field));
    await stack.send({
      method: 'POST',
      path: '/v1/messages',
      headers: Object.fromEntries(known),
      body: JSON.stringify(body),
    });
    sent += 1;
  }
  expect(sent).toBeGreaterThan(10);
  await stack.rows(sent);
  await stack.app.stopProxy();
  const limit = ofTheBenchmark();
  // Each column is a byte, also an empty one.
  expect(limit).toBeLessThan(532);
  expect(bytesOfRow(join(stack.home, 'history.db'))).toBeLessThan(limit);
});
