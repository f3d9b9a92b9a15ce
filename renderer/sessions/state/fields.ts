import type { PromptBlock } from './conversation.ts';

/** Reads what an agent says, which may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown, name: string): Fields | null {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : null;
}

export function textOf(value: unknown, name: string): string | null {
  const found = isFields(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : null;
}

export function figureOf(value: unknown, name: string): number | null {
  const found = isFields(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : null;
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  const found = isFields(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The texts of content blocks, one after the other. */
export function saidIn(blocks: readonly unknown[]): string {
  return blocks.flatMap((block) => textOf(block, 'text') ?? []).join('\n');
}

/** Null if it is no prompt. */
export function promptOf(value: unknown): PromptBlock[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter((block): block is PromptBlock => textOf(block, 'type') !== null);
}

/** How large an image was that was too large to keep, in bytes; null if it is there. */
export function leftOutBytes(block: unknown): number | null {
  return isFields(block) ? figureOf(fieldsOf(block._meta, 'jumpseat'), 'bytes') : null;
}

/** What an image is called; null if it has no name. */
export function imageName(block: unknown): string | null {
  return isFields(block) ? textOf(fieldsOf(block._meta, 'jumpseat'), 'name') : null;
}

/** What an agent sent, looked at piece by piece: it may be of any shape. */

export function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return isFields(value) ? value : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function entriesOf(value: unknown): (readonly [string, unknown])[] {
  return Object.entries(record(value) ?? {});
}
