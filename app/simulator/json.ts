import { isFiniteNumber, isObject, type JsonObject } from '../formats/wire/json.ts';

/** The value, or an empty object where it is no object, so that a reader needs no check at each step. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return isFiniteNumber(value) ? value : null;
}

/** The text as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A picture or a document, whatever its size. */
const mediaTokens = 1600;

/**
 * About as many tokens as the value would take: a quarter of its characters. Good enough to compare, to bill and to
 * refuse by.
 */
export function roughTokens(value: unknown): number {
  return Math.ceil(characters(value) / 4);
}

function characters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number' || typeof value === 'boolean') return 4;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + characters(one), 0);
  if (!isObject(value)) return 0;
  if (value.type === 'base64' || value.type === 'url') return mediaTokens * 4;
  if (isData(value.url) || isData(value.image_url)) return mediaTokens * 4;
  let sum = 0;
  for (const key in value) if (key !== 'cache_control') sum += key.length + characters(value[key]);
  return sum;
}

function isData(url: unknown): boolean {
  return typeof url === 'string' && url.startsWith('data:');
}
