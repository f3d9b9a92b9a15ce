import type { AnthropicErrorType } from '../messages/error.ts';
import type { JsonObject } from '../wire/json.ts';
import { sseEvent } from '../wire/sse.ts';

export interface OpenAiError {
  error: { message: string; type: string; code: string | null; param: string | null };
}

/**
 * The envelope of every error of OpenAI's APIs. All four keys are always there; their clients read null as "not said".
 */
export function openaiError(
  type: string,
  message: string,
  code: string | null,
  param: string | null = null,
): OpenAiError {
  return { error: { message, type, code, param } };
}

const typesOf: Partial<Record<AnthropicErrorType, string>> = {
  authentication_error: 'invalid_request_error',
  not_found_error: 'invalid_request_error',
  request_too_large: 'invalid_request_error',
  billing_error: 'insufficient_quota',
  api_error: 'server_error',
  overloaded_error: 'server_error',
};

const codes: Partial<Record<AnthropicErrorType, string>> = {
  authentication_error: 'invalid_api_key',
  not_found_error: 'not_found',
  request_too_large: 'request_too_large',
  rate_limit_error: 'rate_limit_exceeded',
  billing_error: 'insufficient_quota',
};

/** OpenAI's words for a kind of error; a type that its APIs have under the same name stays. */
export function openaiWords(type: AnthropicErrorType): { type: string; code: string | null } {
  return { type: typesOf[type] ?? type, code: codes[type] ?? null };
}

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
