import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { CacheMiss, CacheMissReason } from '../api/history.ts';
import { plainId } from './packing.ts';
import { lastPricesSql, readPrices } from './totals.ts';

/** How long Anthropic keeps a cached prefix from its last use on, unless a client pays for an hour. */
const cachedForMs = 300_000;
/** Shorter prefixes aren't cached. */
const leastTokens = 1024;

/**
 * Parameter: since. A request is held against the one before it of the same conversation, each subagent's by
 * themselves. Titles, side questions and counts of tokens begin otherwise, and say nothing of the conversation.
 */
const missesSql = `WITH turns AS (
    SELECT client, session, served_model AS model, coalesce(cache_read_tokens, 0) AS read, started_at,
      coalesce(input_tokens, 0) + coalesce(cache_write_tokens, 0) AS fresh,
      lag(coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)) OVER before AS cached,
      lag(started_at) OVER before AS used_at,
      lag(served_model) OVER before AS model_before,
      lag(reason_code) OVER before AS reason_before
    FROM exchanges
    WHERE started_at >= ? AND session IS NOT NULL AND api <> 'count-tokens' AND output_tokens IS NOT NULL
      AND coalesce(reason_code, '') NOT IN ('auxiliary', 'side-question', 'token-count')
    WINDOW before AS (PARTITION BY client, session, agent_id ORDER BY started_at, seq)
  )
  SELECT client, session, model,
    CASE WHEN model <> model_before THEN 'model'
      WHEN reason_before = 'compaction' THEN 'compaction'
      WHEN started_at - used_at > ${cachedForMs} THEN 'time'
      ELSE 'prefix' END AS reason,
    count(*) AS requests, sum(min(cached - read, fresh)) AS tokens
  FROM turns WHERE cached >= ${leastTokens} AND read * 2 < cached AND fresh > 0 GROUP BY 1, 2, 3, 4`;

type Rows = (sql: string, values: readonly SQLInputValue[]) => Record<string, SQLOutputValue>[];

/** Throws what the database throws. */
export function cacheMisses(rows: Rows, since: number): CacheMiss[] {
  const prices = new Map<string, ReturnType<typeof readPrices>>();
  const priceOf = (model: string) => {
    const price = prices.get(model) ?? readPrices(rows(lastPricesSql, [model, since])[0]);
    prices.set(model, price);
    return price;
  };
  const misses = new Map<string, CacheMiss>();
  for (const { client, session, model, reason, requests, tokens } of rows(missesSql, [since])) {
    const price = priceOf(String(model));
    const more = price && Number(tokens) * (price.cacheWrite - price.cacheRead);
    const miss = {
      ...{ client: String(client), session: plainId(String(session)), reason: reasonOf(reason) },
      ...{ requests: Number(requests), tokens: Number(tokens), nanoAiu: more },
    };
    const key = JSON.stringify([client, session, reason]);
    const known = misses.get(key);
    misses.set(key, known === undefined ? miss : added(known, miss));
  }
  return [...misses.values()];
}

function added(one: CacheMiss, other: CacheMiss): CacheMiss {
  const nanoAiu = one.nanoAiu === null ? other.nanoAiu : one.nanoAiu + (other.nanoAiu ?? 0);
  return { ...one, requests: one.requests + other.requests, tokens: one.tokens + other.tokens, nanoAiu };
}

function reasonOf(reason: SQLOutputValue | undefined): CacheMissReason {
  return reason === 'model' || reason === 'compaction' || reason === 'time' ? reason : 'prefix';
}
