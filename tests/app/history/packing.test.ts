import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHistory } from '../../../app/history/history.ts';
import { compactId, plainId, Words } from '../../../app/history/packing.ts';
import { pruneInSlices } from '../../../app/history/retention.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

it('a UUID is 23 characters in a row, ours among them; what is none stays as it is', () => {
  expect(compactId('7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3')).toBe('~fzqRwlvgTBGdL2Hgx6S48w');
  expect(compactId('req_7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3')).toBe('=fzqRwlvgTBGdL2Hgx6S48w');
  for (const id of ['session-a', '7F3A91C2-5BE0-4C11-9D2F-61E0C7A4B8F3', '']) expect(compactId(id)).toBe(id);
});

it('every id comes back, and no two are kept alike', () => {
  const uuid = fc.uuid();
  const id = fc.oneof(
    uuid,
    uuid.map((one) => `req_${one}`),
    uuid.map(compactId),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[~=!]{1,2}[\w-]{0,23}$/),
  );
  fc.assert(
    fc.property(id, (one) => {
      expect(plainId(compactId(one))).toBe(one);
    }),
  );
});

const day = 24 * 60 * 60 * 1000;
const start = 1_795_000_000_000;

function open(path = join(temporaryFolder(), 'history.db')) {
  const log = collectingLog();
  return { path, log, ...openHistory(path, { clock: fakeClock(start), log }) };
}

function asked(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

const fitted = (text: string) => [{ code: 'max-tokens-clamped', count: 1, text }];

describe('texts that stand in many rows', () => {
  it('are kept once, and the rows come back as they were, one by one and in a list', () => {
    const { path, history } = open();
    const rows = Array.from({ length: 50 }, (_, index) =>
      exampleExchange({
        id: `ex-${index}`,
        startedAt: start + index,
        charge: {
          ...exampleExchange().charge,
          details: [
            { type: 'input', count: index, costPerBatch: 500e9, batchSize: 1_000_000 },
            { type: 'output', count: 2 * index, costPerBatch: 2500e9, batchSize: 1_000_000 },
          ],
        },
      }),
    );
    for (const row of rows) history.record(row);
    expect(history.recent({ limit: 50 })).toEqual(rows);
    expect(history.find('ex-7')).toEqual(rows[7]);
    const [listed] = history.list({ limit: 1, before: 'ex-49' });
    expect(listed).toMatchObject({ changes: 'max-tokens-clamped', changeCount: 1, attempts: 2, firstStatus: 401 });
    history.close();
    expect(asked(path, 'SELECT count(*) AS count FROM words')).toEqual([{ count: 4 }]);
    const [most] = asked(
      path,
      'SELECT max(length(fits) + length(charge_details) + length(attempts) + length(upstream_request_ids)) ' +
        'AS bytes FROM exchanges',
    );
    expect(most?.bytes).toBeLessThan(90);
  });

  it('price what the cache saved', () => {
    const { history } = open();
    const details = [
      { type: 'input', count: 1, costPerBatch: 500, batchSize: 100 },
      { type: 'cache_read', count: 2, costPerBatch: 50, batchSize: 100 },
    ];
    const { charge, tokens } = exampleExchange();
    history.record(exampleExchange({ charge: { ...charge, details }, tokens: { ...tokens, cacheRead: 1000 } }));
    expect(history.cacheSavings(0)).toEqual({ nanoAiu: 4500, withoutPrice: 0 });
    history.close();
  });

  it('go with the last row that may hold them, and not before', async () => {
    const { path, history } = open();
    const row = (id: string, startedAt: number, text: string) =>
      exampleExchange({
        id,
        startedAt,
        fits: fitted(text),
        reason: null,
        charge: { ...exampleExchange().charge, details: [] },
        shape: { request: null, answer: null, toolsBefore: [] },
      });
    const rows = [row('a', start, 'old'), row('b', start, 'both'), row('c', start + 5 * day, 'both')];
    for (const one of rows) history.record(one);
    history.flush();
    const words = () => asked(path, 'SELECT text FROM words ORDER BY id').map(({ text }) => String(text));
    expect(words()).toHaveLength(2);
    expect(await pruneInSlices(path, start + 3 * day)).toBe(2);
    expect(words()).toEqual([JSON.stringify(fitted('both'))]);
    expect(history.recent({ limit: 5 })).toEqual(rows.slice(2));
    // Used again after it went: under a number that no row has had.
    history.record(row('d', start + 5 * day, 'old'));
    expect(history.find('d')?.fits).toEqual(fitted('old'));
    history.flush();
    expect(asked(path, 'SELECT max(id) AS id FROM words')).toEqual([{ id: 3 }]);
    expect(history.prune(start + 5 * day + 1)).toBe(2);
    expect(words()).toEqual([]);
    history.close();
  });

  it('that were taken out by hand make the row unreadable, not a request without changes', () => {
    const { path, history } = open();
    history.record(exampleExchange());
    history.close();
    const database = new DatabaseSync(path);
    database.exec('DELETE FROM words');
    database.close();
    const { history: again, log } = open(path);
    expect(again.recent({ limit: 5 })).toEqual([]);
    expect(log.lines.map(({ event }) => event)).toContain('history-row-unreadable');
    again.close();
  });

  it('are looked for again once they may be others: after a transaction that failed, and after another writer', () => {
    const path = join(temporaryFolder(), 'words.db');
    const database = new DatabaseSync(path);
    database.exec(
      'CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE, used_at INTEGER)',
    );
    const words = new Words(database);
    const write = (text: string, end: 'COMMIT' | 'ROLLBACK'): number => {
      database.exec('BEGIN IMMEDIATE');
      words.begin();
      const number = words.number(text, start);
      database.exec(end);
      if (end === 'COMMIT') words.committed();
      return number;
    };
    const kept = (): unknown[] => database.prepare('SELECT id, text FROM words ORDER BY id').all();
    write('gone', 'ROLLBACK');
    expect([write('first', 'COMMIT'), write('gone', 'COMMIT'), write('first', 'COMMIT')]).toEqual([1, 2, 1]);
    const other = new DatabaseSync(path);
    other.exec(`DELETE FROM words WHERE text = 'first'`);
    other.close();
    expect([write('gone', 'COMMIT'), write('first', 'COMMIT')]).toEqual([2, 3]);
    expect(kept()).toEqual([
      { id: 2, text: 'gone' },
      { id: 3, text: 'first' },
    ]);
    database.close();
  });
});
