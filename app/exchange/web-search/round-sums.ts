import type { AnswerFacts, AnswerUsage, CopilotUsage } from '../../formats/answer/answer.ts';
import type { MessagesUsage } from '../../formats/messages/request.ts';
import type { JsonObject } from '../../formats/wire/json.ts';

/** Adds what one answer of the upstream's was to what the client's answer is so far. */
export function addRound(sum: AnswerFacts, round: AnswerFacts): void {
  for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
    sum.usage[key] = plus(sum.usage[key], round.usage[key]);
  if (round.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + round.reasoningTokens;
  sum.copilotUsage = bills(sum.copilotUsage, round.copilotUsage);
  sum.stopReason = round.stopReason;
  sum.upstreamModel = round.upstreamModel ?? sum.upstreamModel;
}

/** What was not counted stays unknown. */
function plus(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}

function bills(one: CopilotUsage | null, other: CopilotUsage | null): CopilotUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    totalNanoAiu: one.totalNanoAiu + other.totalNanoAiu,
    details: [...one.details, ...other.details],
  };
}

/** As the Messages API has it. */
export function usageOf({ input, output, cacheRead, cacheWrite }: AnswerUsage): MessagesUsage {
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    ...(cacheRead === null ? {} : { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite === null ? {} : { cache_creation_input_tokens: cacheWrite }),
  };
}

/** As `copilot_usage` has it. */
export function billOf({ totalNanoAiu, details }: CopilotUsage): JsonObject {
  return {
    total_nano_aiu: totalNanoAiu,
    token_details: details.map(({ type, count, costPerBatch, batchSize }) => ({
      token_type: type,
      token_count: count,
      cost_per_batch: costPerBatch,
      batch_size: batchSize,
    })),
  };
}
