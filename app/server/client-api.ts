import type { IncomingHttpHeaders } from 'node:http';
import { type AnthropicErrorType, anthropicError } from '../formats/messages/error.ts';
import { openaiError, openaiWords } from '../formats/openai/error.ts';

/** Format in which a route answers errors. */
type Dialect = 'anthropic' | 'openai';

const openaiAlone = /^(?:\/v1)?\/(?:chat\/completions|responses|embeddings|alpha\/search)(?:\/|$)/;
const anthropicAlone = /^\/v1\/messages(?:\/|$)/;
const modelLists = /^(?:\/v1)?\/models(?:\/|$)/;
const shared = /^\/(?:v1|models)(?:\/|$)/;

/**
 * What both kinds of clients may ask for (the models, and every route under `/v1` that is not here) is told in
 * Anthropic's words to those who send its version header, which its clients always do.
 */
export function dialectOf(path: string, headers: IncomingHttpHeaders): Dialect {
  if (openaiAlone.test(path)) return 'openai';
  if (anthropicAlone.test(path) || !shared.test(path)) return 'anthropic';
  return headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
}

/** Whether a route is one of the client APIs, which ask Copilot. */
export function leadsToCopilot(path: string): boolean {
  return openaiAlone.test(path) || anthropicAlone.test(path) || modelLists.test(path);
}

/** An error of a route, before it is put into an envelope. */
export interface RouteError {
  status: number;
  type: AnthropicErrorType;
  message: string;
  shouldRetry?: boolean;
  /** For OpenAI's clients, where it is more than other words for the type. */
  openai?: { status: number; body: object };
}

/** One error in the client's own envelope, with the header under which its SDK looks for our id. */
export function tellError(
  dialect: Dialect,
  { status, type, message, openai }: RouteError,
  requestId: string,
): { status: number; body: object; idHeader: 'request-id' | 'x-request-id' } {
  if (dialect === 'anthropic')
    return { status, body: anthropicError(type, message, requestId), idHeader: 'request-id' };
  const words = openaiWords(type);
  const reported = openai ?? { status, body: openaiError(words.type, message, words.code) };
  return { ...reported, idHeader: 'x-request-id' };
}
