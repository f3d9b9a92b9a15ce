import type { AnswerUsage } from '../answer/answer.ts';
import { isFiniteNumber, isObject, type JsonObject } from '../wire/json.ts';

/**
 * Reads the `usage` of a chat answer. `prompt_tokens` includes cached ones, ours do not. Gemini counts
 * `reasoning_tokens` beside `completion_tokens` instead of in them; the total tells which it is. A later usage takes
 * the place of an earlier one.
 */
export function readChatUsage(usage: JsonObject, into: AnswerUsage): void {
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const cached = isFiniteNumber(details.cached_tokens) ? details.cached_tokens : null;
  const cacheWrite = isFiniteNumber(details.cache_creation_input_tokens) ? details.cache_creation_input_tokens : null;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (isFiniteNumber(prompt)) into.input = Math.max(0, prompt - (cached ?? 0) - (cacheWrite ?? 0));
  if (cached !== null) into.cacheRead = cached;
  if (cacheWrite !== null) into.cacheWrite = cacheWrite;
  if (isFiniteNumber(completion)) into.output = completion + reasoningBeside(usage, prompt, completion);
}

/** Those among the output tokens; 0 where they are not counted apart. */
export function reasoningTokensOf(usage: JsonObject): number {
  const details = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const counted = details.reasoning_tokens ?? usage.reasoning_tokens;
  return isFiniteNumber(counted) ? counted : 0;
}

function reasoningBeside(usage: JsonObject, prompt: unknown, completion: number): number {
  const { reasoning_tokens: reasoning, total_tokens: total } = usage;
  if (!isFiniteNumber(reasoning) || !isFiniteNumber(total) || !isFiniteNumber(prompt)) return 0;
  return total === prompt + completion + reasoning ? reasoning : 0;
}
