import type { MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';
import { thinks } from './thinks.ts';

/**
 * "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive" (anthropics/claude-code#11971): the edit leaves with the
 * thinking it belongs to, and `context_management` with its last edit.
 */
export function removeClearThinkingEdits(request: MessagesRequest): FitResult {
  const management = request.context_management;
  if (thinks(request) || !isObject(management) || !Array.isArray(management.edits)) return unchanged(request);
  const edits = management.edits.filter((edit) => !isObject(edit) || !String(edit.type).startsWith('clear_thinking_'));
  if (edits.length === management.edits.length) return unchanged(request);
  const next =
    edits.length > 0
      ? { ...request, context_management: { ...management, edits } }
      : without(request, 'context_management');
  return changed(next, 'clear-thinking-removed', 'clearing of thinking removed: no thinking');
}
