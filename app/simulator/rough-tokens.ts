import { isObject } from '../formats/wire/json.ts';

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
