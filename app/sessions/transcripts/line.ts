import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';

/** One line of a transcript, as far as anything is known about it: Claude Code's format is not documented. */
export type Line = Readonly<JsonObject>;

/** Kinds that hold no word of the conversation and may be large: the requests as they were sent. */
const withoutWords = ['{"type":"api-request', '{"type":"file-history-snapshot"', '{"type":"cost-state"'];

/** Null: it is no line of a transcript, was cut, or says nothing about the conversation. */
export function readLine(text: string): Line | null {
  if (!text.startsWith('{') || withoutWords.some((beginning) => text.startsWith(beginning))) return null;
  return parseObject(text);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** ms since the epoch; null where it is missing or none. */
export function timeOf(line: Line): number | null {
  const at = typeof line.timestamp === 'string' ? Date.parse(line.timestamp) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** The blocks of a message; a plain text is one. */
export function blocksOf(line: Line): Line[] {
  const { message } = line;
  const content = isObject(message) ? message.content : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}
