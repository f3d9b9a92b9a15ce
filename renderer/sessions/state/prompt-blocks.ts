import { textOf } from './fields.ts';
import type { PromptBlock } from './model.ts';

/** Null: it is no prompt. */
export function promptOf(value: unknown): PromptBlock[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter((block): block is PromptBlock => textOf(block, 'type') !== null);
}
