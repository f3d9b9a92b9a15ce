import { stringEnd } from './string-end.ts';

/** Where a value stands in the bytes of a JSON text. */
export interface Span {
  start: number;
  end: number;
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Where the value at `path` stands in a JSON object, so that it can be replaced and every other byte stay. The bytes
 * must have been parsed before: what is not JSON gives a meaningless span.
 */
export function jsonValueSpan(bytes: Buffer, path: readonly string[]): Span | null {
  let span: Span | null = { start: skipSpace(bytes, 0), end: bytes.length };
  for (const key of path) {
    if (bytes[span.start] !== openObject) return null;
    span = memberSpans(bytes, span.start).get(key) ?? null;
    if (span === null) return null;
  }
  return span;
}

/**
 * Where the values of the object that opens at `object` stand. The bytes must have been parsed before. Of a key that is
 * there twice the last counts, as it does for `JSON.parse`.
 * @param deepest a value with more values within values than these ends the search
 */
export function memberSpans(bytes: Buffer, object: number, deepest = Number.POSITIVE_INFINITY): Map<string, Span> {
  const spans = new Map<string, Span>();
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === quote) {
    const nameEnd = skipString(bytes, at + 1);
    const name = bytes.toString('utf8', at + 1, nameEnd - 1);
    at = skipSpace(bytes, nameEnd);
    if (bytes[at] !== colon) break;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start, deepest);
    if (end === null) break;
    spans.set(name.includes('\\') ? JSON.parse(`"${name}"`) : name, { start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
  }
  return spans;
}

export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** What stands behind a value; null where it is too deep. */
function skipValue(bytes: Buffer, from: number, deepest: number): number | null {
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
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
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
