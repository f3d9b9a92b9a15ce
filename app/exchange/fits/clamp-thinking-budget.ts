import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';
import { largestBudget, smallestBudget } from './thinking-budget.ts';

/** Claude Code asks for 31999, 63999 or 127999; a budget has to stay within the model's limit and below max_tokens. */
export function clampThinkingBudget(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'enabled' || typeof thinking.budget_tokens !== 'number') return unchanged(request);
  const asked = thinking.budget_tokens;
  const most = largestBudget(request, model);
  if (asked <= most) return unchanged(request);
  if (most < smallestBudget(model)) {
    return changed(without(request, 'thinking'), 'thinking-removed', `thinking budget ${asked} removed`);
  }
  const next = { ...request, thinking: { ...thinking, budget_tokens: most } };
  return changed(next, 'thinking-budget-clamped', `thinking budget ${asked} → ${most}`);
}
