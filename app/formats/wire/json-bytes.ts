import { isObject } from './json.ts';

/*
 * JSON as bytes: where values and strings in it begin and end, and how one is replaced while every other byte stays.
 */

/** Where a value stands in the bytes of a JSON text. */
interface Span {
  start: number;
  end: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
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
function memberSpans(bytes: Buffer, object: number, deepest = Number.POSITIVE_INFINITY): Map<string, Span> {
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

function skipSpace(bytes: Buffer, from: number): number {
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

/**
 * Where the closing quote of a JSON string stands whose text begins at `from`; -1 where there is none. `loopOver`: so
 * many bytes are looked at one by one, the rest by Node, which is faster in a long text and takes a moment to begin.
 */
export function stringEnd(bytes: Buffer, from: number, loopOver: number): number {
  let at = from;
  for (const until = from + loopOver; at < until; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  for (;;) {
    const found = bytes.indexOf(quote, at);
    if (found === -1 || !isEscaped(bytes, found, from)) return found;
    at = found + 1;
  }
}

function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && bytes[at - slashes - 1] === backslash) slashes++;
  return slashes % 2 === 1;
}

/** A request as it was read, and the bytes it was read from. */
interface ReadJson {
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
