import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/** "cache_control: Extra inputs are not permitted": Copilot takes cache marks on blocks only. */
export function removeTopLevelCacheMark(request: MessagesRequest): FitResult {
  if (request.cache_control === undefined) return unchanged(request);
  return changed(without(request, 'cache_control'), 'top-level-cache-mark-removed', 'top-level cache mark removed');
}
