import type { Quota, UsageWindow } from '../api/account.ts';
import type { CacheMiss, CacheMissReason, CacheSavings, ConversationSums, Purpose, TotalsRow } from '../api/history.ts';
import type { CountedScope } from '../api/rules.ts';
import type { AppState, OwnLimit } from '../api/state.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { richParts, t, translated } from '../language/translate.ts';
import type { World } from './exchange-cells.ts';
import {
  creditAmount,
  creditsOf,
  grouped,
  percentage,
  premiumRequests,
  quotaAmount,
  roundedParts,
  share,
  tokenCount,
  unfloated,
} from './numbers.ts';
import { isUsedUp, limitFigure, limitName, limitUnits, missingKey } from './own-limits.ts';
import { quotaFoot, resetOf } from './quota.ts';
import { csvCell } from './text.ts';
import {
  day,
  dayAndTime,
  dayOfYear,
  hourAndMinute,
  monthsLater,
  timeLeft,
  weekdayAndTime,
  zoneSuffix,
} from './times.ts';

/** What is gone and on what, as people read it. */

interface UsedFigure {
  /** `Credits used this cycle` */
  label: string;
  /** `4,997.87`, `Unlimited`; null if GitHub names no amount. */
  figure: string;
  /** `of 7,000 · 71.4%` */
  of: string;
  /** 0 to 1; null if there is no end. */
  used: number | null;
  tone: 'fine' | 'warning' | 'danger';
  /** For who cannot see the bar. */
  spoken: string;
  /** `Reported by GitHub · resets 1 Dec 2026, 01:00` */
  line: string;
  /** `+12.40 credits on your GitHub budget`; null if there is none. */
  budget: string | null;
  /** Where the cycle will end at its average so far; null if that isn't known yet. */
  pace: PaceWords | null;
  out: boolean;
  stale: boolean;
}

interface PaceWords {
  /** `At this pace 7,711 of 7,000 credits by 1 Dec. Included credits end on 28 Nov.` */
  forecast: string;
  /** `Average since 1 Nov: 257.03 credits a day` */
  basis: string;
}

/** GitHub's own figure. Null if it has not been read, or no account is signed in. */
export function usedFigure(state: Pick<AppState, 'account' | 'quota' | 'reach'>, now: number): UsedFigure | null {
  const foot = quotaFoot(state, now);
  const { quota } = state;
  if (foot.kind !== 'known' || quota === null) return null;
  const unit = foot.counted;
  const label = t(
    '{unit, select, premium {Premium requests} credits {Credits} chat {Chat messages} other {Requests}} used this cycle',
    {
      unit,
    },
  );
  const resetsAt = quota.resetsAt === null ? Number.NaN : Date.parse(quota.resetsAt);
  const resets = Number.isNaN(resetsAt) ? null : dayAndTime(resetsAt);
  const spent = usedAmount(quota);
  const parts = [
    foot.stale ? t('As of {time}', { time: hourAndMinute(quota.asOf) }) : null,
    t('Reported by GitHub'),
    resets === null ? null : t('resets {time}', { time: resets }),
  ];
  const percent = foot.used === null ? null : share(foot.used);
  const of =
    quota.entitlement === null || quota.unlimited ? null : t('of {amount}', { amount: grouped(quota.entitlement) });
  return {
    label,
    figure: quota.unlimited ? t('Unlimited') : spent === null ? (percent ?? '…') : quotaAmount(spent, quota.world),
    of: [of, spent === null ? null : percent].filter((part) => part !== null).join(' · '),
    used: quota.exhausted ? 1 : foot.used,
    tone: quota.exhausted ? 'danger' : foot.tone,
    spoken: foot.spoken,
    line: quota.exhausted
      ? resets === null
        ? t(
            'Out of {unit, select, premium {premium requests} credits {credits} chat {chat messages} other {requests}}',
            { unit },
          )
        : t(
            'Out of {unit, select, premium {premium requests} credits {credits} chat {chat messages} other {requests}} until {time}',
            {
              unit,
              time: resets,
            },
          )
      : parts.filter((one) => one !== null).join(' · '),
    budget: quota.overageUsed
      ? t(
          '+{amount} {unit, select, premium {premium} credits {credits} chat {chat messages} other {requests}} on your GitHub budget',
          {
            amount: quotaAmount(quota.overageUsed, quota.world),
            unit,
          },
        )
      : null,
    pace: paceWords(quota, unit),
    out: quota.exhausted,
    stale: foot.stale,
  };
}

/** A day's use says too little about a month. */
const paceAfterMs = 86_400_000;

/** The forecast to the reset: what GitHub counted since the cycle began, spread evenly over the rest. */
function paceWords(quota: Quota, unit: string): PaceWords | null {
  const spent = usedAmount(quota);
  const until = resetOf(quota);
  if (spent === null || quota.entitlement === null || until === null) return null;
  const month = { from: monthsLater(until, -1), until };
  return forecast({ spent, of: quota.entitlement, month, at: quota.asOf, unit, isOwnLimit: false });
}

function forecast(given: {
  spent: number;
  of: number;
  month: { from: number; until: number };
  at: number;
  unit: string;
  /** Of the person's own; otherwise what is included in the plan. */
  isOwnLimit: boolean;
}): PaceWords | null {
  const { spent, of, month, at, unit, isOwnLimit } = given;
  const { from, until } = month;
  const elapsed = at - from;
  if (spent === 0 || !(elapsed >= paceAfterMs && at < until)) return null;
  const whole = spent * ((until - from) / elapsed);
  const pace = t(
    'At this pace {whole} of {of} {unit, select, premium {premium requests} credits {credits} chat {chat messages} other {requests}} by {until}.',
    { whole: grouped(whole), of: grouped(of), unit, until: dayOfYear(until) },
  );
  const day = dayOfYear(from + elapsed * (of / spent));
  const end = isOwnLimit
    ? t('You reach your limit on {day}.', { day })
    : t(
        'Included {unit, select, premium {premium requests} credits {credits} chat {chat messages} other {requests}} end on {day}.',
        {
          unit,
          day,
        },
      );
  return {
    forecast: whole > of && spent < of ? sentences(pace, end) : pace,
    basis: t(
      'Average since {from}: {amount} {unit, select, premium {premium requests} credits {credits} chat {chat messages} other {requests}} a day',
      { from: dayOfYear(from), amount: creditAmount((spent / elapsed) * 86_400_000), unit },
    ),
  };
}

/** What GitHub counted in this cycle, the GitHub budget's part too; null if it names no amounts. */
function usedAmount(quota: Quota): number | null {
  if (quota.unlimited || quota.entitlement === null || quota.remaining === null) return null;
  return unfloated(Math.max(0, quota.entitlement - Math.max(0, quota.remaining)) + (quota.overageUsed ?? 0));
}

/** GitHub's figures may come with one decimal. */
const roundingOfGithub = 0.05;

/**
 * GitHub's counter beside ours of the same time. `unknown` counts our requests whose charge wasn't reported, which may
 * be part of the difference, as what other clients spent and what the history no longer has.
 */
export function elsewhere(quota: Quota | null, ours: number, unknown: number): string | null {
  const theirs = quota === null ? null : usedAmount(quota);
  if (quota === null || theirs === null || ours === 0) return null;
  const rest = theirs - ours;
  if (rest < -roundingOfGithub) return t('GitHub’s last figure lacks the newest requests.');
  if (rest < roundingOfGithub) return t('All of it is in this log.');
  const here = quota.world === 'credits' ? creditAmount(ours) : premiumRequests(ours);
  const other = quotaAmount(rest, quota.world);
  return unknown === 0
    ? t('{here} in this log. The other {other}: other Copilot clients or deleted history.', { here, other })
    : t(
        '{here} in this log. The other {other}: other Copilot clients, {unknown, plural, one {# request} other {# requests}} of unknown charge or deleted history.',
        { here, other, unknown },
      );
}

/** What our rows add up to in the unit of a world: credits, or premium requests. */
export function amountIn(world: World, sums: { nanoAiu: number; premiumRequests: number }): number {
  return world === 'premium' ? sums.premiumRequests : sums.nanoAiu / 1e9;
}

/** The biggest amount first. */
export function byAmount(world: World) {
  return (one: AmountOf, other: AmountOf): number =>
    amountIn(world, other) - amountIn(world, one) || other.requests - one.requests;
}
type AmountOf = { nanoAiu: number; premiumRequests: number; requests: number };

/**
 * The amounts of parts that stand below their sum and nowhere else, so that they add up.
 * @param sum as it is shown; default: theirs
 */
export function shownAmounts(
  world: World,
  rows: readonly { nanoAiu: number; premiumRequests: number }[],
  sum?: number,
): number[] {
  const amounts = rows.map((row) => amountIn(world, row));
  return world === 'premium' ? amounts : roundedParts(amounts, sum);
}

/** `1,386 credits`, `603 premium requests` */
export function amountWords(world: World, sums: { nanoAiu: number; premiumRequests: number }): string {
  if (world === 'premium') return t('{amount} premium requests', { amount: premiumRequests(sums.premiumRequests) });
  return t('{amount} credits', { amount: creditsOf(sums.nanoAiu) });
}

type Sums = { nanoAiu: number; premiumRequests: number; billed: number; unknown: number; free: number };

/**
 * The amount of many requests in a cell: `1,161.39`, `27`, `Free`, `Unknown`, `–`.
 * @param shown the amount as it is rounded, for cells that add up to a sum
 */
export function sumCell(
  world: World,
  sums: Sums,
  shown = amountIn(world, sums),
): { kind: 'amount' | 'unknown' | 'free' | 'none'; text: string } {
  if (amountIn(world, sums) > 0) {
    const text = world === 'premium' ? premiumRequests(shown) : creditAmount(Math.max(shown, 0.001));
    return { kind: 'amount', text };
  }
  if (sums.billed > 0 || (sums.unknown > 0 && sums.free === 0)) return { kind: 'unknown', text: t('Unknown') };
  return sums.free === 0 ? { kind: 'none', text: '–' } : { kind: 'free', text: t('Free') };
}

/** `20 Nov 2026: 217 billed, 19 free, 1 unknown, 1,385.69 credits` */
export function slotWords(title: string, row: TotalsRow | null): string {
  if (row === null) return t('{title}: no requests', { title });
  const counts = [
    t('{count} billed', { count: grouped(row.billed) }),
    t('{count} free', { count: grouped(row.free) }),
    ...(row.unknown === 0 ? [] : [t('{count} unknown', { count: grouped(row.unknown) })]),
  ];
  const amounts = [
    ...(row.nanoAiu > 0 ? [t('{amount} credits', { amount: creditsOf(row.nanoAiu) })] : []),
    ...(row.premiumRequests > 0
      ? [t('{amount} premium requests', { amount: premiumRequests(row.premiumRequests) })]
      : []),
  ];
  return `${title}: ${[...counts, ...amounts].join(', ')}`;
}

/** What requests are for, and the words of the filter that shows them. */
const purposes: Readonly<Record<Purpose, { name: Message; query: string }>> = {
  main: {
    name: msg('Main conversation'),
    query: '-reason:subagent,compaction,auxiliary,side-question,token-count,repeat -endpoint:web',
  },
  subagent: { name: msg('Subagents'), query: 'reason:subagent' },
  compaction: { name: msg('Compactions'), query: 'reason:compaction' },
  side: { name: msg('Titles and auxiliary'), query: 'reason:auxiliary,side-question,token-count' },
  repeat: { name: msg('Prompts sent again'), query: 'reason:repeat' },
  search: { name: msg('Web searches'), query: 'endpoint:web' },
};

/** The same by the key of a sum. */
export function purposeOf(key: string): { name: string; query: string } {
  const purpose = Object.hasOwn(purposes, key) ? purposes[key as Purpose] : purposes.main;
  return { name: translated(purpose.name), query: purpose.query };
}

const missReasons: Readonly<Record<CacheMissReason, (count: string) => string>> = {
  time: (count) => t('{count} more than five minutes after the one before', { count }),
  prefix: (count) => t('{count} because the beginning had changed', { count }),
  model: (count) => t('{count} on another model', { count }),
  compaction: (count) => t('{count} after a compaction', { count }),
};

/** `3 requests missed the cache, about 4.10 credits more: 2 more than five minutes after the one before, …` */
export function cacheMissWords(misses: readonly Pick<CacheMiss, 'reason' | 'requests' | 'nanoAiu'>[]): string {
  const all = misses.reduce((sum, { requests }) => sum + requests, 0);
  const more = misses.reduce((sum, { nanoAiu }) => sum + (nanoAiu ?? 0), 0);
  const byReason = Object.entries(missReasons).flatMap(([reason, words]) => {
    const count = misses.reduce((sum, one) => sum + (one.reason === reason ? one.requests : 0), 0);
    return count === 0 ? [] : [words(grouped(count))];
  });
  const reasons = byReason.join(', ');
  return more === 0
    ? t('{all, plural, one {# request} other {# requests}} missed the cache: {reasons}', { all, reasons })
    : t('{all, plural, one {# request} other {# requests}} missed the cache, about {credits} credits more: {reasons}', {
        all,
        credits: creditsOf(more),
        reasons,
      });
}

/**
 * What the cache saved, as the parts of its sentence.
 * @param amount marks what a person looks for in it
 * @param rest marks what stands behind that
 */
export function cacheSavingsWords<Part>(
  { nanoAiu, withoutPrice }: CacheSavings,
  amount: (inside: readonly (string | Part)[]) => Part,
  rest: (inside: readonly (string | Part)[]) => Part,
): (string | Part)[] {
  if (nanoAiu === null) {
    const unknown = t('Savings of the cache are unknown: Copilot reported no prices for these requests.');
    return [rest([withoutPrice === 0 ? t('Nothing was read from the cache.') : unknown])];
  }
  const credits = creditsOf(Math.abs(nanoAiu));
  const saved =
    nanoAiu >= 0
      ? richParts<Part>('The cache saved <amount>{credits} credits</amount><rest>.</rest>', { credits, amount, rest })
      : richParts<Part>('The cache cost <amount>{credits} credits</amount><rest> more than it saved.</rest>', {
          credits,
          amount,
          rest,
        });
  const estimated =
    withoutPrice > 0
      ? t(
          'Estimated by Jumpseat from the prices of Copilot’s last charges; {tokens} tokens without a price left out.',
          { tokens: tokenCount(withoutPrice) },
        )
      : t('Estimated by Jumpseat from the prices of Copilot’s last charges.');
  return [...saved, rest([` ${estimated}`])];
}

/** Requests from when there was one account, by account. */
export const beforeAccounts = msg('Before there were several accounts');

/** How much of the prompts came from the cache, 0 to 1; null if nothing was read. */
export function cachedShare(sums: Pick<ConversationSums, 'input' | 'cacheRead' | 'cacheWrite'>): number | null {
  const all = sums.input + sums.cacheRead + sums.cacheWrite;
  return all === 0 ? null : sums.cacheRead / all;
}

interface LimitWords {
  used: number | null;
  /** `62% used`; empty where it is not known. */
  figure: string;
  line: string;
  tone: 'fine' | 'warning' | 'danger';
}

/** One of Copilot's usage windows, reported from about half use on, with an answer only. */
export function limitWindow(window: UsageWindow | null, now: number): LimitWords {
  const unknown = (line: string): LimitWords => ({ used: null, figure: '', line, tone: 'fine' });
  if (window === null) return unknown(t('Not reported yet. Copilot reports this above about 50%.'));
  const resetsAt = window.resetsAt === null ? Number.NaN : Date.parse(window.resetsAt);
  if (resetsAt <= now) return unknown(t('It was reset at {time}. Not reported since.', { time: clock(resetsAt, now) }));
  const used = Math.min(1, Math.max(0, 1 - window.percentRemaining / 100));
  return {
    used,
    figure: t('{percent} used', { percent: percentage(used * 100) }),
    line: Number.isNaN(resetsAt)
      ? t('Reported by Copilot')
      : t('Resets {time}, in {left}', { time: clock(resetsAt, now), left: timeLeft(resetsAt - now) }),
    tone: used < 0.8 ? 'fine' : used < 0.95 ? 'warning' : 'danger',
  };
}

/** Copilot’s limits of 5 hours and of a week, as it named them: `5-hour limit 62% used, resets in 2 h 14 min`. */
export function limitCountdowns(
  { usageWindows, limit }: Pick<AppState, 'usageWindows'> & Pick<AppState['health'], 'limit'>,
  now: number,
): string[] {
  const reached = limit !== null && limit.until > now ? limit : null;
  const lines =
    reached === null
      ? []
      : [
          t(
            '{kind, select, session {5-hour limit} weekly {Weekly limit} other {Copilot’s limit}} reached, resets in {left}',
            { kind: reached.kind, left: timeLeft(reached.until - now) },
          ),
        ];
  for (const kind of ['session', 'weekly'] as const) {
    const window = usageWindows[kind];
    const { used, figure } = limitWindow(window, now);
    if (used === null || kind === reached?.kind) continue;
    const line = t('{kind, select, session {5-hour limit} other {Weekly limit}} {figure}', { kind, figure });
    const until = Date.parse(window?.resetsAt ?? '');
    lines.push(until > now ? t('{line}, resets in {left}', { line, left: timeLeft(until - now) }) : line);
  }
  return lines;
}

/**
 * `Billing changed on 1 Jun 2026` needs the first time of the new world; null: it did not change. `rows` are the oldest
 * first.
 */
export function worldChange(rows: readonly TotalsRow[]): { before: World; after: World; key: string } | null {
  let before: World | null = null;
  let change: { before: World; after: World; key: string } | null = null;
  for (const { key, reported, estimated } of rows) {
    if (reported === 0 && estimated === 0) continue;
    const world: World = estimated > reported ? 'premium' : 'credits';
    if (before !== null && before !== world) change = { before, after: world, key };
    before = world;
  }
  return change;
}

/** `12 prompts` */
export function promptCount(count: number): string {
  return t('{count, plural, one {# prompt} other {# prompts}}', { count });
}

function clock(at: number, now: number): string {
  return day(at) === day(now) ? `${hourAndMinute(at)}${zoneSuffix()}` : weekdayAndTime(at);
}

/** Sums of a row of Usage. */
export type UsageRow = Omit<ConversationSums, 'startedAt' | 'endedAt'> & { key: string };

/** What its counts leave of a row's requests: `user`, `agent` and `neither` are those with a charge, known or not. */
export function restOf({ requests, user, agent, billed, free, unknown }: Counts) {
  const charged = billed + free + unknown;
  return { neither: charged - user - agent, noCharge: requests - charged };
}
type Counts = Pick<UsageRow, 'requests' | 'user' | 'agent' | 'billed' | 'free' | 'unknown'>;

const csvColumns: readonly [string, (row: UsageRow) => number | null][] = [
  ['requests', ({ requests }) => requests],
  ['user', ({ user }) => user],
  ['agent', ({ agent }) => agent],
  ['neither', (row) => restOf(row).neither],
  ['billed', ({ billed }) => billed],
  ['free', ({ free }) => free],
  ['unknown', ({ unknown }) => unknown],
  ['no_charge', (row) => restOf(row).noCharge],
  ['failed', ({ failed }) => failed],
  ['credits_reported', ({ nanoAiu }) => nanoAiu / 1e9],
  ['credits_user', ({ userNanoAiu }) => userNanoAiu / 1e9],
  ['credits_agent', ({ agentNanoAiu }) => agentNanoAiu / 1e9],
  ['premium_requests_estimated', ({ premiumRequests }) => premiumRequests],
  ['input_tokens', ({ input }) => input],
  ['cache_read_tokens', ({ cacheRead }) => cacheRead],
  ['cache_write_tokens', ({ cacheWrite }) => cacheWrite],
  ['output_tokens', ({ output }) => output],
];

/** The sums of a period, one line each: `by` says whether of an hour, day or month, a model, a client or an account. */
export function toUsageCsv(parts: readonly { by: string; rows: readonly UsageRow[] }[]): string {
  const head = ['by', 'key', ...csvColumns.map(([name]) => name)].join(',');
  const lines = parts.flatMap(({ by, rows }) =>
    rows.map((row) => [by, csvCell(row.key), ...csvColumns.map(([, pick]) => csvCell(pick(row)))].join(',')),
  );
  return `${[head, ...lines].join('\r\n')}\r\n`;
}

/** A limit of the person's own beside the others. */
interface OwnLimitWords {
  /** `Credits per month` */
  name: string;
  /** `5,600.00 of 7,000` */
  figure: string;
  used: number;
  tone: 'fine' | 'warning' | 'danger';
  /** What comes of it, and when it starts anew. */
  line: string;
  pace: PaceWords | null;
}

export function ownLimitWords(limit: OwnLimit, now: number): OwnLimitWords {
  const { setting, used, most, stops, month } = limit;
  const counted = limitUnits[setting];
  const unit = counted === 'premium requests' ? 'premium' : counted;
  const isOver = isUsedUp(limit);
  const acts = stops ? (isOver ? t('Requests are refused') : t('Stops requests')) : t('Warns');
  const anew = month === null ? null : t('starts anew on {day}', { day: dayOfYear(month.until) });
  return {
    name: limitName(limit),
    figure: limitFigure(limit),
    used: Math.min(1, used / most),
    tone: isOver ? 'danger' : used >= most * 0.8 ? 'warning' : 'fine',
    line: anew === null ? acts : `${acts} · ${anew}`,
    pace: month && forecast({ spent: used, of: most, month, at: now, unit, isOwnLimit: true }),
  };
}

/** One line of `jumpseat budget`: what may be used, and what is. Null: not known, or without an end. */
export interface BudgetLine {
  name: string;
  /** The part of the requests that it is for; null: all of them. */
  scope: CountedScope | null;
  used: number | null;
  of: number | null;
  unit: string;
  isUsedUp: boolean;
  /** What comes of it when it is used up: requests are refused, or only a notification. Null: GitHub's own. */
  action: 'stop' | 'warn' | null;
  /** `resets 1 Dec`, `until midnight`; empty: nothing to say. */
  until: string;
  /** Where it will end at its average so far; null if that isn't known. */
  pace: PaceWords | null;
  /** Why it counts nothing; null if it does. */
  note: string | null;
}

/** The quota of the account, then the limits that the person has set. */
export function budgetLines(
  state: Pick<AppState, 'account' | 'quota' | 'reach' | 'ownLimits' | 'health'>,
  now: number,
  keys: readonly string[],
): BudgetLine[] {
  const figure = usedFigure(state, now);
  const { quota } = state;
  const own = state.ownLimits.map((limit) => {
    const { setting, used, most, month } = limit;
    return {
      name: limitName(limit),
      scope: limit.scope,
      ...{ used: unfloated(used), of: most, unit: limitUnits[setting], isUsedUp: isUsedUp(limit) },
      action: limit.stops ? ('stop' as const) : ('warn' as const),
      until:
        month !== null
          ? t('resets {day}', { day: dayOfYear(month.until) })
          : setting.endsWith('Day')
            ? t('until midnight')
            : '',
      pace: ownLimitWords(limit, now).pace,
      note: missingKey(limit.scope, keys),
    };
  });
  if (figure === null || quota === null) return own;
  const unit = quota.world === 'premium' ? 'premium requests' : quota.world === 'credits' ? 'credits' : 'requests';
  const used = usedAmount(quota);
  const of = quota.unlimited ? null : quota.entitlement;
  const until = quota.resetsAt === null ? '' : t('resets {day}', { day: dayOfYear(Date.parse(quota.resetsAt)) });
  const name = t('Included {unit, select, credits {credits} premium {premium requests} other {requests}}', {
    unit: quota.world,
  });
  // More may be billed, and isn't unless the person allows it.
  const isHeld = state.health.overage === 'asks' || state.health.overage === 'refused';
  const isOut = figure.out || isHeld;
  return [
    {
      ...{ name, scope: null, used, of, unit, isUsedUp: isOut, action: null, until },
      ...{ pace: figure.pace, note: null },
    },
    ...own,
  ];
}
