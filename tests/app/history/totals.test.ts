import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Charge, Exchange } from '../../../app/api/exchange.ts';
import { type TotalsKey, totalsKeySchema } from '../../../app/api/history.ts';
import { openHistory } from '../../../app/history/history.ts';
import { sumUpInSlices } from '../../../app/history/retention.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const day = 24 * 60 * 60_000;

it('searches are counted by day and engine, over a restart, until requests of that time are forgotten', () => {
  const path = join(temporaryFolder(), 'history.db');
  const clock = fakeClock();
  const begin = Date.UTC(2026, 10, 20, 23, 50);
  const first = openHistory(path, { clock, log: collectingLog() });
  first.searches.record({ at: begin, engine: 'copilot', failed: false });
  first.searches.record({ at: begin + 1000, engine: 'copilot', failed: true });
  first.searches.record({ at: begin + 2000, engine: 'github', failed: false });
  first.searches.record({ at: begin + day, engine: 'copilot', failed: false });
  first.history.close();

  const second = openHistory(path, { clock, log: collectingLog() });
  expect(second.searches.totals(0, 'utc')).toEqual([
    { day: '2026-11-20', engine: 'copilot', searches: 2, failed: 1 },
    { day: '2026-11-20', engine: 'github', searches: 1, failed: 0 },
    { day: '2026-11-21', engine: 'copilot', searches: 1, failed: 0 },
  ]);
  expect(second.searches.totals(begin + day, 'utc')).toHaveLength(1);
  second.history.prune(begin + day);
  expect(second.searches.totals(0, 'utc')).toHaveLength(1);
  second.history.close();
});

const amount = fc.nat(2_000_000_000_000);
const charge: fc.Arbitrary<Charge> = fc
  .oneof(
    amount.map((nanoAiu) => ({ kind: 'billed', nanoAiu, premiumRequests: null }) as const),
    fc.constant({ kind: 'free', nanoAiu: 0, premiumRequests: null } as const),
    fc
      .constantFrom(0.33, 1, 10)
      .map((premiumRequests) => ({ kind: 'billed', nanoAiu: null, premiumRequests }) as const),
    amount.map((estimate) => ({ kind: 'unknown', nanoAiu: null, premiumRequests: null, estimate }) as const),
    fc.constantFrom('unknown', 'none').map((kind) => ({ kind, nanoAiu: null, premiumRequests: null }) as const),
  )
  .map((known) => ({ ...known, partial: false, details: [] }));
const anExchange: fc.Arbitrary<Omit<Exchange, 'id'>> = fc
  .record({
    // Three days, so that some quarters of an hour have several rows.
    startedAt: fc.nat(3 * 96).map((quarter) => Date.UTC(2026, 10, 20) + quarter * 900_000 + 1),
    initiator: fc.constantFrom('user', 'agent', null),
    client: fc.constantFrom('claude-code', 'codex', ''),
    session: fc.constantFrom('s-1', 's-2', null),
    servedModel: fc.constantFrom('claude-opus-4.8', 'gpt-5.4', null),
    requestClass: fc.constantFrom('main', 'subagent', 'compaction', 'auxiliary', null),
    outcome: fc.constantFrom('done', 'failed', 'cut', 'cancelled'),
    charge,
  })
  .map((some) => exampleExchange(some));

it('every way to divide a history has the same sums, kept ones or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anExchange, { maxLength: 60 }), fc.nat(60), async (exchanges, before) => {
      const path = join(temporaryFolder(), 'history.db');
      const { history } = openHistory(path, { clock: fakeClock(), log: collectingLog() });
      for (const [at, exchange] of exchanges.entries()) {
        if (at === before) {
          history.flush();
          await sumUpInSlices(path);
        }
        history.record({ ...exchange, id: `ex-${at}` });
      }
      const sum = (of: (exchange: Omit<Exchange, 'id'>) => number): number =>
        exchanges.reduce((all, exchange) => all + of(exchange), 0);
      const count = (which: (exchange: Omit<Exchange, 'id'>) => boolean): number => sum((row) => (which(row) ? 1 : 0));
      const charged = (kind: Charge['kind']): number => count((row) => row.charge.kind === kind);
      const by = (initiator: string): number =>
        count((row) => row.initiator === initiator && row.charge.kind !== 'none');
      const whole = {
        requests: exchanges.length,
        ...{ user: by('user'), agent: by('agent') },
        ...{ billed: charged('billed'), free: charged('free'), unknown: charged('unknown') },
        failed: count(({ outcome }) => outcome === 'failed' || outcome === 'cut'),
        nanoAiu: sum((row) => row.charge.nanoAiu ?? 0),
        estimate: sum((row) => row.charge.estimate ?? 0),
        unestimated: count(({ charge }) => charge.kind === 'unknown' && charge.estimate === undefined),
        userNanoAiu: sum((row) => (row.initiator === 'user' ? (row.charge.nanoAiu ?? 0) : 0)),
        agentNanoAiu: sum((row) => (row.initiator === 'agent' ? (row.charge.nanoAiu ?? 0) : 0)),
      };
      const added = (rows: readonly Record<string, unknown>[], names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)]));
      const { userNanoAiu: _, agentNanoAiu: __, estimate: ___, unestimated: ____, ...ofConversations } = whole;
      const divided = (key: TotalsKey) => added(history.totals(key, 0, 'utc'), Object.keys(whole));
      for (const key of totalsKeySchema.options) expect([key, divided(key)]).toEqual([key, whole]);
      const conversations = history.conversations({ since: 0, limit: 200, offset: 0 });
      expect(added(conversations, Object.keys(ofConversations))).toEqual(ofConversations);
      history.close();
    }),
    { numRuns: 40 },
  );
});
