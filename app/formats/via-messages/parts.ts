import type { Block } from '../messages/request.ts';
import { parseExactJson } from '../wire/exact-json.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { NoPlace } from './no-place.ts';

/** The arguments of a call, which OpenAI's APIs keep as text. Numbers keep their digits. */
export function callInput(text: unknown, place: string): JsonObject {
  if (text === undefined || text === null || text === '') return {};
  try {
    const value = typeof text === 'string' ? parseExactJson(text) : null;
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new NoPlace(place, 'a JSON object is required.');
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
