import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';
import { thinks } from './thinks.ts';

/** Anthropic's rule: "Thinking may not be enabled when tool_choice forces tool use." */
export function dropThinkingForForcedTool(request: MessagesRequest): FitResult {
  const choice = request.tool_choice;
  if (!thinks(request)) return unchanged(request);
  if (choice?.type !== 'any' && choice?.type !== 'tool') return unchanged(request);
  return changed(without(request, 'thinking'), 'thinking-off', 'thinking off: forced tool');
}
