import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** Counting takes no `max_tokens` and no `stream`. */
export function countOnly(request: MessagesRequest, { purpose }: FitContext): FitResult {
  const next = purpose === 'count' ? without(request, 'max_tokens', 'stream') : request;
  return next === request ? unchanged(request) : changed(next, 'count-only', 'max_tokens and stream removed');
}
