import { isObject } from '../../formats/json.ts';
import type { Block } from '../../formats/messages.ts';
import { type BlockChange, type BlockPlace, type FitContext, note } from './fit.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

/** The catalog says how large an image may be and of which types; anything else fails the whole request. */
export function leaveOutUnfitImages(block: Block, _place: BlockPlace, { model }: FitContext): BlockChange | null {
  if (block.type !== 'image' || !isObject(block.source) || block.source.type !== 'base64') return null;
  const { imageBytes, imageTypes } = model.limits;
  const { data, media_type: type } = block.source;
  const bytes = typeof data === 'string' ? decodedBytes(data) : 0;
  if (imageBytes !== null && bytes > imageBytes) {
    return leftOut(block, `${megabytes(bytes, Math.ceil)} > ${megabytes(imageBytes, Math.floor)}`);
  }
  if (imageTypes.length > 0 && typeof type === 'string' && !imageTypes.includes(type)) {
    return leftOut(block, /^image\/[a-z0-9.+-]{1,30}$/.test(type) ? `${type} is not taken` : 'its type is not taken');
  }
  return null;
}

function leftOut(block: Block, why: string): BlockChange {
  const text = `image left out: ${why}`;
  return { ok: true, block: textInPlaceOf(block, `[${text}]`), note: note('image-left-out', text) };
}

function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** One digit after the point, away from the limit, so that the two never read alike. */
function megabytes(bytes: number, round: (value: number) => number): string {
  return `${round((bytes / 2 ** 20) * 10) / 10} MB`;
}
