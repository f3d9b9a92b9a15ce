import type { MessagesRequest } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';

/** `temperature` and `top_p`, or nothing with a note where the model takes none. */
export function sampling(
  request: MessagesRequest,
  taken: boolean,
  notes: Notes,
): { temperature?: number; top_p?: number } {
  const { temperature, top_p } = request;
  if (temperature === undefined && top_p === undefined) return {};
  if (!taken) {
    notes.add('sampling-removed', 'sampling values removed');
    return {};
  }
  return { ...(temperature === undefined ? {} : { temperature }), ...(top_p === undefined ? {} : { top_p }) };
}
