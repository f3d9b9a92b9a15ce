import type { MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** "The maximum tokens you requested exceeds the model limit": Claude Code repeats such a request five times before it shows the error. */
export function clampMaxTokens(request: MessagesRequest, { model }: FitContext): FitResult {
  const asked = request.max_tokens;
  const most = model.limits.outputTokens;
  if (most === null || typeof asked !== 'number' || asked <= most) return unchanged(request);
  return changed({ ...request, max_tokens: most }, 'max-tokens-clamped', `max_tokens ${asked} → ${most}`);
}
