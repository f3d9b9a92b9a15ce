import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TotalsRow } from '../../../app/api/history.ts';
import type { ListedSession } from '../../../app/api/session-list.ts';
import type { Session, TurnCost } from '../../../app/api/sessions.ts';
import {
  costBeside,
  costOf,
  partsInWords,
  restAfter,
  rowCost,
  shortTodayWords,
  todayTitle,
  todayWords,
  turnSoFar,
} from '../../../renderer/sessions/session-costs.ts';
import { readToday } from '../../../renderer/sessions/state/actions.ts';
import { createSessionsStore } from '../../../renderer/sessions/state/sessions-store.ts';

const cost = (nanoAiu: number, more: Partial<TurnCost> = {}): TurnCost => ({
  ...{ nanoAiu: nanoAiu * 1e9, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 1, agent: 0 },
  ...{ input: 0, cached: 0, output: 0, ...more },
});
const held = (change: Partial<Session>): Session => ({ sentAt: 1, cost: cost(2), ...change }) as Session;

describe('what a session cost', () => {
  it('is what the host says of one that is led here, with what it cost in other programs', () => {
    const costs = new Map([['s', { id: 's', cost: cost(9), elsewhere: cost(1) }]]);
    const none = { id: 's', cost: cost(9), elsewhere: null };
    expect(costOf({ id: 's', held: held({}) }, costs)).toMatchObject({ nanoAiu: 3e9, user: 2 });
    expect(costOf({ id: 's', held: held({}) }, new Map([['s', none]]))).toEqual(cost(2));
    expect(costOf({ id: 's', held: held({}) }, null)).toEqual(cost(2));
    expect(costOf({ id: 's', held: held({ sentAt: null }) }, costs)).toEqual(cost(9));
    expect(costOf({ id: 's', held: null }, costs)).toEqual(cost(9));
    expect([rowCost('credits', { id: 's', held: null, listed: null }, costs)]).toEqual(['9.00']);
    expect(rowCost('credits', { id: 'other', held: null, listed: null }, costs)).toBe('–');
    expect(rowCost('credits', { id: 'other', held: null, listed: null }, null)).toBe('');
    // What runs in it, by its key or its client's name for it, is an estimate and says so.
    const answer = { id: 'a', client: 'claude-code', session: 's', output: 9, nanoAiu: 4.3e8 };
    const running = [answer, { ...answer, client: 's', session: 'x', nanoAiu: null }, { ...answer, session: 'y' }];
    expect(rowCost('credits', { id: 's', held: null, listed: null }, costs, running)).toBe('≈ 9.43');
    const turn = (of: TurnCost, estimate: number) => turnSoFar('credits', of, estimate);
    expect([turn(cost(1), 4.3e8), turn(cost(0, { user: 0 }), 4.3e8)]).toEqual(['≈ 1.43 credits', '≈ 0.43 credits']);
    expect([turn(cost(1), 0), turn(cost(0, { user: 0 }), 0)]).toEqual(['1.00 credits', null]);
  });

  it('is none yet for a copy that was made here, of whichever kind', () => {
    const fork = { id: 'f', held: held({ sentAt: null, parent: 's' }), listed: null };
    const copy = { id: 'c', held: null, listed: { hosted: true } as ListedSession };
    expect([fork, copy].map((row) => rowCost('credits', row, new Map()))).toEqual(['', '']);
    const elsewhere = { id: 'e', held: held({ sentAt: null, parent: null }), listed: null };
    expect(rowCost('credits', elsewhere, new Map())).toBe('–');
  });

  it('is said to be more than is known, at rest and while a turn runs', () => {
    const stopped = cost(5.44, { isPartlyUnknown: true, running: 1 });
    expect(turnSoFar('credits', stopped, 4.3e8)).toBe('at least 5.87 credits');
    for (const running of [0, 1]) {
      const row = { id: 's', held: held({ cost: cost(5.44, { isPartlyUnknown: true, running }) }), listed: null };
      expect(rowCost('credits', row, null)).toBe('≥ 5.44');
      expect(rowCost('credits', row, null, [], true)).toBe('at least 5.44');
      const unknown = { ...row, held: held({ cost: cost(0, { isPartlyUnknown: true, running }) }) };
      expect(rowCost('credits', unknown, null)).toBe('Cost unknown');
    }
    expect(rowCost('credits', { id: 's', held: held({ cost: cost(5.44, { running: 1 }) }), listed: null }, null)).toBe(
      '5.44',
    );
  });

  it('does not go down when an answer is stopped: its estimate stays', () => {
    const row = (of: TurnCost) => ({ id: 's', held: held({ cost: of }), listed: null });
    const running = [{ id: 'a', client: 's', session: 's', output: 9, nanoAiu: 8.86e9 }];
    expect(rowCost('credits', row(cost(10.18, { running: 1 })), null, running)).toBe('≈ 19.04');
    const stopped = cost(10.18, { isPartlyUnknown: true, estimate: 8.86e9 });
    expect(rowCost('credits', row(stopped), null)).toBe('≈ 19.04');
    expect(rowCost('credits', row(stopped), null, [], true)).toBe('≈ 19.04');
    expect(costBeside(stopped, [cost(4), cost(6.18, { user: 0 })])).toBeNull();
    expect(costBeside({ ...stopped, user: 2 }, [cost(10.18)])).toMatchObject({ nanoAiu: 0, estimate: 8.86e9 });
  });

  it('is at least about a sum where some answers are estimated and others unknown', () => {
    const row = (of: TurnCost) => ({ id: 's', held: held({ cost: of }), listed: null });
    const mixed = cost(10.18, { isPartlyUnknown: true, estimate: 8.86e9, unestimated: 1 });
    expect(rowCost('credits', row(mixed), null)).toBe('≥ 19.04');
    expect(rowCost('credits', row(mixed), null, [], true)).toBe('at least about 19.04');
    expect(costBeside({ ...mixed, user: 2 }, [cost(10.18)])).toMatchObject({ estimate: 8.86e9, unestimated: 1 });
    const today = { cost: { ...{ nanoAiu: 14.27e9, premiumRequests: 0, unknown: 3 }, estimate: 8.86e9 }, until: null };
    const more = { ...today, cost: { ...today.cost, unestimated: 2 } };
    expect([shortTodayWords('credits', more), todayTitle('credits', more)]).toEqual([
      '≥ 23.13 credits today',
      'at least about 23.13 credits today, all clients. Part of it is estimated from the model’s prices.',
    ]);
    expect(todayTitle('credits', today)).toBe('≈ 23.13 credits today, all clients');
  });

  it('is in the sum of today by the same rule', () => {
    const stopped = { nanoAiu: 29.52e9, premiumRequests: 0, unknown: 1, estimate: 1.75e9 };
    expect(todayWords('credits', { cost: stopped, until: null })).toBe('≈ 31.27 credits today, all clients');
  });

  it('has what is in none of the turns that are listed', () => {
    const whole = cost(10, { user: 3, agent: 7, isPartlyUnknown: true });
    const turns = [cost(2), cost(3, { agent: 4 })];
    expect(costBeside(whole, turns)).toEqual(cost(5, { user: 1, agent: 3, isPartlyUnknown: true }));
    expect(costBeside(whole, [...turns, cost(5, { user: 1, agent: 3 })])).toBeNull();
    expect(costBeside({ ...whole, running: 1 }, turns)).toBeNull();
  });
});

it('has parts that add up to its sum as it is shown', () => {
  const parts = [cost(1.004), cost(2.004), cost(3.004, { isPartlyUnknown: true })];
  expect(partsInWords('credits', parts)).toEqual(['1.01', '2.00', 'at least 3.00']);
  expect(rowCost('credits', { id: 's', held: held({ cost: cost(6.012) }), listed: null }, null)).toBe('6.01');
});

it('costs are read soon again, but for those that take long to read', () => {
  expect([0, 40, 200, 5_000].map(restAfter)).toEqual([1_000, 1_000, 4_000, 10_000]);
});

describe('the costs of today', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are unknown, at least a sum, or a sum', () => {
    const words = (credits: number, unknown: number): string =>
      todayWords('credits', { cost: { nanoAiu: credits * 1e9, premiumRequests: 0, unknown }, until: null });
    expect([words(0, 1), words(2, 1), words(2, 0), todayWords('credits', { cost: null, until: null })]).toEqual([
      ...['Cost unknown today, all clients', 'at least 2.00 credits today, all clients'],
      ...['2.00 credits today, all clients', '0 credits today, all clients'],
    ]);
    const cost = { nanoAiu: 150e9, premiumRequests: 0, unknown: 3 };
    expect([null, 0].map((until) => shortTodayWords('credits', { cost, until }))).toEqual([
      '≥ 150 credits today',
      expect.stringMatching(/^≥ 150 credits by \d\d:\d\d$/),
    ]);
    // What is estimated counts in both.
    const stopped = { cost: { ...cost, estimate: 2e9 }, until: null };
    expect([todayWords('credits', stopped), shortTodayWords('credits', stopped)]).toEqual([
      '≈ 152 credits today, all clients',
      '≈ 152 credits today',
    ]);
  });

  it('say until when they were known, once they can’t be read', async () => {
    const day = (credits: number) => [{ nanoAiu: credits * 1e9, premiumRequests: 0, unknown: 0 } as TotalsRow];
    const asked = [async () => day(182.4), () => Promise.reject(new Error('off'))];
    const store = createSessionsStore();
    const bridge = { totals: () => asked.shift()?.() ?? Promise.reject(new Error('not asked')) };
    const read = (since: number) => readToday({ bridge, store }, since);
    const at = new Date(2026, 10, 20, 10, 41).getTime();
    vi.setSystemTime(at);
    const words = (): string => {
      const { cost: known, isOld, at: until } = store.getState().costOfDay!;
      return todayWords('credits', { cost: known, until: isOld ? until : null });
    };
    await read(5);
    expect(words()).toBe('182 credits today, all clients');
    vi.setSystemTime(at + 60_000);
    await read(4);
    expect(words()).toBe('182 credits today, all clients');
    asked.push(() => Promise.reject(new Error('off')));
    await read(5);
    expect(words()).toBe('182 credits by 10:41, all clients');
    asked.push(async () => day(190));
    await read(5);
    expect(words()).toBe('190 credits today, all clients');
  });
});
