import type { Block } from '../../formats/messages/request.ts';

/** A text block that stands where `block` stood, with its cache mark. */
export function textInPlaceOf(block: Block, text: string): Block {
  const { cache_control } = block;
  return cache_control === undefined ? { type: 'text', text } : { type: 'text', text, cache_control };
}
