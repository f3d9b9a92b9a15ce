import type { MessagesRequest } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';

const askForJson =
  'Answer with exactly one JSON object: nothing before it, nothing after it, and no code fence around it.';

/**
 * Messages has no mode for JSON of any shape: it is asked for in words.
 * @param field where the client asked for it
 */
export function askInWords(request: MessagesRequest, notes: Notes, field: string): void {
  request.system = [...(Array.isArray(request.system) ? request.system : []), { type: 'text', text: askForJson }];
  notes.add('json-in-words', `${field} json_object asked for in words`);
}
