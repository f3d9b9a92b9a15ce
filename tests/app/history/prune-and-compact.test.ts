import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { TotalsRow } from '../../../app/api/history.ts';
import { openHistory } from '../../../app/history/history.ts';
import { compactInSlices, isCompactingDueSql, sumUpInSlices } from '../../../app/history/prune-and-compact.ts';
import { bareExchange, exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const session = '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3';
const id = (row: number): string => `req_00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

function open(path: string) {
  return openHistory(path, { clock: fakeClock(), log: collectingLog() });
}

/** As version 6 wrote it: the example, a bare one, and `rows` copies of the example in one session. */
function ofVersion6(rows = 0): string {
  const path = join(temporaryFolder(), 'history.db');
  const old = new DatabaseSync(path);
  old.exec(readFileSync(join(import.meta.dirname, 'fixtures', 'history.v6.sql'), 'utf8'));
  const columns = old
    .prepare(`SELECT name FROM pragma_table_info('exchanges') WHERE name NOT IN ('seq', 'id', 'session')`)
    .all()
    .map(({ name }) => name);
  const copy = old.prepare(`INSERT INTO exchanges (id, session, ${columns.join(', ')})
    SELECT ?, ?, ${columns.join(', ')} FROM exchanges WHERE id = 'ex-1'`);
  for (let row = 0; row < rows; row += 1) copy.run(id(row), session);
  old.close();
  return path;
}

function asked(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

/** Version 6 kept no more of what was said. */
const failure = { ...exampleExchange().failure, message: 'What was said is kept no longer.', told: null };

describe('rows of an earlier version', () => {
  it('are as today’s afterwards, and none is looked at again', async () => {
    const path = ofVersion6(50);
    open(path).history.close();
    expect(asked(path, isCompactingDueSql)).toHaveLength(1);
    expect(await compactInSlices(path)).toBe(52);
    expect(asked(path, isCompactingDueSql)).toEqual([]);
    expect(await compactInSlices(path)).toBe(0);
    const { history } = open(path);
    const copies = Array.from({ length: 50 }, (_, row) => ({ ...exampleExchange({ id: id(row), session }), failure }));
    const example = { ...exampleExchange(), failure };
    // Of those that began at once the order is that of their writing; the bare one began later.
    expect(history.recent({ limit: 100 })).toEqual([example, ...copies, bareExchange()]);
    history.record(exampleExchange({ id: 'new', session }));
    history.close();
    const bytes = 'SELECT DISTINCT length(shape) AS shape, length(attempts) AS attempts FROM exchanges WHERE shape > 0';
    expect(asked(path, bytes)).toHaveLength(1);
    expect(asked(path, `SELECT max(length(id)) AS id, max(length(session)) AS session FROM exchanges`)).toEqual([
      { id: 23, session: 23 },
    ]);
  });

  it('that go while they are read leave the row that gets their number as it is', async () => {
    const path = ofVersion6(4);
    const { history } = open(path);
    const begin = DatabaseSync.prototype.exec;
    let left = 1;
    // At this moment rows were read, and the file is not locked yet.
    const watched = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      if (sql === 'BEGIN IMMEDIATE' && left-- > 0) {
        history.prune(Number.POSITIVE_INFINITY);
        for (let row = 0; row < 6; row += 1) history.record(exampleExchange({ id: `new-${row}`, prompt: `of ${row}` }));
        history.flush();
      }
      begin.call(this, sql);
    });
    await compactInSlices(path);
    watched.mockRestore();
    const found = history.recent({ limit: 10 }).map(({ id: is, prompt }) => [is, prompt]);
    expect(found).toEqual(Array.from({ length: 6 }, (_, row) => [`new-${row}`, `of ${row}`]));
    history.close();
  });

  it('are found, paged and summed up before and while they are brought into today’s form', async () => {
    const path = ofVersion6(60);
    const { history, sums } = open(path);
    history.record(exampleExchange({ id: id(60), session, startedAt: 1_795_000_000_002 }));
    const look = () => {
      const found = [0, 59, 60].map((row) => history.find(id(row))?.session);
      const paged = [history.recent({ limit: 100, before: id(60) }), history.list({ limit: 100, before: id(60) })];
      const [prompt] = history.conversation({ since: 0, client: 'claude-code', session });
      return [found, paged.map(({ length }) => length), prompt?.requests];
    };
    const whole = [[session, session, session], [62, 62], 61];
    expect(look()).toEqual(whole);
    const done = compactInSlices(path);
    // The first slice is done, the others wait for their turn.
    expect(asked(path, `SELECT count(*) AS count FROM exchanges WHERE length(id) = 40`)).toEqual([{ count: 56 }]);
    expect(look()).toEqual(whole);
    expect(await done).toBe(62);
    expect(look()).toEqual(whole);
    await sums.close();
    history.close();
  });

  it('go on where they ended when the process does', async () => {
    const path = ofVersion6(30);
    open(path).history.close();
    const database = new DatabaseSync(path);
    database.exec(`UPDATE meta SET value = 12 WHERE name = 'compact-up-to'`);
    database.close();
    expect(await compactInSlices(path)).toBe(12);
    expect(asked(path, 'SELECT count(*) AS count FROM exchanges WHERE length(id) = 40')).toEqual([{ count: 20 }]);
  });

  it('that hold no exchange stay as they are, and hold nothing up', async () => {
    const path = ofVersion6(5);
    open(path).history.close();
    const database = new DatabaseSync(path);
    database.exec(`UPDATE exchanges SET outcome = 'by hand' WHERE seq = 4`);
    database.close();
    await compactInSlices(path);
    expect(asked(path, `SELECT seq, length(id) AS id FROM exchanges WHERE length(id) = 40`)).toEqual([
      { seq: 4, id: 40 },
    ]);
  });

  it('are brought into it by the app when it owns the folder, on another thread', async () => {
    const path = ofVersion6(5);
    const { history, sums } = open(path);
    await sums.tidy();
    expect(asked(path, isCompactingDueSql)).toEqual([]);
    expect(history.find(id(3))?.session).toBe(session);
    await sums.close();
    history.close();
  });
});

const quarter = 900_000;

function openHere() {
  const path = join(temporaryFolder(), 'history.db');
  return { path, ...openHistory(path, { clock: fakeClock(), log: collectingLog() }) };
}

function row(id: string, startedAt: number, change: Parameters<typeof exampleExchange>[0] = {}) {
  return exampleExchange({ id, startedAt, ...change });
}

/** How many quarters have kept sums. */
function kept(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = database.prepare('SELECT count(DISTINCT quarter) AS count FROM quarter_sums').get()?.count;
  database.close();
  return count;
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

const requests = (rows: readonly TotalsRow[]): [string, number][] => rows.map((one) => [one.key, one.requests]);

describe('kept sums', () => {
  it('are of every quarter but the last, and each is added up once', async () => {
    const { path, history } = openHere();
    for (const at of [1, 2, quarter, 5 * quarter, 9 * quarter]) history.record(row(`at ${at}`, at));
    history.flush();
    expect(await sumUpInSlices(path)).toBe(3);
    expect(await sumUpInSlices(path)).toBe(0);
    // They are what is asked: a figure that was changed there is in the answer.
    execute(path, 'UPDATE quarter_sums SET requests = 100 WHERE quarter = 0');
    expect(requests(history.totals('client', 0))).toEqual([['claude-code', 103]]);
    expect(requests(history.totals('model', quarter))).toEqual([['claude-opus-5.5', 3]]);
    history.close();
  });

  it('of a quarter go when a row of it comes, is replaced or goes', async () => {
    const { path, history } = openHere();
    for (let at = 0; at < 6; at += 1) history.record(row(`${at}`, at * quarter));
    history.flush();
    await sumUpInSlices(path);
    expect(kept(path)).toBe(5);
    history.record(row('late', 2 * quarter + 5));
    history.record(row('3', 3 * quarter, { initiator: 'agent' }));
    history.flush();
    expect(kept(path)).toBe(3);
    expect(history.totals('client', 0)).toMatchObject([{ requests: 7, user: 6, agent: 1 }]);
    expect(history.prune(quarter + 1)).toBe(2);
    expect(kept(path)).toBe(1);
    expect(history.totals('client', 0)).toMatchObject([{ requests: 5 }]);
    expect(history.prune(99 * quarter)).toBe(5);
    expect(history.totals('client', 0)).toEqual([]);
    // What tells of a row that goes is there again.
    for (let at = 0; at < 3; at += 1) history.record(row(`again ${at}`, at * quarter));
    history.flush();
    expect(await sumUpInSlices(path)).toBe(2);
    execute(path, 'DELETE FROM exchanges WHERE started_at = 0');
    expect(kept(path)).toBe(1);
    history.close();
  });

  it('of a quarter with thousands of rows are not kept, so that no write waits for them', async () => {
    const { path, history } = openHere();
    for (let count = 0; count < 2_001; count += 1) {
      history.record(row(`many ${count}`, quarter + count));
      if (count % 500 === 0) history.flush();
    }
    history.record(row('few', 0));
    history.record(row('last', 3 * quarter));
    history.flush();
    expect(await sumUpInSlices(path)).toBe(1);
    expect(requests(history.totals('client', 0))).toEqual([['claude-code', 2_003]]);
    history.close();
  });

  it('never change an answer, wherever it begins', { timeout: 60_000 }, async () => {
    const at = fc.nat(300 * quarter);
    const rows = fc.array(fc.record({ at, model: fc.constantFrom('a', 'b', null), nanoAiu: fc.nat() }), {
      maxLength: 80,
    });
    const since = fc.oneof(
      at,
      fc.nat(300).map((count) => count * quarter),
    );
    await fc.assert(
      fc.asyncProperty(rows, fc.array(since, { minLength: 1, maxLength: 3 }), async (some, begins) => {
        const { path, history } = openHere();
        for (const [index, { at: startedAt, model, nanoAiu }] of some.entries()) {
          const charge = { ...exampleExchange().charge, nanoAiu };
          history.record(row(`${index}`, startedAt, { servedModel: model, client: model ?? 'none', charge }));
        }
        const ask = () =>
          begins.flatMap((from) => (['hour', 'day', 'model', 'client'] as const).map((by) => history.totals(by, from)));
        const before = ask();
        await sumUpInSlices(path);
        expect(ask()).toEqual(before);
        const first = begins[0] ?? 0;
        expect(history.totals('client', first).reduce((sum, each) => sum + each.requests, 0)).toBe(
          some.filter((one) => one.at >= first).length,
        );
        history.close();
      }),
      { numRuns: 8 },
    );
  });
});
