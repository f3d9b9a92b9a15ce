import type { PromptBlock } from './conversation.ts';
import { fieldsOf, figureOf, isFields, textOf } from './fields.ts';

/** Null: it is no prompt. */
export function promptOf(value: unknown): PromptBlock[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter((block): block is PromptBlock => textOf(block, 'type') !== null);
}

/** How large an image was that was too large to keep, in bytes; null: it is there. */
export function leftOutBytes(block: unknown): number | null {
  return isFields(block) ? figureOf(fieldsOf(block._meta, 'jumpseat'), 'bytes') : null;
}

/** What an image is called; null: it has no name. */
export function imageName(block: unknown): string | null {
  return isFields(block) ? textOf(fieldsOf(block._meta, 'jumpseat'), 'name') : null;
}
