import type { MessagesRequest } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';

const translatedFields = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'thinking', 'output_config', 'tools', 'tool_choice'],
  ...['stop_sequences', 'temperature', 'top_p'],
]);

/**
 * Says by name which fields of a request an OpenAI format has no place for. `output`: what it takes of `output_config`
 * besides effort and format.
 */
export function noteLostFields(request: MessagesRequest, notes: Notes, output: readonly string[] = []): void {
  for (const [key, value] of Object.entries(request)) {
    if (!translatedFields.has(key) && value !== undefined) notes.add('field-dropped', `${key} removed`);
  }
  for (const key of Object.keys(request.output_config ?? {})) {
    if (key !== 'effort' && key !== 'format' && !output.includes(key))
      notes.add('field-dropped', `output_config.${key} removed`);
  }
}
