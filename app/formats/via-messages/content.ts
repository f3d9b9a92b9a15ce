import type { Block, Message } from '../messages/request.ts';
import { isObject, type JsonObject, parseExactJson } from '../wire/json.ts';

/**
 * Something in a client's request that the Messages API has no counterpart for. `field` says where it stands:
 * `messages[2].content[0].type`.
 */
export class UnsupportedFieldError extends Error {
  override readonly name = 'NoPlace';
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export type Placed<Result extends object> =
  | ({ ok: true } & Result)
  | { ok: false /** Where in the request. */; field: string; message: string };

/** A translation, or what had no place. */
export function placed<Result extends object>(translate: () => Result): Placed<Result> {
  try {
    return { ok: true, ...translate() };
  } catch (error) {
    if (error instanceof UnsupportedFieldError) return { ok: false, field: error.field, message: error.message };
    throw error;
  }
}

/** OpenAI's clients send null for what they leave out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Empty where there is none. Throws `NoPlace` for another type, as the next two do. */
export function listOf(value: unknown, place: string): unknown[] {
  if (!isGiven(value)) return [];
  if (!Array.isArray(value)) throw new UnsupportedFieldError(place, 'a list is required.');
  return value;
}

export function numberOf(value: unknown, place: string): number | null {
  if (!isGiven(value)) return null;
  if (typeof value !== 'number') throw new UnsupportedFieldError(place, 'a number is required.');
  return value;
}

/** A text that has to be there. */
export function textOf(value: unknown, place: string): string {
  if (typeof value !== 'string' || value === '') throw new UnsupportedFieldError(place, 'a string is required.');
  return value;
}

/** The arguments of a call, which OpenAI's APIs keep as text. Numbers keep their digits. */
export function callInput(text: unknown, place: string): JsonObject {
  if (text === undefined || text === null || text === '') return {};
  try {
    const value = typeof text === 'string' ? parseExactJson(text) : null;
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new UnsupportedFieldError(place, 'a JSON object is required.');
}

/** An image by its data URL or its address. */
export function imageBlock(url: string): Block {
  const data = dataUrl(url);
  return { type: 'image', source: data === null ? { type: 'url', url } : { type: 'base64', ...data } };
}

/** Null: not a data URL in base64. */
export function dataUrl(url: string): { media_type: string; data: string } | null {
  const [head = '', type = ''] = /^data:([^;,]+)[^,]*;base64,/.exec(url) ?? [];
  return head === '' ? null : { media_type: type, data: url.slice(head.length) };
}

/** The content of a message: a text, or a list of parts. Throws `NoPlace`, as `block` may. */
export function contentBlocks(
  content: unknown,
  place: string,
  block: (part: JsonObject, place: string) => Block,
): Block[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw new UnsupportedFieldError(place, 'a string or a list of parts is required.');
  return content.map((part, at) => {
    if (!isObject(part)) throw new UnsupportedFieldError(`${place}[${at}]`, 'a part is an object.');
    return block(part, `${place}[${at}]`);
  });
}

/** Results in a row are one turn of the user. */
export function addResult(messages: Message[], result: Block): void {
  const last = messages.at(-1);
  const results = last?.role === 'user' && Array.isArray(last.content) ? last.content : null;
  // A user's own words are never results, so the first of a message tells what all of it is.
  if (results?.[0]?.type === 'tool_result') results.push(result);
  else messages.push({ role: 'user', content: [result] });
}
