import { type Block, isTextBlock } from '../../formats/messages/request.ts';
import { type BlockChange, note } from './fit.ts';

const dropped = note('empty-text-dropped', 'empty text dropped');

/** "text content blocks must contain non-whitespace text", on both paths. */
export function dropEmptyText(block: Block): BlockChange | null {
  if (!isTextBlock(block) || /\S/.test(block.text)) return null;
  return { ok: true, block: null, note: dropped };
}
