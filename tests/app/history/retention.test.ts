import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TotalsRow } from '../../../app/api/history.ts';
import { openHistory } from '../../../app/history/history.ts';
import { KeptDays, sumUpInSlices } from '../../../app/history/retention.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { soon } from '../../soon.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const day = 24 * 60 * 60 * 1000;
const today = 1_795_000_000_000;

/** Requests of so many days ago, kept for 90 days. */
function opened(days: readonly number[]) {
  const folder = temporaryFolder();
  const log = collectingLog();
  const { history, sums } = openHistory(join(folder, 'history.db'), { clock: fakeClock(today), log });
  for (const ago of days) history.record(exampleExchange({ id: `${ago}`, startedAt: today - ago * day }));
  let now = today;
  const settings = SettingsStore.open(join(folder, 'settings.json'), log).store;
  const keptDays = new KeptDays({ sums, settings, clock: { now: () => now }, readOnly: false });
  return {
    history,
    keptDays,
    setClock: (at: number) => {
      now = at;
    },
    ids: () => history.recent({ limit: 100 }).map(({ id }) => id),
  };
}

it('what is older than the settings keep goes, at a start and once a day', async () => {
  const { history, keptDays, setClock, ids } = opened([91, 90.5, 89.5, 2, 0]);
  keptDays.prune();
  await soon(() => expect(ids()).toEqual(['89.5', '2', '0']));
  setClock(today + day - 1);
  keptDays.pruneDaily();
  expect(ids()).toEqual(['89.5', '2', '0']);
  setClock(today + day + 1);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['2', '0']));
  history.close();
});

it('a clock that jumps far ahead takes no history, and once it is right again old rows go as ever', async () => {
  const { history, keptDays, setClock, ids } = opened([80, 2, 0]);
  keptDays.prune();
  const year2090 = Date.UTC(2090, 0);
  setClock(year2090);
  // A request ends while the clock is wrong.
  history.record(exampleExchange({ id: 'of 2090', startedAt: year2090 - 5_000 }));
  keptDays.pruneDaily();
  keptDays.prune();
  expect(ids()).toEqual(['80', '2', '0', 'of 2090']);
  setClock(today + 11 * day);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['2', '0', 'of 2090']));
  history.close();
});

it('after a pause longer than that, old rows go on the day after the first request', async () => {
  const { history, keptDays, setClock, ids } = opened([3, 0]);
  const back = today + 200 * day;
  setClock(back);
  history.record(exampleExchange({ id: 'back', startedAt: back }));
  keptDays.prune();
  expect(ids()).toEqual(['3', '0', 'back']);
  setClock(back + day + 1);
  keptDays.pruneDaily();
  await soon(() => expect(ids()).toEqual(['back']));
  history.close();
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
