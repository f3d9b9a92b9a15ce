import { isObject } from './json.ts';
import { stringEnd } from './string-end.ts';

/** A request as it was read, and the bytes it was read from. */
export interface ReadJson {
  request: object;
  bytes: Buffer;
}

/** Smaller ones are written anew in no time. */
const worthwhile = 16_000;

/**
 * The JSON of `changed`, which is `read.request` with other values here and there at its top. Lists and objects that
 * are the very same as when they were read are not written anew: their bytes are copied, with the digits and the blanks
 * they came with.
 */
export function writeSpliced(changed: object, { request, bytes }: ReadJson): Buffer {
  if (bytes.length < worthwhile) return Buffer.from(JSON.stringify(changed));
  const spans = topValues(bytes);
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

interface Span {
  start: number;
  end: number;
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Where the values at the top of a JSON object stand. The bytes must have been parsed before. Of a name that is there
 * twice the last counts, as for `JSON.parse`.
 */
function topValues(bytes: Buffer): Map<string, Span> {
  const spans = new Map<string, Span>();
  let at = skipSpace(bytes, skipSpace(bytes, 0) + 1);
  while (bytes[at] === quote) {
    const nameEnd = skipString(bytes, at + 1);
    const name = bytes.toString('utf8', at + 1, nameEnd - 1);
    at = skipSpace(bytes, nameEnd);
    if (bytes[at] !== colon) break;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    if (end === null) break;
    spans.set(name.includes('\\') ? JSON.parse(`"${name}"`) : name, { start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
  }
  return spans;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

/** Values within values within values: who writes them anew finds out whether that can be done. */
const deepest = 500;

/** What stands behind a value; null where it is too deep. */
function skipValue(bytes: Buffer, from: number): number | null {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) {
      at = skipString(bytes, at + 1);
      if (depth === 0) return at;
    } else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > deepest) return null;
      at += 1;
    } else if (byte === closeList || byte === closeObject) {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else if (depth === 0 && (byte === comma || skipSpace(bytes, at) !== at)) return at;
    else at += 1;
  }
  return at;
}

/** Most texts are shorter, in bytes. */
const shortText = 48;

/** What stands behind the text that begins at `from`. */
function skipString(bytes: Buffer, from: number): number {
  const end = stringEnd(bytes, from, shortText);
  return end === -1 ? bytes.length : end + 1;
}
