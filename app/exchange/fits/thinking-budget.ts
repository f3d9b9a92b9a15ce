import type { CatalogModel } from '../../copilot/model.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';

/** The most tokens this request may think: the model's limit, and less than the answer may have. Infinite where nothing says so. */
export function largestBudget(request: MessagesRequest, model: CatalogModel): number {
  const ofAnswer = typeof request.max_tokens === 'number' ? request.max_tokens - 1 : Number.POSITIVE_INFINITY;
  return Math.min(model.supports.maxThinkingBudget ?? Number.POSITIVE_INFINITY, ofAnswer);
}

/** Anthropic's own floor, for models whose catalog entry names none. */
const floor = 1024;

export function smallestBudget(model: CatalogModel): number {
  return model.supports.minThinkingBudget ?? floor;
}
