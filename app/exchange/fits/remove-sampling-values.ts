import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';
import { thinks } from './thinks.ts';

/** Anthropic's rule: a model that thinks takes no other temperature than 1, and no top_p or top_k. VS Code leaves them out as well. */
export function removeSamplingValues(request: MessagesRequest): FitResult {
  if (!thinks(request)) return unchanged(request);
  const refused = [...(request.temperature === 1 ? [] : ['temperature']), 'top_p', 'top_k'];
  const next = without(request, ...refused);
  if (next === request) return unchanged(request);
  return changed(next, 'sampling-values-removed', 'sampling values removed');
}
