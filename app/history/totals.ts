import type { SQLOutputValue } from 'node:sqlite';
import type { TotalsRow } from '../api/history.ts';
import type { TimeZone } from '../api/settings.ts';

/** Every time zone in use is off by whole quarters of an hour, so a quarter never lies in two local days. */
const quarterMs = 900_000;

const quarter = `started_at / ${quarterMs}`;
const keys = {
  hour: quarter,
  day: quarter,
  month: quarter,
  model: `coalesce(served_model, asked_model, '')`,
  client: 'client',
} as const;

export type TotalsKey = keyof typeof keys;

/** How much of `2026-11-20T09` a quarter's time is called by; null: the key is no time. */
const stampLength: Readonly<Record<TotalsKey, number | null>> = {
  hour: 13,
  day: 10,
  month: 7,
  model: null,
  client: null,
};

/** `2026-11-20T09:15`, in that zone. */
function stamp(at: number, zone: TimeZone): string {
  const ahead = zone === 'utc' ? 0 : -new Date(at).getTimezoneOffset();
  return new Date(at + ahead * 60_000).toISOString();
}

/** One parameter: the beginning, ms since the epoch. Read it with big integers: sums of nano-AIU outgrow 2^53. */
export function totalsSql(by: TotalsKey): string {
  return `SELECT ${keys[by]} AS key,
    count(*) AS requests,
    count(*) FILTER (WHERE initiator = 'user') AS user,
    count(*) FILTER (WHERE initiator = 'agent') AS agent,
    count(*) FILTER (WHERE charge_kind = 'billed') AS billed,
    count(*) FILTER (WHERE charge_kind = 'free') AS free,
    count(*) FILTER (WHERE charge_kind = 'unknown') AS unknown,
    count(*) FILTER (WHERE outcome IN ('failed', 'cut')) AS failed,
    count(*) FILTER (WHERE charge_premium_requests IS NULL AND charge_nano_aiu IS NOT NULL) AS reported,
    count(*) FILTER (WHERE charge_premium_requests IS NOT NULL) AS estimated,
    coalesce(sum(charge_nano_aiu), 0) AS nano_aiu,
    coalesce(sum(charge_premium_requests), 0) AS premium_requests,
    coalesce(sum(input_tokens), 0) AS input,
    coalesce(sum(output_tokens), 0) AS output,
    coalesce(sum(cache_read_tokens), 0) AS cache_read,
    coalesce(sum(cache_write_tokens), 0) AS cache_write
    FROM exchanges WHERE started_at >= ? GROUP BY 1`;
}

interface Sums {
  requests: bigint;
  user: bigint;
  agent: bigint;
  billed: bigint;
  free: bigint;
  unknown: bigint;
  failed: bigint;
  reported: bigint;
  estimated: bigint;
  nanoAiu: bigint;
  premiumRequests: number;
  input: bigint;
  output: bigint;
  cacheRead: bigint;
  cacheWrite: bigint;
}

/**
 * Adds the rows of `totalsSql` up. Times: the oldest first; else the most requests first. Amounts stay integers until
 * the end.
 */
export function addUp(by: TotalsKey, rows: readonly Record<string, SQLOutputValue>[], zone: TimeZone): TotalsRow[] {
  const length = stampLength[by];
  const sums = new Map<string, Sums>();
  for (const row of rows) {
    const key = length === null ? String(row.key) : stamp(Number(row.key) * quarterMs, zone).slice(0, length);
    sums.set(key, add(sums.get(key), row));
  }
  const totals = [...sums].map(([key, sum]) => toTotals(key, sum));
  return totals.sort(length !== null ? byKey : (left, right) => right.requests - left.requests || byKey(left, right));
}

function add(sum: Sums | undefined, row: Record<string, SQLOutputValue>): Sums {
  return {
    requests: (sum?.requests ?? 0n) + integer(row.requests),
    user: (sum?.user ?? 0n) + integer(row.user),
    agent: (sum?.agent ?? 0n) + integer(row.agent),
    billed: (sum?.billed ?? 0n) + integer(row.billed),
    free: (sum?.free ?? 0n) + integer(row.free),
    unknown: (sum?.unknown ?? 0n) + integer(row.unknown),
    failed: (sum?.failed ?? 0n) + integer(row.failed),
    reported: (sum?.reported ?? 0n) + integer(row.reported),
    estimated: (sum?.estimated ?? 0n) + integer(row.estimated),
    nanoAiu: (sum?.nanoAiu ?? 0n) + integer(row.nano_aiu),
    premiumRequests: (sum?.premiumRequests ?? 0) + Number(row.premium_requests),
    input: (sum?.input ?? 0n) + integer(row.input),
    output: (sum?.output ?? 0n) + integer(row.output),
    cacheRead: (sum?.cacheRead ?? 0n) + integer(row.cache_read),
    cacheWrite: (sum?.cacheWrite ?? 0n) + integer(row.cache_write),
  };
}

function toTotals(key: string, sum: Sums): TotalsRow {
  return {
    key,
    requests: Number(sum.requests),
    user: Number(sum.user),
    agent: Number(sum.agent),
    billed: Number(sum.billed),
    free: Number(sum.free),
    unknown: Number(sum.unknown),
    failed: Number(sum.failed),
    reported: Number(sum.reported),
    estimated: Number(sum.estimated),
    nanoAiu: Number(sum.nanoAiu),
    // Multipliers have two decimals; 0.33 three times is 0.99.
    premiumRequests: Math.round(sum.premiumRequests * 1e6) / 1e6,
    input: Number(sum.input),
    output: Number(sum.output),
    cacheRead: Number(sum.cacheRead),
    cacheWrite: Number(sum.cacheWrite),
  };
}

function integer(value: SQLOutputValue | undefined): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

function byKey(left: TotalsRow, right: TotalsRow): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}
