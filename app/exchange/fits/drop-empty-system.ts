import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { type FitResult, unchanged } from './fit.ts';

/** A system without blocks is no system. No note: what emptied it has said so. */
export function dropEmptySystem(request: MessagesRequest): FitResult {
  const empty = Array.isArray(request.system) && request.system.length === 0;
  return unchanged(empty ? without(request, 'system') : request);
}
