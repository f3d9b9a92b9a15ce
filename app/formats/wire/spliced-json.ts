import { isObject } from './json.ts';
import { memberSpans, skipSpace } from './json-span.ts';

/** A request as it was read, and the bytes it was read from. */
export interface ReadJson {
  request: object;
  bytes: Buffer;
}

/** Smaller ones are written anew in no time. */
const worthwhile = 16_000;

/** Values within values within values: who writes them anew finds out whether that can be done. */
const deepest = 500;

/**
 * The JSON of `changed`, which is `read.request` with other values here and there at its top. Lists and objects that
 * are the very same as when they were read are not written anew: their bytes are copied, with the digits and the blanks
 * they came with.
 */
export function writeSpliced(changed: object, { request, bytes }: ReadJson): Buffer {
  if (bytes.length < worthwhile) return Buffer.from(JSON.stringify(changed));
  const spans = memberSpans(bytes, skipSpace(bytes, 0), deepest);
  const parts: Buffer[] = [];
  let text = '{';
  const entries: [string, unknown][] = Object.entries(changed);
  for (const [name, value] of entries) {
    const written: string | undefined = isKept(request, name, value) ? '' : JSON.stringify(value);
    if (written === undefined) continue;
    text += `${text === '{' && parts.length === 0 ? '' : ','}${JSON.stringify(name)}:`;
    const span = written === '' ? spans.get(name) : undefined;
    if (span === undefined) {
      text += written || JSON.stringify(value);
      continue;
    }
    parts.push(Buffer.from(text), bytes.subarray(span.start, span.end));
    text = '';
  }
  parts.push(Buffer.from(`${text}}`));
  return Buffer.concat(parts);
}

function isKept(request: object, name: string, value: unknown): boolean {
  const isLarge = Array.isArray(value) || isObject(value);
  return isLarge && Object.hasOwn(request, name) && Reflect.get(request, name) === value;
}
