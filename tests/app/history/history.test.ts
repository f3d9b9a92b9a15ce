import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Charge, Exchange, Shape } from '../../../app/api/exchange.ts';
import type { TotalsRow } from '../../../app/api/history.ts';
import { openHistory } from '../../../app/history/history.ts';
import { bareExchange, exampleExchange } from './example.ts';
import { collectingLog, fakeClock, nextTurn, temporaryFolder } from './surroundings.ts';

function open(path = join(temporaryFolder(), 'history.db'), readOnly = false) {
  const clock = fakeClock();
  const log = collectingLog();
  return { path, clock, log, ...openHistory(path, { clock, log, readOnly }) };
}

describe('a history', () => {
  it('C20.3 gives every exchange back as it was, failed ones and bare ones too', () => {
    const { path, history } = open();
    history.record(exampleExchange());
    history.record(bareExchange());
    history.close();
    const again = open(path);
    expect(again.warnings).toEqual([]);
    expect(again.history.recent({ limit: 10 })).toEqual([exampleExchange(), bareExchange()]);
    again.history.close();
  });

  it('gives any exchange back as it was', () => {
    const { history } = open();
    const amount = fc.option(fc.nat(), { nil: null });
    const text = fc.option(fc.string({ unit: 'binary' }), { nil: null });
    const time = fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), { nil: null });
    // As a row keeps it: hundredths below 100, whole ones from there on.
    const kept = fc.oneof(
      fc.nat(9_999).map((hundredths) => hundredths / 100),
      fc.integer({ min: 100 }),
    );
    const moment = fc.option(kept, { nil: null });
    const word = fc.string({ unit: 'binary', maxLength: 4 });
    const id = fc.oneof(text, fc.uuid(), fc.stringMatching(/^[~=!]?[\w-]{0,22}$/));
    const name = fc.option(fc.constantFrom('Read', 'two words', '', '1'), { nil: null });
    const block = fc.record({ type: fc.constantFrom('text', 'thinking', 'tool_use', 'other', ''), name });
    const estimate = fc.tuple(fc.nat(999), fc.nat(6)).map(([digits, zeros]) => digits * 10 ** zeros);
    const shape: fc.Arbitrary<Shape> = fc.record({
      request: fc.option(
        fc.record(
          {
            bytes: fc.nat(),
            messages: fc.dictionary(fc.constantFrom('user', 'assistant', 'system', 'other'), fc.nat()),
            tools: fc.nat(),
            images: fc.nat(),
            thinking: text,
            context: fc.record({
              parts: fc.dictionary(fc.constantFrom('system', 'mcp', 'results'), estimate),
              room: fc.option(fc.nat(), { nil: null }),
            }),
          },
          { requiredKeys: ['bytes', 'messages', 'tools', 'images', 'thinking'] },
        ),
        { nil: null },
      ),
      answer: fc.option(
        fc.record({
          bytes: fc.nat(),
          events: amount,
          blocks: fc.array(block, { maxLength: 4 }),
          longestGap: moment,
          pings: fc.nat(3),
        }),
        { nil: null },
      ),
      toolsBefore: fc.array(fc.record({ name: word, took: fc.nat() }), { maxLength: 3 }),
    });
    const reason = fc.record({ code: fc.constant('prompt' as const), rule: word, sentence: fc.string() });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
    const detail = fc.record({ type: word, count: number, costPerBatch: number, batchSize: number });
    const always = { at: number, status: amount, retriedBecause: text, upstreamRequestId: text };
    const attempt = fc.oneof(
      fc.record(always),
      fc.record({ ...always, token: number }),
      fc.record({ ...always, connect: number }),
      fc.record({ ...always, token: number, connect: number }),
      fc.record({ ...always, token: number, connect: number, sentAs: word }),
      fc.record({ ...always, sentAs: word }),
    );
    const rule = fc.record({ client: fc.string({ minLength: 1, maxLength: 4 }), class: fc.constant('main' as const) });
    const exchange: fc.Arbitrary<Exchange> = fc
      .record({
        startedAt: fc.maxSafeNat(),
        client: fc.string({ unit: 'binary' }),
        session: id,
        prompt: id,
        reason: fc.option(reason, { nil: null }),
        requestClass: text,
        askedModel: text,
        servedModel: text,
        stopReason: text,
        status: amount,
        times: fc.record({ sent: moment, headers: moment, firstEvent: moment, lastEvent: moment }),
        shape,
        tokens: fc.record({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount }),
        upstreamRequestIds: fc.array(fc.string({ unit: 'binary' })),
        fits: fc.array(fc.record({ code: word, count: fc.integer({ min: 1 }), text: word }), { maxLength: 3 }),
        attempts: fc.array(attempt, { maxLength: 3 }),
        rule: fc.oneof(fc.constant({}), rule),
        charge: fc.record({
          kind: fc.constantFrom('billed', 'free', 'unknown', 'none'),
          nanoAiu: amount,
          premiumRequests: time,
          partial: fc.boolean(),
          details: fc.array(detail, { maxLength: 4 }),
        }),
      })
      .map((change) => bareExchange(change));
    fc.assert(
      fc.property(exchange, (one) => {
        history.record(one);
        expect(history.recent({ limit: 1_000 }).find(({ id }) => id === one.id)).toEqual(one);
      }),
      { numRuns: 100 },
    );
    history.close();
  });

  it('keeps the times of an exchange to the hundredth of a ms, and to the ms from 100 on', () => {
    const { history } = open();
    const times = { read: 0.123, sent: 99.994, headers: 99.996, firstEvent: 1234.5678, lastEvent: Number.NaN };
    history.record(exampleExchange({ times }));
    history.flush();
    const kept = { read: 0.12, sent: 99.99, headers: 100, firstEvent: 1235, lastEvent: null };
    expect(history.find('ex-1')?.times).toEqual(kept);
    history.close();
  });

  it('writes after the turn in which it was told, all rows at once', async () => {
    const { path, history } = open();
    const reader = new DatabaseSync(path, { readOnly: true });
    const rows = () => reader.prepare('SELECT count(*) AS n FROM exchanges').get()?.n;
    for (let count = 0; count < 50; count++) history.record(exampleExchange({ id: `ex-${count}` }));
    expect(rows()).toBe(0);
    await nextTurn();
    expect(rows()).toBe(50);
    reader.close();
    history.close();
  });

  it('loses none of many in one turn', async () => {
    const { history } = open();
    for (let count = 0; count < 5_000; count++) history.record(exampleExchange({ id: `ex-${count}` }));
    await nextTurn();
    expect(history.count()).toBe(5_000);
    history.close();
  });

  it('waits for the disk when it is quiet, not while exchanges come in', async () => {
    const { path, history, clock } = open();
    const inTheFileAlone = () => {
      const copy = `${path}.copy`;
      copyFileSync(path, copy);
      const reader = new DatabaseSync(copy, { readOnly: true });
      const tables = reader.prepare(`SELECT name FROM sqlite_schema WHERE name = 'exchanges'`).all();
      const rows = tables.length === 0 ? 0 : reader.prepare('SELECT count(*) AS n FROM exchanges').get()?.n;
      reader.close();
      return rows;
    };
    for (let count = 0; count < 400; count++) {
      history.record(exampleExchange({ id: `ex-${count}` }));
      await clock.advance(10);
    }
    expect(inTheFileAlone()).toBe(0);
    await clock.advance(3_000);
    expect(inTheFileAlone()).toBe(400);
    history.close();
  });

  it('gives the exchanges of some clients since a time, the oldest first', () => {
    const { history } = open();
    const rows = [
      ...[
        ['before', 'one', 1],
        ['later', 'one', 9],
        ['other', 'two', 5],
      ].map(([id, client, startedAt]) =>
        bareExchange({ id: String(id), client: String(client), startedAt: Number(startedAt) }),
      ),
      bareExchange({ id: 'foreign', client: 'three', startedAt: 6 }),
    ];
    for (const row of rows) history.record(row);
    expect(history.ofClients(['one', 'two'], 2).map(({ id }) => id)).toEqual(['other', 'later']);
    expect(history.ofClients([], 0)).toEqual([]);
  });

  it('gives the last that came, also where the clock was set back, and else by their start', () => {
    const { history } = open();
    const ended = (id: string, startedAt: number, lastEvent: number): void =>
      history.record(bareExchange({ id, startedAt, times: { ...bareExchange().times, lastEvent } }));
    ended('future', 9_000_000, 10);
    ended('late', 2_000, 10);
    // It began before the one that ended first.
    ended('long', 1_000, 5_000);
    ended('last', 8_000, 10);
    const ids = (limit: number) => history.lastArrived(limit).map(({ id }) => id);
    expect([ids(10), ids(1)]).toEqual([['future', 'long', 'late', 'last'], ['last']]);
  });

  it('pages backwards with the id of an exchange, the newest last', () => {
    const { history } = open();
    // Two at the same time: the order in which they were recorded decides.
    for (const [index, startedAt] of [10, 20, 20, 30, 5].entries()) {
      history.record(exampleExchange({ id: `ex-${index}`, startedAt }));
    }
    const ids = (options: { limit: number; before?: string }) => history.recent(options).map(({ id }) => id);
    expect(ids({ limit: 2 })).toEqual(['ex-2', 'ex-3']);
    expect(ids({ limit: 2, before: 'ex-2' })).toEqual(['ex-0', 'ex-1']);
    expect(ids({ limit: 2, before: 'ex-0' })).toEqual(['ex-4']);
    expect(ids({ limit: 2, before: 'ex-4' })).toEqual([]);
    expect(ids({ limit: 2, before: 'never-seen' })).toEqual([]);
    expect(ids({ limit: 0 })).toEqual([]);
    expect(history.count()).toBe(5);
    history.close();
  });

  it('finds one exchange by its id, written or not yet, and none that is not kept', () => {
    const { history } = open();
    history.record(exampleExchange());
    expect(history.find(exampleExchange().id)).toEqual(exampleExchange());
    history.flush();
    expect(history.find(exampleExchange().id)).toEqual(exampleExchange());
    expect(history.find('another')).toBeNull();
    const charge = { ...exampleExchange().charge, kind: 'unknown' as const, nanoAiu: null, estimate: 8_860_000_000 };
    history.record(exampleExchange({ id: 'stopped', outcome: 'cancelled', charge }));
    history.flush();
    expect(history.find('stopped')).toEqual(exampleExchange({ id: 'stopped', outcome: 'cancelled', charge }));
    history.close();
  });

  it('lists what is older than an exchange with no more than a list shows', () => {
    const { history } = open();
    history.record(bareExchange({ id: 'a', startedAt: 1 }));
    history.record(exampleExchange({ id: 'b', startedAt: 2 }));
    history.record(bareExchange({ id: 'c', startedAt: 3 }));
    const [first, second, ...more] = history.list({ limit: 10, before: 'c' });
    const { attempts, fits, tokens } = exampleExchange();
    expect(first).toMatchObject({
      id: 'a',
      reason: null,
      input: null,
      attempts: 0,
      changes: '',
      charge: bareExchange().charge.kind,
    });
    expect(second).toMatchObject({
      id: 'b',
      asked: exampleExchange().askedModel,
      model: exampleExchange().servedModel,
      attempts: attempts.length,
      changes: fits.map(({ code }) => code).join(' '),
      input: (tokens.input ?? 0) + (tokens.cacheWrite ?? 0),
      took: exampleExchange().times.lastEvent,
    });
    expect(more).toEqual([]);
    expect(history.list({ limit: 1, before: 'c' }).map(({ id }) => id)).toEqual(['b']);
    expect(history.list({ limit: 1, before: 'unknown' })).toEqual([]);
    history.close();
  });

  it('replaces the row of an exchange that is recorded again', () => {
    const { history } = open();
    history.record(exampleExchange({ outcome: 'cut' }));
    history.record(exampleExchange({ outcome: 'done' }));
    expect(history.recent({ limit: 10 })).toEqual([exampleExchange({ outcome: 'done' })]);
    history.close();
  });

  it('names the models that were used since a time, with what the last one of each had asked for', () => {
    const { history } = open();
    const used = [
      ['b', 'b-first', 5],
      ['a', 'early', 1],
      [null, 'nothing', 9],
      ['b', 'b-last', 8],
      ['c', 'c-last', 6],
      ['b', null, 7],
    ] as const;
    for (const [servedModel, askedModel, startedAt] of used) {
      history.record(exampleExchange({ id: `ex-${startedAt}`, servedModel, askedModel, startedAt }));
    }
    const [b, c] = [
      { model: 'b', asked: 'b-last' },
      { model: 'c', asked: 'c-last' },
    ];
    expect(history.usedModels(0)).toEqual([{ model: 'a', asked: 'early' }, b, c]);
    expect(history.usedModels(6)).toEqual([b, c]);
    expect(history.usedModels(9)).toEqual([]);
    history.close();
    const { history: empty } = open();
    expect(empty.usedModels(0)).toEqual([]);
    empty.close();
  });

  it('prunes what is older than a time', () => {
    const { history } = open();
    for (const startedAt of [1, 2, 3, 4]) history.record(exampleExchange({ id: `ex-${startedAt}`, startedAt }));
    expect(history.prune(3)).toBe(2);
    expect(history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['ex-3', 'ex-4']);
    expect(history.prune(Number.POSITIVE_INFINITY)).toBe(2);
    expect(history.count()).toBe(0);
    history.close();
  });

  it('does not stumble over a row that was changed by hand', () => {
    const { path, history, log } = open();
    history.record(exampleExchange({ id: 'good' }));
    history.record(exampleExchange({ id: 'odd' }));
    history.flush();
    const hand = new DatabaseSync(path);
    hand.exec(`UPDATE exchanges SET fits = 'no json' WHERE id = 'odd'`);
    hand.close();
    expect(history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['good']);
    expect(log.lines).toEqual([{ level: 'warn', event: 'history-row-unreadable', facts: { id: 'odd' } }]);
    history.close();
  });

  it('stores no amount that is none', () => {
    const { history } = open();
    const tokens = { input: Number.NaN, output: Number.POSITIVE_INFINITY, cacheRead: 2 ** 60, cacheWrite: 1.4 };
    history.record(exampleExchange({ tokens }));
    expect(history.recent({ limit: 1 })[0]?.tokens).toEqual({
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: 1,
    });
    history.close();
  });

  it('survives kill -9 right after the turn in which exchanges were recorded', () => {
    const path = join(temporaryFolder(), 'history.db');
    const child = spawnSync(process.execPath, [join(import.meta.dirname, 'fixtures/record-and-die.ts'), path], {
      encoding: 'utf8',
    });
    expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
    const { history, ledger, warnings } = open(path);
    expect(warnings).toEqual([]);
    expect(history.recent({ limit: 10 })).toEqual(
      [0, 1, 2].map((count) => exampleExchange({ id: `ex-${count}`, startedAt: count })),
    );
    // Its answer ran when the process was killed: we ended it.
    ledger.takeOver();
    expect(ledger.accepted('key-a')).toEqual({ ending: 'cut' });
    history.close();
  });
});

describe('what is at Copilot', () => {
  const sent = (id: string) => exampleExchange({ id, outcome: 'running', status: null, failure: null });
  const cut = (id: string): Exchange => ({
    ...sent(id),
    outcome: 'cut',
    failure: {
      source: 'jumpseat',
      status: null,
      code: 'killed',
      message: 'Jumpseat was ended while this request was at Copilot.',
      clientMessage: null,
    },
    charge: { ...exampleExchange().charge, kind: 'unknown', partial: true },
  });

  it('is a row after a process that was killed, at the turn in which it was sent, and one row alone', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    first.history.sends(sent('ex-1'));
    first.history.sends(sent('ex-2'));
    first.history.sends(sent('ex-2'));
    // Nobody closes it: what is seen now is what a killed process leaves.
    const second = open(path);
    expect(second.history.recent({ limit: 10 })).toEqual([]);
    second.history.takeOver();
    expect(second.history.recent({ limit: 10 })).toEqual([cut('ex-1'), cut('ex-2')]);
    expect(second.log.lines.map(({ event }) => event)).toEqual(['history-taken-over']);
    second.history.close();
    const third = open(path);
    third.history.takeOver();
    expect(third.history.recent({ limit: 10 })).toEqual([cut('ex-1'), cut('ex-2')]);
    expect(third.log.lines).toEqual([]);
    third.history.close();
    first.history.close();
  });

  it('is not taken from the process that runs it, nor told twice of one that ended', () => {
    const path = join(temporaryFolder(), 'history.db');
    const { history } = open(path);
    history.sends(sent('ex-1'));
    history.sends(sent('ex-2'));
    history.record(exampleExchange({ id: 'ex-1' }));
    history.takeOver();
    expect(history.recent({ limit: 10 })).toEqual([exampleExchange({ id: 'ex-1' })]);
    history.record(exampleExchange({ id: 'ex-2' }));
    history.close();
    const next = open(path);
    next.history.takeOver();
    expect(next.history.recent({ limit: 10 })).toEqual([
      exampleExchange({ id: 'ex-1' }),
      exampleExchange({ id: 'ex-2' }),
    ]);
    next.history.close();
  });

  it('what says nothing is dropped, and said', () => {
    const { path, history, log } = open();
    const hand = new DatabaseSync(path);
    hand.exec(`INSERT INTO unfinished (id, exchange) VALUES ('ex-1', '{'), ('ex-2', '{"id":"ex-2"}')`);
    hand.close();
    history.takeOver();
    history.takeOver();
    expect(history.recent({ limit: 10 })).toEqual([]);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-row-unreadable', 'history-row-unreadable']);
    history.close();
  });
});

describe('totals', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('add up by account, those of a time with one under no name', () => {
    const { history } = open();
    for (const [index, account] of ['Work', undefined, 'Work', 'alex'].entries()) {
      history.record(exampleExchange({ id: `ex-${index}`, ...(account !== undefined && { account }) }));
    }
    expect(history.totals('account', 0).map(({ key, requests }) => [key, requests])).toEqual([
      ['Work', 2],
      ['', 1],
      ['alex', 1],
    ]);
    expect(history.totals('account', Number.MAX_SAFE_INTEGER)).toEqual([]);
  });

  it('add up by model and by client, the most requests first', () => {
    const { history } = open();
    const charge = exampleExchange().charge;
    const rows: Partial<Exchange>[] = [
      { servedModel: 'opus', client: 'a' },
      {
        servedModel: 'opus',
        client: 'b',
        initiator: 'agent',
        charge: { ...charge, kind: 'free', nanoAiu: 0, premiumRequests: 0 },
      },
      { servedModel: 'opus', client: 'a', outcome: 'cut', charge: { ...charge, kind: 'unknown', nanoAiu: null } },
      {
        servedModel: null,
        askedModel: 'sonnet',
        client: 'a',
        outcome: 'failed',
        initiator: null,
        charge: { ...charge, kind: 'none', nanoAiu: null, premiumRequests: null },
      },
      { servedModel: null, askedModel: null, client: 'a', startedAt: 5 },
    ];
    for (const [index, row] of rows.entries()) history.record(exampleExchange({ id: `ex-${index}`, ...row }));
    const tokens = (requests: number) => ({
      input: 9 * requests,
      output: 13 * requests,
      cacheRead: 5071 * requests,
      cacheWrite: 0,
    });
    expect(history.totals('model', 1_000)).toEqual([
      {
        key: 'opus',
        requests: 3,
        user: 2,
        agent: 1,
        billed: 1,
        free: 1,
        unknown: 1,
        unestimated: 1,
        failed: 1,
        reported: 0,
        estimated: 3,
        nanoAiu: 290_550_000,
        premiumRequests: 0.66,
        userNanoAiu: 290_550_000,
        agentNanoAiu: 0,
        ...tokens(3),
      },
      {
        key: 'sonnet',
        requests: 1,
        user: 0,
        agent: 0,
        billed: 0,
        free: 0,
        unknown: 0,
        failed: 1,
        reported: 0,
        estimated: 0,
        nanoAiu: 0,
        premiumRequests: 0,
        userNanoAiu: 0,
        agentNanoAiu: 0,
        ...tokens(1),
      },
    ]);
    expect(history.totals('client', 0).map(({ key, requests }) => ({ key, requests }))).toEqual([
      { key: 'a', requests: 4 },
      { key: 'b', requests: 1 },
    ]);
    expect(history.totals('model', 0).map(({ key }) => key)).toEqual(['opus', '', 'sonnet']);
    history.close();
  });

  it('part credits by who started the request; a search was started by neither', () => {
    const { history } = open();
    const { charge } = exampleExchange();
    for (const [index, initiator] of (['user', 'agent', 'agent', null] as const).entries())
      history.record(exampleExchange({ id: `ex-${index}`, initiator, charge: { ...charge, nanoAiu: 10 ** index } }));
    expect(history.totals('day', 0)).toMatchObject([{ nanoAiu: 1111, userNanoAiu: 1, agentNanoAiu: 110 }]);
    history.close();
  });

  it('are by purpose, as the reason of each request says it', () => {
    const { history } = open();
    const codes = ['prompt', 'tool-results', 'subagent', 'compaction', 'auxiliary', 'side-question', 'repeat'] as const;
    for (const [index, code] of codes.entries())
      history.record(exampleExchange({ id: `ex-${index}`, reason: { code, rule: code, sentence: code } }));
    history.record(exampleExchange({ id: 'web', api: 'web', initiator: null, reason: null }));
    expect(Object.fromEntries(history.totals('purpose', 0).map(({ key, requests }) => [key, requests]))).toEqual({
      ...{ main: 2, subagent: 1, compaction: 1, side: 2, repeat: 1, search: 1 },
    });
    history.close();
  });

  it('add up whatever happened: by initiator, and by charge with what failed', () => {
    const row = fc.record({
      initiator: fc.constantFrom<Exchange['initiator']>('user', 'agent', null),
      kind: fc.constantFrom<Charge['kind']>('billed', 'free', 'unknown', 'none'),
      nanoAiu: fc.oneof(fc.constant(null), fc.nat()),
      outcome: fc.constantFrom<Exchange['outcome']>('done', 'cut', 'failed', 'cancelled', 'declined'),
      startedAt: fc.nat(10 * 86_400_000),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const { history } = open();
        for (const [index, { kind, nanoAiu, ...own }] of rows.entries()) {
          const charge = { kind, nanoAiu, premiumRequests: null, partial: false, details: [] };
          history.record(exampleExchange({ id: `ex-${index}`, ...own, charge }));
        }
        const all = rows.reduce((sum, { nanoAiu }) => sum + (nanoAiu ?? 0), 0);
        for (const by of ['day', 'model', 'client'] as const) {
          const totals = history.totals(by, 0);
          const sum = (of: (row: TotalsRow) => number) => totals.reduce((whole, one) => whole + of(one), 0);
          expect(sum(({ requests }) => requests)).toBe(rows.length);
          expect(sum(({ nanoAiu }) => nanoAiu)).toBe(all);
          const neither = rows.filter(({ initiator }) => initiator === null);
          for (const who of ['user', 'agent'] as const) {
            const theirs = rows.filter(({ initiator, kind }) => initiator === who && kind !== 'none').length;
            expect(sum((row) => row[who])).toBe(theirs);
            const session = history.conversations({ since: 0, limit: 10, offset: 0 });
            expect(session.reduce((whole, one) => whole + one[who], 0)).toBe(theirs);
          }
          expect(
            sum(({ userNanoAiu, agentNanoAiu }) => userNanoAiu + agentNanoAiu) +
              neither.reduce((whole, { nanoAiu }) => whole + (nanoAiu ?? 0), 0),
          ).toBe(all);
          const without = rows.filter(({ kind }) => kind === 'none').length;
          expect(sum(({ billed, free, unknown }) => billed + free + unknown) + without).toBe(rows.length);
          expect(sum(({ failed }) => failed)).toBe(rows.filter(({ outcome }) => /^(failed|cut)$/.test(outcome)).length);
        }
        history.close();
      }),
      { numRuns: 15 },
    );
  });

  it('A11.8 sum nano-AIU exactly, where floating point would not', () => {
    const { history } = open();
    const amounts = [9_007_199_254_740_000, 1, 1, 1, 1];
    for (const [index, nanoAiu] of amounts.entries()) {
      history.record(
        exampleExchange({ id: `ex-${index}`, charge: { ...exampleExchange().charge, nanoAiu, premiumRequests: 0.1 } }),
      );
    }
    expect(history.totals('client', 0)[0]).toMatchObject({ nanoAiu: 9_007_199_254_740_004, premiumRequests: 0.5 });
    history.close();
  });

  it.each([
    ['America/St_Johns', ['2026-03-08', '2026-03-09'], [2, 1]],
    ['Asia/Kathmandu', ['2026-03-08', '2026-03-09'], [1, 2]],
    ['UTC', ['2026-03-08', '2026-03-09'], [2, 1]],
    ['Pacific/Kiritimati', ['2026-03-09'], [3]],
  ])('by day follow the local day in %s', (zone, days, requests) => {
    vi.stubEnv('TZ', zone);
    const { history } = open();
    for (const [index, time] of ['2026-03-08T10:05:00Z', '2026-03-08T23:59:59Z', '2026-03-09T02:30:00Z'].entries()) {
      history.record(exampleExchange({ id: `ex-${index}`, startedAt: Date.parse(time) }));
    }
    const totals = history.totals('day', 0);
    expect(totals.map((row) => row.key)).toEqual(days);
    expect(totals.map((row) => row.requests)).toEqual(requests);
    history.close();
  });
});

describe('totals by time', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('follow UTC where that is asked for, whatever was asked before', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const { history } = open();
    history.record(exampleExchange({ startedAt: Date.parse('2026-11-30T20:10:00Z') }));
    const keys = (zone: 'local' | 'utc') =>
      (['hour', 'day', 'month'] as const).map((by) => history.totals(by, 0, zone)[0]?.key);
    expect(keys('local')).toEqual(['2026-12-01T05', '2026-12-01', '2026-12']);
    expect(keys('utc')).toEqual(['2026-11-30T20', '2026-11-30', '2026-11']);
    history.close();
  });

  it('add up by local hour, day and month, the oldest first', () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu');
    const { history } = open();
    // 05:45 ahead: the third is in the next hour there, the fourth in the next day and month.
    const times = ['2026-10-30T10:00:00Z', '2026-10-30T10:14:59Z', '2026-10-30T10:15:00Z', '2026-10-31T18:15:00Z'];
    for (const [index, time] of times.entries()) {
      history.record(exampleExchange({ id: `ex-${index}`, startedAt: Date.parse(time) }));
    }
    const found = (by: 'hour' | 'day' | 'month') => history.totals(by, 0).map(({ key, requests }) => [key, requests]);
    expect(found('hour')).toEqual([
      ['2026-10-30T15', 2],
      ['2026-10-30T16', 1],
      ['2026-11-01T00', 1],
    ]);
    expect(found('day')).toEqual([
      ['2026-10-30', 3],
      ['2026-11-01', 1],
    ]);
    expect(found('month')).toEqual([
      ['2026-10', 3],
      ['2026-11', 1],
    ]);
    history.close();
  });

  it('tell what Copilot reported from what we estimated', () => {
    const { history } = open();
    const { charge } = exampleExchange();
    history.record(exampleExchange({ id: 'a', charge: { ...charge, nanoAiu: 5, premiumRequests: null } }));
    history.record(exampleExchange({ id: 'b', charge: { ...charge, nanoAiu: null, premiumRequests: 27 } }));
    history.record(
      exampleExchange({ id: 'c', charge: { ...charge, kind: 'unknown', nanoAiu: null, premiumRequests: null } }),
    );
    expect(history.totals('client', 0)).toMatchObject([{ requests: 3, reported: 1, estimated: 1, unknown: 1 }]);
    history.close();
  });
});

describe('totals that are asked for again', () => {
  it('know rows that came, were replaced, written by another process, or went', () => {
    const { path, history } = open();
    const requests = () => history.totals('client', 0).reduce((sum, row) => sum + row.requests, 0);
    expect([requests(), requests()]).toEqual([0, 0]);
    history.record(exampleExchange({ id: 'a', startedAt: 1, outcome: 'cut' }));
    expect([requests(), requests()]).toEqual([1, 1]);
    history.record(exampleExchange({ id: 'a', startedAt: 1, outcome: 'done' }));
    expect(history.totals('client', 0)).toMatchObject([{ requests: 1, failed: 0 }]);
    const reader = open(path, true).history;
    expect(reader.totals('client', 0)).toMatchObject([{ requests: 1 }]);
    history.record(exampleExchange({ id: 'b', startedAt: 2 }));
    history.flush();
    expect(reader.totals('client', 0)).toMatchObject([{ requests: 2 }]);
    expect(requests()).toBe(2);
    history.prune(2);
    expect(requests()).toBe(1);
    reader.close();
    history.close();
  });
});

describe('names that were asked for', () => {
  it('come once each, the last one first, without old ones and those of other clients', () => {
    const { history } = open();
    const asked = [
      ['opus', 10],
      ['haiku', 20],
      ['opus', 30],
      ['forgotten', 1],
      [null, 40],
    ] as const;
    for (const [index, [askedModel, startedAt]] of asked.entries()) {
      history.record(exampleExchange({ id: `ex-${index}`, askedModel, startedAt }));
    }
    // Of other clients: none of these is a name that Claude Code asked for.
    for (const api of ['embeddings', 'chat', 'responses', 'web'] as const) {
      history.record(exampleExchange({ id: api, api, askedModel: `nope-${api}`, startedAt: 50 }));
    }
    history.record(exampleExchange({ id: 'sdk', session: null, askedModel: 'nope-sdk', startedAt: 50 }));
    expect(history.askedNames(5)).toEqual(['opus', 'haiku']);
    history.close();
  });
});

describe('sums that cannot be read', () => {
  it('are an error that says why, and no zero', () => {
    const { history } = open();
    history.close();
    expect(() => history.totals('day', 0)).toThrow(
      expect.objectContaining({ name: 'HistoryError', remedy: expect.any(String) }),
    );
    expect(() => history.conversations({ since: 0, limit: 20, offset: 0 })).toThrow('The request history is closed.');
  });
});

describe('a history that cannot be written', () => {
  it('keeps what is recorded, says so once a minute, and writes it when it can', async () => {
    const { path, history, ledger, clock, log } = open();
    history.record(exampleExchange({ id: 'before', startedAt: 1 }));
    history.flush();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    history.record(exampleExchange({ id: 'during', startedAt: 2 }));
    ledger.accept('key-a', 'during');
    await nextTurn();
    expect(history.problem()).toEqual({
      code: 'history-not-written',
      text: 'The request history can’t be written: database is locked. 1 request waits in memory.',
      remedy: expect.any(String),
    });
    // Known all the same, in this process.
    expect(history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['before', 'during']);
    expect(history.count()).toBe(2);
    expect(ledger.accepted('key-a')).toEqual({ ending: 'running' });
    await clock.advance(5_000);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-not-written']);
    await clock.advance(60_000);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-not-written', 'history-not-written']);
    other.exec('ROLLBACK');
    await clock.advance(5_000);
    expect(history.problem()).toBeNull();
    expect(
      other
        .prepare('SELECT id FROM exchanges ORDER BY seq')
        .all()
        .map((row) => row.id),
    ).toEqual(['before', 'during']);
    expect(
      other
        .prepare('SELECT key FROM ledger')
        .all()
        .map((row) => row.key),
    ).toEqual(['key-a']);
    other.close();
    history.close();
  });

  it('holds a bounded number of exchanges, the newest', async () => {
    const { path, history } = open();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    for (let count = 1; count <= 2_500; count++)
      history.record(exampleExchange({ id: `ex-${count}`, startedAt: count }));
    await nextTurn();
    expect(history.count()).toBe(2_000);
    other.exec('ROLLBACK');
    history.flush();
    expect(history.count()).toBe(2_000);
    expect(history.recent({ limit: 1 })[0]?.id).toBe('ex-2500');
    other.close();
    history.close();
  });

  it.runIf(process.platform === 'linux')('goes on when the disk takes no more', () => {
    const path = join(temporaryFolder(), 'history.db');
    const script = join(import.meta.dirname, 'fixtures/record-until-full.ts');
    // A limit to the size of files fails the write as a full disk does; the signal that comes with it has to be
    // ignored.
    const output = execFileSync(
      'bash',
      ['-c', 'trap "" XFSZ; ulimit -f 400; exec "$0" "$@"', process.execPath, script, path],
      { encoding: 'utf8' },
    );
    const report = JSON.parse(output);
    expect(report).toEqual({
      problem: {
        code: 'history-not-written',
        text: expect.stringMatching(/disk/),
        remedy: expect.stringMatching(/the disk that holds history\.db\. Jumpseat tries to write again/),
      },
      logged: ['history-not-written'],
      newest: report.expected,
      expected: expect.any(Array),
      accepted: { ending: 'running' },
    });
    const { history, warnings } = open(path);
    expect(warnings).toEqual([]);
    expect(history.count()).toBeGreaterThan(100);
    history.close();
  });
});

describe('a second process', () => {
  let first: ReturnType<typeof open>;
  beforeEach(() => {
    first = open();
  });
  afterEach(() => first.history.close());

  it('reads what the first has written, while it writes', () => {
    first.history.record(exampleExchange({ id: 'ex-1' }));
    first.history.flush();
    const second = open(first.path, true);
    expect(second.warnings).toEqual([]);
    expect(second.history.recent({ limit: 10 })).toEqual([exampleExchange({ id: 'ex-1' })]);
    first.history.record(exampleExchange({ id: 'ex-2', startedAt: 1_795_000_000_009 }));
    first.history.flush();
    expect(second.history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['ex-1', 'ex-2']);
    expect(second.history.totals('client', 0)[0]?.requests).toBe(2);
    second.history.close();
  });

  it('changes nothing', () => {
    first.ledger.accept('key-a', 'ex-1');
    first.history.record(exampleExchange());
    first.history.flush();
    const second = open(first.path, true);
    second.history.record(exampleExchange({ id: 'ex-9' }));
    second.history.flush();
    expect(second.history.prune(Number.POSITIVE_INFINITY)).toBeNull();
    second.history.close();
    expect(first.history.count()).toBe(1);
    expect(first.ledger.accepted('key-a')).toEqual({ ending: 'running' });
  });

  it('finds nothing where there is no history yet, and makes none', () => {
    const path = join(temporaryFolder(), 'none', 'history.db');
    const second = open(path, true);
    expect(second.warnings).toEqual([]);
    expect(second.history.recent({ limit: 10 })).toEqual([]);
    expect(existsSync(path)).toBe(false);
    second.history.close();
  });
});
