import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { compactInSlices, isCompactingDueSql } from '../../../app/history/compacting.ts';
import { openHistory } from '../../../app/history/history.ts';
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
