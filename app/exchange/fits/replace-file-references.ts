import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type BlockChange, note } from './fit.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

const leftOut = note('file-reference-left-out', 'file reference left out');

/** Copilot has no files API (its routes answer 404), so an id of a file means nothing there. */
export function replaceFileReferences(block: Block): BlockChange | null {
  const byId = isObject(block.source) && block.source.type === 'file';
  if (!byId && block.type !== 'container_upload') return null;
  return { ok: true, block: textInPlaceOf(block, '[file left out: Copilot takes no file ids]'), note: leftOut };
}
