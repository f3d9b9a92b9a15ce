import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';

/** What an image by its data weighs once it is decoded; null for any other block. */
export function imageBytes(block: Block): number | null {
  if (block.type !== 'image' || !isObject(block.source) || block.source.type !== 'base64') return null;
  const { data } = block.source;
  return typeof data === 'string' ? sizeOfBase64(data) : 0;
}

/** Bytes that it stands for; it is not decoded. */
export function sizeOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** `3.8 MB` and `3 MB`: one digit after the point, away from the limit, so that the two never read alike. */
export function sizeAndLimit(bytes: number, most: number): [size: string, limit: string] {
  return [megabytes(bytes, Math.ceil), megabytes(most, Math.floor)];
}

function megabytes(bytes: number, round: (value: number) => number): string {
  return `${round((bytes / 2 ** 20) * 10) / 10} MB`;
}
