import { isFiniteNumber, isObject } from '../wire/json.ts';
import type { CopilotUsage } from './answer.ts';

/**
 * Reads `copilot_usage` as Copilot puts it on answers: `{token_details: [{token_type, token_count, cost_per_batch,
 * batch_size}], total_nano_aiu}`. 1e9 nano-AIU are one credit. Null when it is absent or has no total: then the cost is
 * unknown, not 0.
 */
export function readCopilotUsage(value: unknown): CopilotUsage | null {
  if (!isObject(value) || !isFiniteNumber(value.total_nano_aiu)) return null;
  const listed: unknown[] = Array.isArray(value.token_details) ? value.token_details : [];
  return { totalNanoAiu: value.total_nano_aiu, details: listed.flatMap(readDetail) };
}

function readDetail(value: unknown): CopilotUsage['details'] {
  if (!isObject(value) || typeof value.token_type !== 'string') return [];
  const { token_type: type, token_count: count, cost_per_batch: costPerBatch, batch_size: batchSize } = value;
  if (!isFiniteNumber(count) || !isFiniteNumber(costPerBatch) || !isFiniteNumber(batchSize)) return [];
  return [{ type, count, costPerBatch, batchSize }];
}

/** Σ count × cost ÷ batch size, in nano-AIU. Should equal the total; where it does not, the log says so. */
export function sumOfDetails(usage: CopilotUsage): number {
  return usage.details.reduce(
    (sum, { count, costPerBatch, batchSize }) => sum + (batchSize > 0 ? (count * costPerBatch) / batchSize : 0),
    0,
  );
}
