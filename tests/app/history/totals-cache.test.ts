import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { History, openHistory } from '../../../app/history/history.ts';
import { Store } from '../../../app/history/store.ts';
import { Reader, Sums } from '../../../app/history/totals-cache.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

/** Enough to be asked on another thread. */
const many = 5_100;

function filled(path: string, rows: number): void {
  const { history } = openHistory(path, { clock: fakeClock(), log: collectingLog() });
  for (let row = 0; row < rows; row += 1) {
    history.record(
      exampleExchange({
        id: `ex-${row}`,
        startedAt: row * 60_000,
        client: row % 3 === 0 ? 'a' : 'b',
        session: `session-${row % 7}`,
        askedModel: row % 2 === 0 ? 'opus' : 'sonnet',
      }),
    );
    if (row % 1_000 === 0) history.flush();
  }
  history.close();
}

function opened(options: { rows: number; thread?: URL; readOnly?: boolean }) {
  const path = join(temporaryFolder(), 'history.db');
  filled(path, options.rows);
  const log = collectingLog();
  const store = new Store(path, { clock: fakeClock(), log, readOnly: options.readOnly ?? false });
  const history = new History(store, log, 0);
  const sums = new Sums(store, history, new Reader(path, log, options.thread));
  const here = vi.spyOn(history, 'answer');
  onTestFinished(async () => {
    await sums.close();
    history.close();
  });
  return { path, history, sums, here, log };
}

const asks = (sums: Sums) =>
  Promise.all([
    sums.totals('hour', 0),
    sums.totals('model', 0, 'utc'),
    sums.cacheSavings(0),
    sums.cacheMisses(0),
    sums.conversations({ since: 0, limit: 5, offset: 1 }),
    sums.conversation({ since: 0, client: 'a', session: 'session-3' }),
    sums.askedNames(0),
  ]);

describe('sums over many rows', () => {
  it('are what they would be here, and are not made here', async () => {
    const { history, sums, here } = opened({ rows: many });
    const found = await asks(sums);
    expect(here).not.toHaveBeenCalled();
    expect(found).toEqual([
      history.totals('hour', 0),
      history.totals('model', 0, 'utc'),
      history.cacheSavings(0),
      history.answer('cacheMisses', { since: 0 }),
      history.conversations({ since: 0, limit: 5, offset: 1 }),
      history.conversation({ since: 0, client: 'a', session: 'session-3' }),
      history.askedNames(0),
    ]);
    expect(found[0].reduce((all, { requests }) => all + requests, 0)).toBe(many);
  });

  it('know of a row that was recorded a moment before, and of one that went', async () => {
    const { history, sums } = opened({ rows: many });
    const requests = async (): Promise<number> =>
      (await sums.totals('client', 0)).reduce((all, row) => all + row.requests, 0);
    expect(await requests()).toBe(many);
    history.record(exampleExchange({ id: 'new', startedAt: many * 60_000 }));
    expect(await requests()).toBe(many + 1);
    history.prune(10 * 60_000);
    expect(await requests()).toBe(many + 1 - 10);
  });

  it('are made once while nothing changes, by whomever', async () => {
    const { path, sums } = opened({ rows: many });
    const asked = vi.spyOn(Reader.prototype, 'ask');
    expect(await sums.totals('day', 0)).toBe(await sums.totals('day', 0));
    expect(asked).toHaveBeenCalledTimes(1);
    const other = new DatabaseSync(path);
    other.exec(`UPDATE exchanges SET client = 'c'`);
    other.close();
    expect(await sums.totals('client', 0)).toMatchObject([{ key: 'c', requests: many }]);
    await sums.totals('day', 0);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('are made here where there are few rows', async () => {
    const { sums } = opened({ rows: 20 });
    const asked = vi.spyOn(Reader.prototype, 'ask');
    expect(await sums.totals('client', 0)).toMatchObject([{ requests: 13 }, { requests: 7 }]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('are made here where no thread can be had, which is said once', async () => {
    const { sums, here, log } = opened({ rows: many, thread: new URL('file:///nonexistent/thread.js') });
    expect(await sums.totals('client', 0)).toMatchObject([{ requests: 3400 }, { requests: 1700 }]);
    expect(await sums.askedNames(0)).toEqual(['sonnet', 'opus']);
    expect(here).toHaveBeenCalledTimes(2);
    expect(log.lines.map(({ event }) => event)).toEqual(['history.no-reader']);
  });

  it('go on after the thread was let go, and fail when the history is closed', async () => {
    const { history, sums, here } = opened({ rows: many });
    const first = sums.totals('client', 0);
    await sums.close();
    expect(await first).toMatchObject([{ requests: 3400 }, { requests: 1700 }]);
    expect(here).toHaveBeenCalledTimes(1);
    expect(await sums.totals('client', 1)).toHaveLength(2);
    expect(here).toHaveBeenCalledTimes(1);
    await sums.close();
    history.close();
    await expect(sums.totals('client', 2)).rejects.toThrow('The request history is closed.');
  });

  it('follow a file that was damaged and put aside', async () => {
    const { history, sums } = opened({ rows: many });
    expect(await sums.totals('client', 0)).toHaveLength(2);
    sums.renewed();
    history.record(exampleExchange({ id: 'after', client: 'later', startedAt: 1e12 }));
    expect((await sums.totals('client', 1e12)).map(({ key }) => key)).toEqual(['later']);
  });
});

describe('what clients cost', () => {
  const sorted = (costs: readonly unknown[]): string[] => costs.map((cost) => JSON.stringify(cost)).toSorted();

  it('is kept with what rows add to it, and added up anew where one of them went or was replaced', async () => {
    const { history, sums, here } = opened({ rows: 60 });
    /** Whether all rows were added up for it. */
    const asked = async (): Promise<unknown> => {
      const found = sorted(await sums.clientCosts());
      const isWhole: unknown = here.mock.results.at(-1)?.value.isWhole;
      expect(found).toEqual(sorted(history.answer('laterCosts', { after: null }).costs));
      return isWhole;
    };
    const record = (id: string, more: object = {}): void =>
      history.record(exampleExchange({ id, startedAt: 1e12, client: 'a', session: 'session-1', ...more }));
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(false);
    record('new', { charge: { kind: 'unknown', nanoAiu: null, premiumRequests: 0.33, partial: true, details: [] } });
    record('newer', { session: 'another' });
    expect(await asked()).toBe(false);
    record('newer', { session: 'one more' });
    expect(await asked()).toBe(true);
    record('ex-30');
    expect(await asked()).toBe(true);
    history.prune(10 * 60_000);
    record('newest');
    expect(await asked()).toBe(true);
    const rows = history.count();
    history.delete(Number.MAX_SAFE_INTEGER);
    expect(await asked()).toBe(true);
    for (let row = 0; row < rows; row += 1) record(`again-${row}`);
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(false);
    // As many rows as before, the last of which has the number of the last one before.
    history.delete(Number.MAX_SAFE_INTEGER);
    for (let row = 0; row < rows; row += 1) record(`once-more-${row}`, { session: 'other' });
    expect(await asked()).toBe(true);
  });

  it('is the same from another thread, for all who ask at once', async () => {
    const { history, sums, here } = opened({ rows: many });
    const both = async (): Promise<void> => {
      const [one, other] = await Promise.all([sums.clientCosts(), sums.clientCosts()]);
      expect(here).not.toHaveBeenCalled();
      const anew = sorted(history.answer('laterCosts', { after: null }).costs);
      here.mockClear();
      expect([sorted(one), sorted(other)]).toEqual([anew, anew]);
    };
    await both();
    for (let row = 0; row < 3; row += 1) {
      history.record(exampleExchange({ id: `new-${row}`, startedAt: 1e12 + row, client: 'a', session: `s-${row}` }));
      await both();
    }
  });
});

function keptSums(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = database.prepare('SELECT count(*) AS count FROM quarter_sums').get()?.count;
  database.close();
  return count;
}

describe('pruning of many rows', () => {
  it('is done on the other thread, and takes what it is to take', async () => {
    const { history, sums } = opened({ rows: many });
    const onThisThread = vi.spyOn(history, 'prune');
    await sums.prune(5_000 * 60_000);
    expect(onThisThread).not.toHaveBeenCalled();
    expect(history.count()).toBe(many - 5_000);
    expect(history.recent({ limit: many })[0]?.id).toBe('ex-5000');
  });

  it('is left to the process that owns the file', async () => {
    const { path, history, sums } = opened({ rows: many, readOnly: true });
    await sums.prune(5_000 * 60_000);
    await sums.tidy();
    expect(history.count()).toBe(many);
    expect(keptSums(path)).toBe(0);
  });

  it('lets rows be written in between', async () => {
    const { history, sums } = opened({ rows: many });
    let pruning = true;
    const done = sums.prune(5_000 * 60_000).finally(() => {
      pruning = false;
    });
    let written = 0;
    while (pruning) {
      history.record(exampleExchange({ id: `new-${written++}`, startedAt: many * 60_000 }));
      history.flush();
      expect(history.problem()).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await done;
    expect(written).toBeGreaterThan(5);
    expect(history.count()).toBe(many - 5_000 + written);
  });

  it('of a few rows needs no other thread', async () => {
    const { history, sums } = opened({ rows: 300, thread: new URL('file:///nowhere.js') });
    await sums.prune(100 * 60_000);
    expect(history.count()).toBe(200);
  });

  it('leaves them for the next time where the thread can’t be had', async () => {
    const { history, sums } = opened({ rows: 300, thread: new URL('file:///nowhere.js') });
    await sums.prune(250 * 60_000);
    expect(history.count()).toBe(300);
  });
});
