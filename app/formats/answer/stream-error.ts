import { isObject, type JsonObject } from '../wire/json.ts';
import type { AnswerFailure } from './answer.ts';

/**
 * What an error inside a stream says, whatever its shape: Anthropic's envelope `{type: "error", error: {type,
 * message}}`, OpenAI's `{error: {message, code, type}}`, flat `{message, code}`, a bare string, or text that is no
 * JSON. Never throws; other fields are ignored.
 */
export function readStreamError(data: string): AnswerFailure {
  const value = parse(data);
  const error = isObject(value) && 'error' in value ? value.error : value;
  if (typeof error === 'string') return failure(null, error);
  if (!isObject(error)) return failure(null, '');
  const anthropic = isObject(value) && value.type === 'error' && error !== value;
  const type = anthropic ? (word(error, 'type') ?? word(error, 'code')) : (word(error, 'code') ?? errorType(error));
  return failure(type, word(error, 'message') ?? '');
}

/** A cut is no event: it is known when the upstream closes. */
export function cutFailure(): AnswerFailure {
  return { kind: 'cut', type: null, message: 'Copilot’s answer ended early.' };
}

function failure(type: string | null, message: string): AnswerFailure {
  return { kind: 'error', type, message: message.trim() || 'Copilot reported an error without a message.' };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

function errorType(error: JsonObject): string | null {
  const type = word(error, 'type');
  return type === 'error' ? null : type;
}

/** A text that says something. Of a code with a colon the part before it is the code. */
function word(object: JsonObject, key: string): string | null {
  const value = object[key];
  if (typeof value !== 'string' || value === '') return null;
  return key === 'code' ? (value.split(':')[0] ?? value) : value;
}

/** Longer runs than this are a model in a loop: arguments have no reason for them. */
const blankLimit = 20;

/** Counts the line ends and tabs that streamed text ends with, over its pieces. */
export class BlankRun {
  #length = 0;

  /** True once there are too many in a row. */
  add(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 9 && code !== 10 && code !== 13) this.#length = 0;
      else if (++this.#length > blankLimit) return true;
    }
    return false;
  }
}

export const blankRunMessage = 'Copilot’s model went on writing blank lines as tool arguments.';
