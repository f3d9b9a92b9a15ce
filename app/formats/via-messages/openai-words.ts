import type { AnthropicErrorType } from '../messages/error.ts';

const types: Partial<Record<AnthropicErrorType, string>> = {
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
  return { type: types[type] ?? type, code: codes[type] ?? null };
}
