import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/** `display: "updates"` belongs to the beta thinking-display-updates, which Copilot does not get; `"omitted"` needs none and stays. */
export function removeThinkingDisplay(request: MessagesRequest): FitResult {
  const { thinking } = request;
  if (thinking?.display !== 'updates') return unchanged(request);
  const next = { ...request, thinking: without(thinking, 'display') };
  return changed(next, 'thinking-display-removed', 'thinking display removed');
}
