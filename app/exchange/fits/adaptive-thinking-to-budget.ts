import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';
import { largestBudget, smallestBudget } from './thinking-budget.ts';

/**
 * Models without `adaptive_thinking` refuse that type; they think with a budget instead. Where not even the smallest budget fits into
 * max_tokens, or the model lists no budget at all, they answer without thinking.
 */
export function adaptiveThinkingToBudget(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'adaptive' || model.supports.adaptiveThinking !== 'unsupported') return unchanged(request);
  const budget = largestBudget(request, model);
  if (model.supports.maxThinkingBudget === null || budget < smallestBudget(model)) {
    return changed(without(request, 'thinking'), 'thinking-removed', 'thinking: adaptive removed');
  }
  const next = { ...request, thinking: { ...thinking, type: 'enabled', budget_tokens: budget } };
  return changed(next, 'thinking-to-budget', `thinking: adaptive → enabled ${budget}`);
}
