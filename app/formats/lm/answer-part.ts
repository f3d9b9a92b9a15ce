import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import type { LmTextClass } from './objects.ts';

/** One part of an answer of VS Code's language-model API. */
export type LmAnswerPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; id: string; name: string; input: JsonObject }
  /** What Copilot counted, in the words of Chat Completions, with `copilot_usage`. */
  | { kind: 'usage'; usage: JsonObject };

/**
 * Reads a part by its shape, but for texts: parts of thinking, whose class is no stable API, hold a `value` as well.
 * Null: nothing for a client (`stateful_marker` and other data), or a part that is not known here. Never throws.
 */
export function readLmPart(part: unknown, { LanguageModelTextPart }: LmTextClass): LmAnswerPart | null {
  if (!isObject(part)) return null;
  const { callId, name, input, mimeType, data, value } = part;
  if (typeof callId === 'string' && typeof name === 'string')
    return { kind: 'call', id: callId, name, input: isObject(input) ? input : {} };
  if (typeof mimeType === 'string') return mimeType === 'usage' ? readUsage(data) : null;
  const text = typeof value === 'string' ? value : joined(value);
  if (text === null || text === '') return null;
  return { kind: part instanceof LanguageModelTextPart ? 'text' : 'thinking', text };
}

function joined(value: unknown): string | null {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join('') : null;
}

/** `vscode-lm-usage-with-copilot_usage`: undocumented, so anything else is no usage. */
function readUsage(data: unknown): LmAnswerPart | null {
  if (!(data instanceof Uint8Array)) return null;
  const usage = parseObject(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'));
  return usage === null ? null : { kind: 'usage', usage };
}
