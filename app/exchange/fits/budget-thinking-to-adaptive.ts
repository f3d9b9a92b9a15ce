import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** Models whose catalog entry says `adaptive_thinking: "required"` refuse a budget (github/copilot-sdk#2352). */
export function budgetThinkingToAdaptive(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'enabled' || model.supports.adaptiveThinking !== 'required') return unchanged(request);
  const adaptive = { ...without(thinking, 'budget_tokens'), type: 'adaptive' };
  return changed({ ...request, thinking: adaptive }, 'thinking-to-adaptive', 'thinking: enabled → adaptive');
}
