import type { IncomingHttpHeaders } from 'node:http';
import { type AnthropicErrorType, anthropicError } from '../formats/anthropic-error.ts';
import { openaiError } from '../formats/openai-error.ts';

/** Whose words a route speaks. */
export type Dialect = 'anthropic' | 'openai';

const openaiPaths = new Set([
  '/v1/chat/completions',
  '/chat/completions',
  '/v1/responses',
  '/responses',
  '/v1/embeddings',
  '/embeddings',
]);

/** The models list is asked for by both kinds; Anthropic's clients always send their version header. */
export function dialectOf(path: string, headers: IncomingHttpHeaders): Dialect {
  if (openaiPaths.has(path)) return 'openai';
  if (path === '/v1/models' || path.startsWith('/v1/models/'))
    return headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
  return 'anthropic';
}

const openaiTypes: Partial<Record<AnthropicErrorType, string>> = {
  authentication_error: 'invalid_request_error',
  not_found_error: 'invalid_request_error',
  request_too_large: 'invalid_request_error',
  api_error: 'server_error',
  overloaded_error: 'server_error',
};

const openaiCodes: Partial<Record<AnthropicErrorType, string>> = {
  authentication_error: 'invalid_api_key',
  not_found_error: 'not_found',
  request_too_large: 'request_too_large',
};

/** One error in the client's own envelope. */
export function errorBody(dialect: Dialect, type: AnthropicErrorType, message: string, requestId: string): object {
  if (dialect === 'anthropic') return anthropicError(type, message, requestId);
  return openaiError(openaiTypes[type] ?? type, message, openaiCodes[type] ?? null);
}
