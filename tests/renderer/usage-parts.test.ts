import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Quota } from '../../app/api/account.ts';
import type {
  CacheMiss,
  ConversationPrompt,
  ConversationSums,
  NamedConversation,
  TotalsRow,
} from '../../app/api/history.ts';
import { roundedParts } from '../../app/words/numbers.ts';
import { showTimesIn } from '../../app/words/times.ts';
import {
  amountWords,
  cacheSavingsWords,
  elsewhere,
  limitWindow,
  ownLimitWords,
  slotWords,
  sumCell,
  toUsageCsv,
  usedFigure,
  worldChange,
} from '../../app/words/usage.ts';
import { partName, rowRoute, sessionId, treeRows } from '../../renderer/usage/conversation-rows.ts';
import { periodOf, slotLabel, slotQuery, slotsOf, slotTitle } from '../../renderer/usage/period.ts';
import { axisSteps, labelEvery } from '../../renderer/usage/split-chart.tsx';
import { exchange } from '../exchange.ts';
import { quota as usualQuota } from '../main/app-state.ts';

afterEach(() => {
  showTimesIn('local');
  vi.unstubAllEnvs();
});

function totals(key: string, change: Partial<TotalsRow> = {}): TotalsRow {
  return {
    key,
    requests: 0,
    user: 0,
    agent: 0,
    billed: 0,
    free: 0,
    unknown: 0,
    failed: 0,
    reported: 0,
    estimated: 0,
    nanoAiu: 0,
    premiumRequests: 0,
    userNanoAiu: 0,
    agentNanoAiu: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    ...change,
  };
}

const reach = { kind: 'directly' } as const;
const quota = (change: Partial<Quota> = {}): Quota => ({
  ...usualQuota,
  resetsAt: '2026-12-01T00:00:00Z',
  asOf: Date.parse('2026-11-20T10:40:00Z'),
  ...change,
});
const now = Date.parse('2026-11-20T10:42:00Z');
const account = {
  kind: 'signed-in',
  login: 'alexr-dev',
  plan: 'individual_pro',
  sku: null,
  apiHost: null,
  token: null,
  notice: null,
} as const;

describe('a period', () => {
  it('is the day in hours, the week in days, the cycle until GitHub’s reset, the year in months', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const reset = Date.parse('2026-12-01T00:00:00Z');
    const spans = (['today', 'week', 'cycle', 'year'] as const).map((name) => {
      const period = periodOf(name, now, reset);
      const slots = slotsOf(period, []);
      const title = (slot: (typeof slots)[number] | undefined) => slot && slotTitle(slot, period.unit);
      return [slots.length, title(slots[0]), title(slots.at(-1))];
    });
    expect(spans).toEqual([
      [24, '20 Nov 2026, 00:00', '20 Nov 2026, 23:00'],
      [7, '14 Nov 2026', '20 Nov 2026'],
      [30, '1 Nov 2026', '30 Nov 2026'],
      [12, 'Dec 2025', 'Nov 2026'],
    ]);
    expect(periodOf('cycle', now, reset).from).toBe(Date.parse('2026-11-01T00:00:00Z'));
  });

  it('is cut where times are shown in UTC, whatever the machine’s own zone', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    showTimesIn('utc');
    const today = periodOf('today', Date.parse('2026-11-20T20:00:00Z'), null);
    expect([today.from, today.to].map((at) => new Date(at).toISOString())).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
    ]);
    const slots = slotsOf(today, [totals('2026-11-20T09', { billed: 1 })]);
    expect(slots.map(({ row }) => row?.billed ?? 0).indexOf(1)).toBe(9);
    const ninth = slots[9];
    expect(ninth && [slotTitle(ninth, 'hour'), slotQuery(ninth, 'hour')]).toEqual([
      '20 Nov 2026, 09:00 UTC',
      'after:2026-11-20T09:00 before:2026-11-20T10:00',
    ]);
  });

  it('goes on to the next cycle when GitHub’s answer is old, and is the calendar’s month without one', () => {
    vi.stubEnv('TZ', 'UTC');
    const cycle = (reset: string | null) => {
      const { from, to } = periodOf('cycle', now, reset === null ? null : Date.parse(reset));
      return [from, to].map((at) => new Date(at).toISOString().slice(0, 10));
    };
    expect(cycle('2026-09-15T00:00:00Z')).toEqual(['2026-11-15', '2026-12-15']);
    expect(cycle(null)).toEqual(['2026-11-01', '2026-12-01']);
    expect(cycle('2027-03-31T00:00:00Z')).toEqual(['2027-02-28', '2027-03-31']);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T10:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', 24],
    ['America/St_Johns', '2026-03-08T15:00:00Z', 23],
  ])('has each hour once in %s when clocks change', (zone, at, hours) => {
    vi.stubEnv('TZ', zone);
    const period = periodOf('today', Date.parse(at), null);
    expect(slotsOf(period, [])).toHaveLength(hours);
  });

  it('puts every row into exactly one bar, whatever the zone and the day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Los_Angeles', 'Pacific/Kiritimati'),
        fc.date({ min: new Date('2026-01-02'), max: new Date('2027-12-30'), noInvalidDate: true }),
        fc.nat({ max: 27 }),
        (zone, date, back) => {
          vi.stubEnv('TZ', zone);
          const at = date.getTime();
          const period = periodOf('cycle', at, at + back * 86_400_000 + 1);
          const day = new Date(Math.max(period.from, at - 3_600_000));
          const two = (value: number) => String(value).padStart(2, '0');
          const key = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
          const slots = slotsOf(period, [totals(key, { billed: 1 })]);
          expect(slots.filter(({ row }) => row !== null)).toHaveLength(1);
          expect(new Set(slots.map((slot) => slot.key)).size).toBe(slots.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('asks the list of requests for one bar', () => {
    vi.stubEnv('TZ', 'UTC');
    const query = (name: 'today' | 'cycle' | 'year', index: number) => {
      const period = periodOf(name, now, null);
      const slot = slotsOf(period, [])[index];
      return slot && slotQuery(slot, period.unit);
    };
    expect(query('today', 9)).toBe('after:2026-11-20T09:00 before:2026-11-20T10:00');
    expect(query('today', 23)).toBe('after:2026-11-20T23:00 before:2026-11-21');
    expect(query('cycle', 19)).toBe('on:2026-11-20');
    expect(query('year', 11)).toBe('after:2026-11-01 before:2026-12-01');
  });

  it('says the month below the first bar of one when there are two', () => {
    vi.stubEnv('TZ', 'UTC');
    const period = periodOf('cycle', now, Date.parse('2026-12-15T00:00:00Z'));
    const slots = slotsOf(period, []);
    const labels = slots.map((slot, index) => slotLabel(slot, index, slots, 'day'));
    expect([labels[0], labels[1], labels[16]]).toEqual(['15 Nov', '16', '1 Dec']);
  });
});

describe('an axis', () => {
  it('has whole steps, five at most, and reaches the highest bar', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000 }), (most) => {
        const steps = axisSteps(most);
        expect(steps.length).toBeLessThanOrEqual(6);
        expect(steps.every(Number.isInteger)).toBe(true);
        expect(steps.at(-1)).toBeGreaterThanOrEqual(most);
      }),
    );
    expect(axisSteps(236)).toEqual([0, 50, 100, 150, 200, 250]);
    expect(axisSteps(0)).toEqual([0, 1]);
  });

  it('leaves out labels for which there is no room', () => {
    expect(labelEvery(30, 30, 26)).toBe(1);
    expect(labelEvery(30, 20, 26)).toBe(2);
    expect(labelEvery(30, 10, 26)).toBe(3);
  });
});

describe('GitHub’s figure', () => {
  it('is what is used, with its end', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(usedFigure({ account, reach, quota: quota() }, now)).toEqual({
      label: 'Credits used this cycle',
      figure: '4,998',
      of: 'of 7,000 · 71.4%',
      used: expect.closeTo(0.714, 3),
      tone: 'fine',
      spoken: '4,998 of 7,000 credits used',
      line: 'Reported by GitHub · resets 1 Dec 2026, 01:00',
      budget: null,
      pace: {
        forecast: 'At this pace 7,711 of 7,000 credits by 1 Dec. Included credits end on 28 Nov.',
        basis: 'Average since 1 Nov: 257 credits a day',
      },
      out: false,
      stale: false,
    });
  });

  it.each([
    // Half of a month of 30 days, at a third of the credits.
    [
      'within',
      7000,
      4666.67,
      '2026-11-16T00:00:00Z',
      '2026-12-01T00:00:00Z',
      'At this pace 4,667 of 7,000 credits by 1 Dec.',
    ],
    // 7 of 28 days, three quarters used.
    [
      'over',
      1000,
      250,
      '2026-02-08T00:00:00Z',
      '2026-03-01T00:00:00Z',
      'At this pace 3,000 of 1,000 credits by 1 Mar. Included credits end on 10 Feb.',
    ],
    // From the 15th to the 15th, 10 of 31 days; nothing is left.
    [
      'used up',
      1000,
      0,
      '2026-01-25T00:00:00Z',
      '2026-02-15T00:00:00Z',
      'At this pace 3,100 of 1,000 credits by 15 Feb.',
    ],
    ['the first day', 1000, 900, '2026-03-01T23:00:00Z', '2026-04-01T00:00:00Z', undefined],
    ['a cycle that is over', 1000, 900, '2026-04-02T00:00:00Z', '2026-04-01T00:00:00Z', undefined],
    ['nothing used', 1000, 1000, '2026-03-20T00:00:00Z', '2026-04-01T00:00:00Z', undefined],
  ])('foresees a cycle: %s', (_what, entitlement, remaining, at, resetsAt, forecast) => {
    vi.stubEnv('TZ', 'UTC');
    const asOf = Date.parse(at);
    const figure = usedFigure({ account, reach, quota: quota({ entitlement, remaining, asOf, resetsAt }) }, asOf);
    expect(figure?.pace?.forecast).toBe(forecast);
  });

  it('says so in the other world, when it is old, used up, paid by a budget, without end, not there', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const figure = (change: Partial<Quota>, at = now) => usedFigure({ account, reach, quota: quota(change) }, at);
    expect(figure({ world: 'premium', entitlement: 1500, remaining: 477 })).toMatchObject({
      label: 'Premium requests used this cycle',
      figure: '1,023',
      of: 'of 1,500 · 68.2%',
    });
    expect(figure({}, now + 3_600_000)).toMatchObject({
      stale: true,
      line: expect.stringMatching(/^As of 11:40 · Reported/),
    });
    expect(figure({ remaining: 0, exhausted: true })).toMatchObject({
      out: true,
      used: 1,
      tone: 'danger',
      line: 'Out of credits until 1 Dec 2026, 01:00',
    });
    expect(figure({ remaining: 0, overagePermitted: true, overageUsed: 12.4 })).toMatchObject({
      out: false,
      budget: '+12.4 credits on your GitHub budget',
      figure: '7,012',
    });
    // Copilot refused one, so the budget is used up, too.
    expect(figure({ remaining: 0, overagePermitted: true, exhausted: true })).toMatchObject({ out: true });
    expect(figure({ unlimited: true })).toMatchObject({ figure: 'Unlimited', used: null });
    expect(figure({ entitlement: null, remaining: null })).toMatchObject({ figure: '71.4%', of: '' });
    expect(usedFigure({ account, reach, quota: null }, now)).toBeNull();
    expect(usedFigure({ account: { kind: 'signed-out' }, reach, quota: quota() }, now)).toBeNull();
  });

  it('stands beside ours, never below zero', () => {
    expect(elsewhere(quota(), 4622.11, 0)).toBe(
      '4,622 in this log. The other 376: other Copilot clients or deleted history.',
    );
    // An answer that was cut bears no charge here, and may be counted there.
    expect(elsewhere(quota(), 4622.11, 3)).toBe(
      '4,622 in this log. The other 376: other Copilot clients, 3 requests of unknown charge or deleted history.',
    );
    expect(elsewhere(quota(), 4622.11, 1)).toMatch(/, 1 request of unknown charge or deleted/);
    expect(elsewhere(quota(), 4997.87, 0)).toBe('All of it is in this log.');
    expect(elsewhere(quota(), 5000, 0)).toBe('GitHub’s last figure lacks the newest requests.');
    expect(elsewhere(quota({ unlimited: true }), 5, 0)).toBeNull();
    expect(elsewhere(quota(), 0, 0)).toBeNull();
  });
});

describe('a monthly limit of one’s own', () => {
  it('has the forecast of its month', () => {
    vi.stubEnv('TZ', 'UTC');
    const month = { from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 11, 1) };
    const limit = { setting: 'creditsPerMonth', scope: null, most: 7000, stops: true, month, said: 50 } as const;
    expect(ownLimitWords({ ...limit, used: 4550 }, Date.UTC(2026, 10, 16))).toEqual({
      name: 'Credits per month',
      figure: '4,550 of 7,000',
      used: 0.65,
      tone: 'fine',
      line: 'Stops requests · starts anew on 1 Dec',
      pace: {
        forecast: 'At this pace 9,100 of 7,000 credits by 1 Dec. You reach your limit on 24 Nov.',
        basis: 'Average since 1 Nov: 303 credits a day',
      },
    });
    expect(ownLimitWords({ ...limit, used: 7001, stops: false }, Date.UTC(2026, 10, 16))).toMatchObject({
      ...{ used: 1, tone: 'danger', line: 'Warns · starts anew on 1 Dec' },
    });
    const today = {
      setting: 'creditsPerDay',
      scope: null,
      used: 5.5,
      most: 5,
      stops: true,
      month: null,
      said: 0,
    } as const;
    expect(ownLimitWords(today, 0)).toMatchObject({
      name: 'Credits per day',
      line: 'Requests are refused',
      pace: null,
    });
  });
});

describe('sums', () => {
  it('never call free what is not known', () => {
    const sums = { nanoAiu: 0, premiumRequests: 0, billed: 0, free: 0, unknown: 0 };
    expect(sumCell('credits', { ...sums, nanoAiu: 1_161_390_000_000 })).toEqual({ kind: 'amount', text: '1,161' });
    expect(sumCell('credits', { ...sums, nanoAiu: 1_000_000 })).toEqual({ kind: 'amount', text: '<0.01' });
    expect(sumCell('premium', { ...sums, premiumRequests: 0.33 })).toEqual({ kind: 'amount', text: '0.33' });
    expect(sumCell('credits', { ...sums, unknown: 1 })).toEqual({ kind: 'unknown', text: 'Unknown' });
    expect(sumCell('credits', { ...sums, free: 3 })).toEqual({ kind: 'free', text: 'Free' });
    expect(sumCell('credits', sums)).toEqual({ kind: 'none', text: '–' });
  });

  it('of parts add up to what stands beside them', () => {
    const parts = [46.0649, 8.5145, 2.6748, 0.0012];
    const words = roundedParts(parts).map((shown, index) =>
      sumCell(
        'credits',
        { nanoAiu: (parts[index] ?? 0) * 1e9, premiumRequests: 0, billed: 1, free: 0, unknown: 0 },
        shown,
      ),
    );
    expect(words.map(({ text }) => text)).toEqual(['46.07', '8.51', '2.68', '<0.01']);
    expect(amountWords('credits', { nanoAiu: 57.2554 * 1e9, premiumRequests: 0 })).toBe('57.26 credits');
    // Each of its own rounding would be 57.25.
    expect(roundedParts([46.0552, 8.5053, 2.6751])).toEqual([46.06, 8.51, 2.67]);
    expect(roundedParts([0.29, 0.57, 1.15])).toEqual([0.29, 0.57, 1.15]);
    expect(roundedParts([])).toEqual([]);
  });

  it('of a bar in one sentence', () => {
    const row = totals('2026-11-20', { billed: 217, free: 19, unknown: 1, nanoAiu: 1_385_690_000_000 });
    expect(slotWords('20 Nov 2026', row)).toBe('20 Nov 2026: 217 billed, 19 free, 1 unknown, 1,386 credits');
    expect(slotWords('21 Nov 2026', null)).toBe('21 Nov 2026: no requests');
  });

  it('tell when billing changed', () => {
    const rows = [totals('2026-05-31', { estimated: 4 }), totals('2026-06-01'), totals('2026-06-02', { reported: 2 })];
    expect(worldChange(rows)).toEqual({ before: 'premium', after: 'credits', key: '2026-06-02' });
    expect(worldChange(rows.slice(1))).toBeNull();
  });

  it('as CSV hold no formula that a client wrote', () => {
    const lines = toUsageCsv([{ by: 'model', rows: [totals('=cmd|"x"', { requests: 2, nanoAiu: 1.5e9 })] }]).split(
      '\r\n',
    );
    expect(lines[1]).toBe(`model,"'=cmd|""x""",2,0,0,0,0,0,0,2,0,1.5,0,0,0,0,0,0,0`);
  });
});

describe('Copilot’s limits', () => {
  const window = (percentRemaining: number, resetsAt: string | null) => ({ percentRemaining, resetsAt, asOf: now });
  it('say what is used and when it ends, and what is not known', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(limitWindow(window(38, '2026-11-20T12:07:00Z'), now)).toEqual({
      used: expect.closeTo(0.62),
      figure: '62% used',
      line: 'Resets 13:07, in 1 h 25 min',
      tone: 'fine',
    });
    expect(limitWindow(window(19, '2026-11-23T08:40:00Z'), now)).toMatchObject({
      line: 'Resets Mon 23 Nov, 09:40, in 2 d 21 h',
      tone: 'warning',
    });
    expect(limitWindow(window(0, null), now)).toMatchObject({ tone: 'danger', line: 'Reported by Copilot' });
    expect(limitWindow(null, now)).toMatchObject({
      used: null,
      line: 'Not reported yet. Copilot reports this above about 50%.',
    });
    expect(limitWindow(window(5, '2026-11-20T09:00:00Z'), now)).toMatchObject({
      used: null,
      line: 'It was reset at 10:00. Not reported since.',
    });
  });
});

it('what the cache saved is a sentence with its amount, also where it cost more', () => {
  const plain = (inside: readonly string[]): string => inside.join('');
  const words = (nanoAiu: number | null, withoutPrice = 0) =>
    plain(cacheSavingsWords({ nanoAiu, withoutPrice }, plain, plain));
  expect(words(1.25e9)).toBe(
    'The cache saved 1.25 credits. Estimated by Jumpseat from the prices of Copilot’s last charges.',
  );
  expect(words(-0.5e9, 2_000)).toMatch(/^The cache cost 0\.50 credits more than it saved\. .*; 2,000 tokens without/);
  expect(words(null)).toBe('Nothing was read from the cache.');
  expect(words(null, 5)).toMatch(/^Savings of the cache are unknown/);
});

describe('the tree of sessions', () => {
  const world = 'credits' as const;
  const sums: ConversationSums = {
    requests: 1,
    user: 1,
    agent: 0,
    billed: 1,
    free: 0,
    unknown: 0,
    failed: 0,
    startedAt: 0,
    endedAt: 1,
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    nanoAiu: 1,
    premiumRequests: 0,
    userNanoAiu: 1,
    agentNanoAiu: 0,
  };
  const one: NamedConversation = {
    ...{ ...sums, session: '7f3a91c2', client: 'claude-code', prompts: 7 },
    ...{ title: null, folder: null },
  };
  const prompt = (name: string): ConversationPrompt => ({
    ...sums,
    prompt: name,
    isReport: false,
    parts: [
      { ...sums, kind: 'main', agentId: null, agentType: null, workflow: false },
      { ...sums, kind: 'subagent', agentId: 'a5de', agentType: 'Explore', workflow: false },
    ],
  });
  const prompts = ['p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1'].map(prompt);
  const id = sessionId(one);
  const known = new Map([[id, { kind: 'known', last: prompts } as const]]);

  it('shows what is open: a session, its last prompts, who worked on one', () => {
    const closed = treeRows([one], { world, open: new Set(), whole: new Set(), prompts: new Map() });
    expect(closed.map(({ kind, expanded }) => [kind, expanded])).toEqual([['session', false]]);
    const open = treeRows([one], { world, open: new Set([id, `${id} p6`]), whole: new Set(), prompts: known });
    expect(open.map((row) => [row.kind, row.level, rowRoute(row)])).toEqual([
      ['session', 1, { query: 'session:7f3a91c2' }],
      ['prompt', 2, { query: 'prompt:p7' }],
      ['prompt', 2, { query: 'prompt:p6' }],
      ['part', 3, { query: 'prompt:p6' }],
      ['part', 3, { query: 'prompt:p6 agent:Explore' }],
      ['prompt', 2, { query: 'prompt:p5' }],
      ['prompt', 2, { query: 'prompt:p4' }],
      ['prompt', 2, { query: 'prompt:p3' }],
      ['earlier', 2, null],
    ]);
    expect(new Set(open.map((row) => row.id)).size).toBe(open.length);
    const whole = treeRows([one], { world, open: new Set([id]), whole: new Set([id]), prompts: known });
    expect(whole).toHaveLength(8);
    const missed = { client: 'claude-code', session: '7f3a91c2', tokens: 1, nanoAiu: 1.25e9 };
    const misses: CacheMiss[] = [
      { ...missed, reason: 'time', requests: 2 },
      { ...missed, reason: 'prefix', requests: 1, nanoAiu: null },
      { ...missed, reason: 'model', requests: 1, session: 'other' },
    ];
    const state = { world, open: new Set([id]), whole: new Set([id]), prompts: known, misses };
    expect(treeRows([one], state)[1]).toMatchObject({
      kind: 'note',
      text:
        '3 requests missed the cache, about 1.25 credits more: 2 more than five minutes after the one before, 1 ' +
        'because the beginning had changed.',
    });
  });

  it('rounds what prompts and their parts cost so that they add up to the row above', () => {
    const cost = { nanoAiu: 7e6 };
    const three = [prompt('p3'), prompt('p2'), prompt('p1')].map((one) => ({ ...one, ...cost }));
    const session = { ...one, nanoAiu: 21e6 };
    const rows = treeRows([session], {
      ...{ world, open: new Set([id]), whole: new Set<string>() },
      prompts: new Map([[id, { kind: 'known', last: three } as const]]),
    });
    const cells = rows.flatMap((row) => (row.sums === null ? [] : [sumCell(world, row.sums, row.amount).text]));
    expect(cells).toEqual(['0.02', '0.01', '0.01', '<0.01']);
  });

  it('says what fills the context of its last request, which it leads to', () => {
    const shape = { answer: null, toolsBefore: [] };
    const context = { parts: { system: 100, tools: 300, user: 100 }, room: null };
    const request = { bytes: 1, messages: {}, tools: 1, images: 0, thinking: null, context };
    const tokens = { input: 1_000, output: 1, cacheRead: 9_000, cacheWrite: 0 };
    const last = new Map([[id, exchange({ id: 'req_9', tokens, shape: { ...shape, request } })]]);
    const [, row] = treeRows([one], { world, open: new Set([id]), whole: new Set(), prompts: known, last });
    const text =
      'Context of its last request: 10,000 tokens, 0.95 credits (60% tools, 20% system prompt, 20% user messages).';
    expect(row).toMatchObject({ kind: 'note', text });
    expect(row === undefined ? null : rowRoute(row)).toEqual({ part: 'req_9' });
  });

  it('says that it reads, and what went wrong', () => {
    const inside = (asked: 'loading' | 'failed') => {
      const value =
        asked === 'loading'
          ? ({ kind: 'loading', last: null } as const)
          : ({ kind: 'failed', last: null, text: 'The disk is gone.', remedy: '' } as const);
      return treeRows([one], { world, open: new Set([id]), whole: new Set(), prompts: new Map([[id, value]]) })[1];
    };
    expect(inside('loading')).toMatchObject({ kind: 'note', text: 'Reading…', again: false });
    expect(inside('failed')).toMatchObject({ kind: 'note', text: 'The disk is gone.', again: true });
  });

  it('names who worked', () => {
    const part = { ...sums, agentId: null, agentType: null, workflow: false } as const;
    expect(partName({ ...part, kind: 'main' })).toBe('Main');
    expect(partName({ ...part, kind: 'subagent', agentType: 'Explore' })).toBe('Subagent Explore');
    expect(partName({ ...part, kind: 'subagent', workflow: true })).toBe('Workflow');
    expect(partName({ ...part, kind: 'compaction' })).toBe('Compaction');
    expect(partName({ ...part, kind: 'side' })).toBe('Titles and auxiliary');
  });
});
