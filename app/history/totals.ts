import type { SQLOutputValue } from 'node:sqlite';
import type { CacheSavings, TotalsRow } from '../api/history.ts';
import { type EngineName, engineNameSchema, type SearchTotalsRow } from '../api/search.ts';
import type { TimeZone } from '../api/settings.ts';
import { unreadable } from './history-error.ts';
import { unpackDetails } from './packing.ts';
import type { Store, Writer } from './store.ts';

/** Every time zone in use is offset by whole quarters of an hour, so a quarter belongs to one local day. */
export const quarterMs = 900_000;

const quarter = `started_at / ${quarterMs}`;
const keys = {
  hour: quarter,
  day: quarter,
  month: quarter,
  model: `coalesce(served_model, asked_model, '')`,
  client: 'client',
  account: `coalesce((SELECT text FROM words WHERE words.id = account), '')`,
  purpose: `CASE WHEN api = 'web' THEN 'search'
    WHEN reason_code IN ('subagent', 'compaction', 'repeat') THEN reason_code
    WHEN reason_code IN ('auxiliary', 'side-question', 'token-count') THEN 'side'
    ELSE 'main' END`,
} as const;

/** Null if the stored sums don't have it: few people have several accounts, and purposes are looked at now and then. */
const keptKeys = {
  ...{ hour: 'quarter', day: 'quarter', month: 'quarter' },
  ...{ model: 'model', client: 'client', account: null, purpose: null },
} as const;

type TotalsKey = keyof typeof keys;

/** How much of `2026-11-20T09` a quarter's time is called by; null if the key is no time. */
const stampLength: Readonly<Record<TotalsKey, number | null>> = {
  hour: 13,
  day: 10,
  month: 7,
  model: null,
  client: null,
  account: null,
  purpose: null,
};

/** `2026-11-20T09:15`, in that zone. */
function stamp(at: number, zone: TimeZone): string {
  const ahead = zone === 'utc' ? 0 : -new Date(at).getTimezoneOffset();
  return new Date(at + ahead * 60_000).toISOString();
}

/** A request that was refused or never sent is nobody's, so that one that was sent again counts once. */
const startedBy = (initiator: 'user' | 'agent'): string =>
  `count(*) FILTER (WHERE initiator = '${initiator}' AND charge_kind <> 'none')`;
export const startedByUser = startedBy('user');
export const startedByAgent = startedBy('agent');

/** Also one whose answer was cut. */
export const failedRows = `count(*) FILTER (WHERE outcome IN ('failed', 'cut'))`;

/** What is added up of some rows. */
const figures = {
  requests: 'count(*)',
  user: startedByUser,
  agent: startedByAgent,
  billed: `count(*) FILTER (WHERE charge_kind = 'billed')`,
  free: `count(*) FILTER (WHERE charge_kind = 'free')`,
  unknown: `count(*) FILTER (WHERE charge_kind = 'unknown')`,
  failed: failedRows,
  reported: 'count(*) FILTER (WHERE charge_premium_requests IS NULL AND charge_nano_aiu IS NOT NULL)',
  estimated: 'count(*) FILTER (WHERE charge_premium_requests IS NOT NULL)',
  nano_aiu: 'coalesce(sum(charge_nano_aiu), 0)',
  estimate: 'coalesce(sum(charge_estimate), 0)',
  unestimated: `count(*) FILTER (WHERE charge_kind = 'unknown' AND charge_estimate IS NULL)`,
  premium_requests: 'coalesce(sum(charge_premium_requests), 0)',
  user_nano_aiu: `coalesce(sum(charge_nano_aiu) FILTER (WHERE initiator = 'user'), 0)`,
  agent_nano_aiu: `coalesce(sum(charge_nano_aiu) FILTER (WHERE initiator = 'agent'), 0)`,
  input: 'coalesce(sum(input_tokens), 0)',
  output: 'coalesce(sum(output_tokens), 0)',
  cache_read: 'coalesce(sum(cache_read_tokens), 0)',
  cache_write: 'coalesce(sum(cache_write_tokens), 0)',
} as const;
const figuresSql = Object.entries(figures)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ');
const names = Object.keys(figures);
const between = 'started_at >= ? AND started_at < ?';

/** Parameters: from, until. */
const rowsSql = (by: TotalsKey): string =>
  `SELECT ${keys[by]} AS key, ${figuresSql} FROM exchanges WHERE ${between} GROUP BY 1`;

/** Parameter: the first quarter. */
const keptSql = (by: TotalsKey): string =>
  `SELECT ${keptKeys[by]} AS key, ${names.map((name) => `sum(${name}) AS ${name}`).join(', ')}
    FROM quarter_sums WHERE quarter >= ? GROUP BY 1`;

/** Keeps the sums of one quarter. Parameters: the quarter, from, until. */
export const keepSql = `INSERT OR REPLACE INTO quarter_sums (quarter, model, client, ${names.join(', ')})
  SELECT ?, ${keys.model}, client, ${figuresSql} FROM exchanges WHERE ${between} GROUP BY 2, 3`;

/** The quarters that have rows, oldest first, each with whether its sums are kept. Parameter: the beginning. */
export const quartersSql = `WITH RECURSIVE quarters (quarter) AS (
    SELECT min(started_at) / ${quarterMs} FROM exchanges WHERE started_at >= ?
    UNION ALL
    SELECT (SELECT min(started_at) / ${quarterMs} FROM exchanges WHERE started_at >= (quarter + 1) * ${quarterMs})
    FROM quarters WHERE quarter IS NOT NULL
  ) SELECT quarter, EXISTS (SELECT 1 FROM quarter_sums WHERE quarter_sums.quarter = quarters.quarter) AS kept
    FROM quarters WHERE quarter IS NOT NULL`;

/** Few enough that sorting them costs little, and many where nothing is kept. */
const quartersAtOnce = 64;

type Row = Record<string, SQLOutputValue>;
type Rows = (sql: string, values: readonly number[], bigInts?: boolean) => Row[];

/**
 * Sums since a time: of whole quarters as they are kept, of others from their rows (measured with 1 000 000 rows:
 * 0.1 s instead of 2; with 250 000: 0.03 to 0.08 s instead of 0.7, for 3 bytes a row). Throws what the database throws.
 */
export function totals(rows: Rows, which: { by: TotalsKey; since: number; zone: TimeZone }): TotalsRow[] {
  const { by, since, zone } = which;
  if (keptKeys[by] === null) return addUp(by, rows(rowsSql(by), [since, Number.MAX_SAFE_INTEGER], true), zone);
  const firstWhole = Math.ceil(since / quarterMs);
  const found = rows(keptSql(by), [firstWhole], true);
  for (const [from, until] of notKept(rows(quartersSql, [since]), firstWhole)) {
    found.push(...rows(rowsSql(by), [Math.max(since, from), until], true));
  }
  return addUp(by, found, zone);
}

/** Times between which no sums are kept. */
function notKept(quarters: readonly Row[], firstWhole: number): [number, number][] {
  const spans: { from: number; until: number; count: number }[] = [];
  let open = false;
  for (const row of quarters) {
    const from = Number(row.quarter) * quarterMs;
    const until = from + quarterMs;
    const last = open ? spans.at(-1) : undefined;
    open = row.kept !== 1 || Number(row.quarter) < firstWhole;
    if (!open) continue;
    if (last === undefined || last.count === quartersAtOnce) spans.push({ from, until, count: 1 });
    else {
      last.until = until;
      last.count += 1;
    }
  }
  return spans.map(({ from, until }) => [from, until]);
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
  estimate: bigint;
  unestimated: bigint;
  premiumRequests: number;
  userNanoAiu: bigint;
  agentNanoAiu: bigint;
  input: bigint;
  output: bigint;
  cacheRead: bigint;
  cacheWrite: bigint;
}

/**
 * Adds rows of sums up. Times: the oldest first; else the most requests first. Amounts stay integers until
 * the end.
 */
function addUp(by: TotalsKey, rows: readonly Record<string, SQLOutputValue>[], zone: TimeZone): TotalsRow[] {
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
    estimate: (sum?.estimate ?? 0n) + integer(row.estimate),
    unestimated: (sum?.unestimated ?? 0n) + integer(row.unestimated),
    premiumRequests: (sum?.premiumRequests ?? 0) + Number(row.premium_requests),
    userNanoAiu: (sum?.userNanoAiu ?? 0n) + integer(row.user_nano_aiu),
    agentNanoAiu: (sum?.agentNanoAiu ?? 0n) + integer(row.agent_nano_aiu),
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
    ...(sum.estimate > 0n && { estimate: Number(sum.estimate) }),
    ...(sum.unestimated > 0n && { unestimated: Number(sum.unestimated) }),
    // Multipliers have two decimals; 0.33 three times is 0.99.
    premiumRequests: Math.round(sum.premiumRequests * 1e6) / 1e6,
    userNanoAiu: Number(sum.userNanoAiu),
    agentNanoAiu: Number(sum.agentNanoAiu),
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

/** Prices in nano-AIU per token, as Copilot itself put them into a charge. */
interface Prices {
  input: number;
  cacheRead: number;
  cacheWrite: number;
}

/**
 * The last charge of a model that came with its parts. Parameters: the model, since. The index by model finds it at
 * once.
 */
export const lastPricesSql = `SELECT charge_details AS details,
    (SELECT text FROM words WHERE id = iif(json_valid(charge_details), charge_details ->> '$[0]', NULL)) AS prices
    FROM exchanges
    WHERE served_model = ? AND started_at >= ? AND charge_details <> '[]' ORDER BY started_at DESC LIMIT 1`;

const priceNames: Readonly<Record<string, keyof Prices>> = {
  input: 'input',
  prompt: 'input',
  cache_read: 'cacheRead',
  cached_input: 'cacheRead',
  cache_write: 'cacheWrite',
};

/**
 * What reading from the cache saved, less what writing to it cost more, at the prices of Copilot's last charge for each
 * model: our own estimate. Tokens of models without such a charge are counted in `withoutPrice` and not guessed at.
 */
export function cacheSavings(
  models: readonly TotalsRow[],
  lastCharge: (model: string) => Record<string, SQLOutputValue> | undefined,
): CacheSavings {
  const savings: CacheSavings = { nanoAiu: null, withoutPrice: 0 };
  for (const { key, cacheRead, cacheWrite } of models) {
    if (cacheRead === 0 && cacheWrite === 0) continue;
    const price = readPrices(lastCharge(key));
    if (price === null) savings.withoutPrice += cacheRead;
    else {
      const saved = cacheRead * (price.input - price.cacheRead) - cacheWrite * (price.cacheWrite - price.input);
      savings.nanoAiu = (savings.nanoAiu ?? 0) + saved;
    }
  }
  return savings;
}

/** Null if the price of a cached token beside a fresh one is unknown. */
export function readPrices(row: Record<string, SQLOutputValue> | undefined): Prices | null {
  const found: Partial<Prices> = {};
  for (const part of parts(row)) {
    const name = priceNames[part.type];
    if (name !== undefined && part.batchSize > 0) found[name] = part.costPerBatch / part.batchSize;
  }
  const { input, cacheRead, cacheWrite } = found;
  if (input === undefined || cacheRead === undefined) return null;
  return { input, cacheRead, cacheWrite: cacheWrite ?? input };
}

function parts(
  row: Record<string, SQLOutputValue> | undefined,
): { type: string; costPerBatch: number; batchSize: number }[] {
  const read = unpackDetails(row?.details, () => row?.prices);
  return Array.isArray(read) ? read.filter(isPart) : [];
}

function isPart(value: unknown): value is { type: string; costPerBatch: number; batchSize: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'costPerBatch' in value &&
    typeof value.costPerBatch === 'number' &&
    'batchSize' in value &&
    typeof value.batchSize === 'number'
  );
}

/** One search, without its text. */
interface SearchEntry {
  /** ms since the epoch. */
  at: number;
  engine: EngineName;
  failed: boolean;
}

/** Sums that wait for a database that cannot be written. */
const searchQueueLimit = 2000;

/** How often the web was searched, and by whom: for Usage. Kept as long as requests are. */
export class SearchTable implements Writer {
  readonly #store: Store;
  #queue: SearchEntry[] = [];

  constructor(store: Store) {
    this.#store = store;
    store.join(this);
  }

  record(entry: SearchEntry): void {
    this.#queue.push(entry);
    if (this.#queue.length > searchQueueLimit) this.#queue.shift();
    this.#store.schedule(this);
  }

  /** Totals by day of that zone and by engine, oldest day first. Throws `HistoryError`. */
  totals(since: number, zone: TimeZone): SearchTotalsRow[] {
    this.#store.flush();
    const rows = this.#store.read<Record<string, SQLOutputValue>[] | null>(
      () => this.#store.prepare(searchTotalsSql).all(since),
      null,
    );
    if (rows === null) throw unreadable(this.#store.problem());
    const sums = new Map<string, SearchTotalsRow>();
    for (const { quarter, engine, searches, failed } of rows) {
      const known = engineNameSchema.safeParse(engine);
      if (!known.success) continue;
      const day = stamp(Number(quarter) * quarterMs, zone).slice(0, 10);
      const key = `${day} ${known.data}`;
      const sum = sums.get(key) ?? { day, engine: known.data, searches: 0, failed: 0 };
      sum.searches += Number(searches);
      sum.failed += Number(failed);
      sums.set(key, sum);
    }
    return [...sums.values()];
  }

  write(): void {
    for (const { at, engine, failed } of this.#queue) this.#store.prepare(putSearchSql).run(at, engine, failed ? 1 : 0);
  }

  written(): void {
    this.#queue = [];
  }

  renewed(): void {}
  reopened(): void {}
}

const putSearchSql = 'INSERT INTO searches (at, engine, failed) VALUES (?, ?, ?)';
const searchTotalsSql = `SELECT at / ${quarterMs} AS quarter, engine, count(*) AS searches, sum(failed) AS failed
  FROM searches WHERE at >= ? GROUP BY 1, 2 ORDER BY 1`;
/** One parameter: the time before which they are forgotten. */
export const forgetSearchesSql = 'DELETE FROM searches WHERE at < ?';

/** Two looks into an index for every model, however many rows there are; a group would go through all of them. */
export const usedModelsSql = `WITH RECURSIVE models (model) AS (
    SELECT min(served_model) FROM exchanges
    UNION ALL
    SELECT (SELECT min(served_model) FROM exchanges WHERE served_model > model) FROM models WHERE model IS NOT NULL
  ), used AS (
    SELECT model, (SELECT max(started_at) FROM exchanges WHERE served_model = model) AS at FROM models
    WHERE model IS NOT NULL
  ) SELECT model, at FROM used WHERE at >= ?`;
export const askedForSql = `SELECT asked_model AS asked FROM exchanges
  WHERE served_model = ? AND started_at = ? AND asked_model IS NOT NULL LIMIT 1`;
