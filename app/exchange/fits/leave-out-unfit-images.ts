import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type BlockChange, type BlockPlace, type FitContext, note } from './fit.ts';
import { imageBytes, sizeAndLimit } from './image-size.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

/** The catalog says how large an image may be and of which types; anything else fails the whole request. */
export function leaveOutUnfitImages(block: Block, _place: BlockPlace, { model }: FitContext): BlockChange | null {
  const bytes = imageBytes(block);
  if (bytes === null || !isObject(block.source)) return null;
  const { imageBytes: most, imageTypes } = model.limits;
  if (most !== null && bytes > most) return leftOut(block, sizeAndLimit(bytes, most).join(' > '));
  const { media_type: type } = block.source;
  if (imageTypes.length > 0 && typeof type === 'string' && !imageTypes.includes(type)) {
    return leftOut(block, /^image\/[a-z0-9.+-]{1,30}$/.test(type) ? `${type} is not taken` : 'its type is not taken');
  }
  return null;
}

function leftOut(block: Block, why: string): BlockChange {
  const text = `image left out: ${why}`;
  return { ok: true, block: textInPlaceOf(block, `[${text}]`), note: note('image-left-out', text) };
}
