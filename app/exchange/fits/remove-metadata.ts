import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

/** `metadata.user_id` holds the client's device and account ids. Copilot takes it but has no need of it. */
export function removeMetadata(request: MessagesRequest): FitResult {
  if (request.metadata === undefined) return unchanged(request);
  return changed(without(request, 'metadata'), 'metadata-removed', 'metadata removed');
}
