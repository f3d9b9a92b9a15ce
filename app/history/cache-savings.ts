import type { SQLOutputValue } from 'node:sqlite';
import type { CacheSavings, TotalsRow } from '../api/history.ts';
import { unpackDetails } from './packed.ts';

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

const names: Readonly<Record<string, keyof Prices>> = {
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

/** Null where it cannot be told what a cached token costs beside a fresh one. */
function readPrices(row: Record<string, SQLOutputValue> | undefined): Prices | null {
  const found: Partial<Prices> = {};
  for (const part of parts(row)) {
    const name = names[part.type];
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
