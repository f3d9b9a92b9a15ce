import { isTextBlock, type MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/**
 * Claude Code's first system block is a line for Anthropic's billing. It is none of Copilot's business, and older clients changed it
 * from turn to turn, which spoils the prompt cache of everything after it.
 */
export function removeAttribution(request: MessagesRequest): FitResult {
  if (!Array.isArray(request.system)) return unchanged(request);
  const [first, ...rest] = request.system;
  if (first === undefined || !isTextBlock(first) || !first.text.startsWith('x-anthropic-billing-header:')) {
    return unchanged(request);
  }
  const lineEnd = first.text.indexOf('\n');
  if (lineEnd !== -1) rest.unshift({ ...first, text: first.text.slice(lineEnd + 1) });
  const next = rest.length > 0 ? { ...request, system: rest } : without(request, 'system');
  return changed(next, 'attribution-removed', 'attribution block removed');
}
