import type { AnswerUsage } from '../answer/answer.ts';
import { isFiniteNumber, isObject, type JsonObject } from '../wire/json.ts';

/**
 * Reads the `usage` of a response. `input_tokens` includes cached ones, ours do not; `output_tokens` includes those of
 * reasoning, as ours do.
 */
export function readResponsesUsage(usage: JsonObject, into: AnswerUsage): void {
  const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const { cached_tokens: cached, cache_write_tokens: written } = details;
  const { input_tokens: input, output_tokens: output } = usage;
  if (isFiniteNumber(cached)) into.cacheRead = cached;
  if (isFiniteNumber(written)) into.cacheWrite = written;
  if (isFiniteNumber(input))
    into.input = Math.max(0, input - (isFiniteNumber(cached) ? cached : 0) - (isFiniteNumber(written) ? written : 0));
  if (isFiniteNumber(output)) into.output = output;
}
