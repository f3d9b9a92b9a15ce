import type { MessagesRequest } from '../../formats/messages/request.ts';
import { type FitResult, unchanged } from './fit.ts';

/** VS Code sends `system` as a list of blocks only; so does this. No note: the meaning is the same. */
export function systemAsBlocks(request: MessagesRequest): FitResult {
  if (typeof request.system !== 'string') return unchanged(request);
  return unchanged({ ...request, system: [{ type: 'text', text: request.system }] });
}
