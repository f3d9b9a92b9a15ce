import type { OpenAiError } from '../openai/error.ts';
import type { JsonObject } from '../wire/json.ts';
import { sseEvent } from '../wire/sse.ts';

/**
 * The last two events of a Responses stream that failed: OpenAI's SDK throws at the first, Codex at the second. `next`
 * is the number of the first.
 */
export function failureEvents(response: JsonObject, next: number, { error }: OpenAiError): string {
  const { code, type, message } = error;
  const failed = { ...response, object: 'response', status: 'failed', error: { code: code ?? type, message } };
  return (
    sseEvent('error', JSON.stringify({ ...error, type: 'error', sequence_number: next, error })) +
    sseEvent(
      'response.failed',
      JSON.stringify({ type: 'response.failed', sequence_number: next + 1, response: { output: [], ...failed } }),
    )
  );
}
