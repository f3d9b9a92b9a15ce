import type { FitNote } from '../../../api/exchange.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { leaveOutImages, type SeenImage } from '../openai/images.ts';

/** Where an item holds parts: what was said, and what a function gave back. */
const holders = ['content', 'output'] as const;

/**
 * The images of a Responses request as the model takes them; the very same input where there is nothing to do. Throws
 * `Stopped`.
 */
export function fitResponsesImages(
  input: unknown,
  model: CatalogModel,
): { input: unknown; vision: boolean; notes: FitNote[] } {
  if (!Array.isArray(input)) return { input, vision: false, notes: [] };
  const items: readonly unknown[] = input;
  const seen: SeenImage[] = [];
  for (const [at, item] of items.entries()) {
    if (!isObject(item)) continue;
    const attached = at === items.length - 1 && item.role === 'user';
    for (const holder of holders) {
      const parts: unknown = item[holder];
      if (!Array.isArray(parts)) continue;
      for (const [index, part] of parts.entries())
        if (isImage(part))
          seen.push({ url: part.image_url, place: `input[${at}].${holder}[${index}].image_url`, attached });
    }
  }
  if (seen.length === 0) return { input, vision: false, notes: [] };
  const { texts, notes } = leaveOutImages(seen, model);
  const vision = seen.length > texts.size;
  if (texts.size === 0) return { input, vision, notes };
  let count = 0;
  const fitted = items.map((item) => {
    if (!isObject(item)) return item;
    let changed: JsonObject = item;
    for (const holder of holders) {
      const parts: unknown = item[holder];
      if (!Array.isArray(parts)) continue;
      const replaced = parts.map((part: unknown): unknown => {
        const text = isImage(part) ? texts.get(count++) : undefined;
        return text === undefined ? part : { type: 'input_text', text };
      });
      changed = { ...changed, [holder]: replaced };
    }
    return changed;
  });
  return { input: fitted, vision, notes };
}

function isImage(part: unknown): part is { type: 'input_image'; image_url?: unknown } {
  return isObject(part) && part.type === 'input_image';
}
