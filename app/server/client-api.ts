import type { IncomingHttpHeaders } from 'node:http';
import { type AnthropicErrorType, anthropicError } from '../formats/anthropic-error.ts';
import { openaiError, openaiWords } from '../formats/openai-error.ts';

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

/** One error in the client's own envelope. */
export function errorBody(dialect: Dialect, type: AnthropicErrorType, message: string, requestId: string): object {
  if (dialect === 'anthropic') return anthropicError(type, message, requestId);
  const words = openaiWords(type);
  return openaiError(words.type, message, words.code);
}
