import { isObject, type JsonObject, parseRequestPart } from './json.ts';

/*
 * JSON as bytes: where values and strings in it begin and end, and how one is replaced while every other byte stays.
 */

/** Range of a value in the bytes of a JSON text. */
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

/** Offset behind a value; null if it is too deep. */
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

/** Offset behind the text that begins at `from`. */
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

/** Values within values within values: who reads or writes them in one piece finds out whether that can be done. */
const deepest = 500;

/** Lists that hold nearly all of a request, and how their items begin. */
const longLists = [
  { name: 'messages', item: '{"role":' },
  { name: 'input', item: '{"type":' },
] as const;
const sliceBytes = 64 * 1024;
/** After so many items of lists within, one after the other, the request is read in one piece. */
const mostWithin = 8;

/**
 * `parseRequestJson`, with a pause after each slice of the list that is nearly all of a request. Returns null if it
 * has to be read in one piece, and throws where it may have a fault: one piece tells which.
 *
 * A slice ends before an item. What an item begins with is never within a string, whose quotes have backslashes before
 * them. Where it is an item of a list within, the slice is no JSON, and is made longer.
 */
export function* parseInSlices(bytes: Buffer): Generator<undefined, JsonObject | null> {
  const list = longLists.find(({ name }) => bytes.includes(`"${name}":`));
  if (list === undefined) return null;
  const { name, item } = list;
  const items: unknown[] = [];
  let begun: JsonObject | null = null;
  let within = 0;
  let from = 0;
  let at = bytes.indexOf(item, bytes.indexOf(`"${name}":`) + sliceBytes);
  for (; at !== -1; at = bytes.indexOf(item, at + sliceBytes)) {
    const end = spaceStart(bytes, at) - 1;
    if (bytes[end] !== comma) continue;
    const text = bytes.toString('utf8', from, end);
    const slice = parsedSlice(begun === null ? `${text}]}` : `[${text}]`);
    yield;
    if (slice === null) {
      within += 1;
      if (within > mostWithin) return null;
      continue;
    }
    const more: unknown = begun === null ? listAtEnd(slice, name) : slice;
    if (!Array.isArray(more)) return null;
    if (begun === null && isObject(slice)) begun = slice;
    items.push(...more);
    from = at;
    within = 0;
  }
  if (begun === null) return null;
  const rest = parseRequestPart(`{"${name}":[${bytes.toString('utf8', from)}`)?.value;
  if (!isObject(rest)) return null;
  const { [name]: last, ...behind } = rest;
  if (!Array.isArray(last) || Object.keys(behind).some((key) => Object.hasOwn(begun, key))) return null;
  items.push(...last);
  return { ...begun, [name]: items, ...behind };
}

/** Null if it ends within an item. Undefined: it has to be read with all the rest. */
function parsedSlice(text: string): unknown {
  try {
    return parseRequestPart(text)?.value;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The list `name` if it is last in the text; number-like keys come first, wherever they are. */
function listAtEnd(begun: unknown, name: string): unknown {
  const keys = isObject(begun) ? Object.keys(begun) : [];
  return isObject(begun) && keys.at(-1) === name && !/^\d/.test(keys[0] ?? '') ? begun[name] : null;
}

/** A request as it was read, and the bytes it was read from. */
interface ReadJson {
  request: object;
  bytes: Buffer;
}

/**
 * The JSON of `changed`, which is `read.request` with other values here and there at its top. Lists and objects that
 * are the very same as when they were read are not written anew: their bytes are copied, with the digits and the blanks
 * they came with.
 */
export function writeSpliced(changed: object, read: ReadJson): Buffer {
  const { request, bytes } = read;
  const spans = spansAround(read, 'messages') ?? memberSpans(bytes, skipSpace(bytes, 0), deepest);
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

/**
 * `memberSpans` of a request, found without a look into `around`, which is nearly all of it: what stands before it is
 * read from the front, what stands behind it from the back. Null if the names in the bytes are not those that were
 * read, in their order, or anything is too deep.
 */
function spansAround({ request, bytes }: ReadJson, around: string): Map<string, Span> | null {
  const names = Object.keys(request);
  const middle = names.indexOf(around);
  if (middle === -1 || isDeeper(Reflect.get(request, around), deepest)) return null;
  const spans = new Map<string, Span>();
  let start = skipSpace(bytes, 0) + 1;
  for (const [index, name] of names.slice(0, middle + 1).entries()) {
    const nameStart = skipSpace(bytes, start);
    const nameEnd = skipString(bytes, nameStart + 1);
    if (!isString(bytes, nameStart, nameEnd, name)) return null;
    start = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
    if (index === middle) break;
    const end = skipValue(bytes, start, deepest);
    if (end === null) return null;
    spans.set(name, { start, end });
    start = skipSpace(bytes, end) + 1;
  }
  let end = spaceStart(bytes, spaceStart(bytes, bytes.length) - 1);
  for (const name of names.slice(middle + 1).reverse()) {
    const valueStart = startOfValue(bytes, end);
    if (valueStart === null) return null;
    spans.set(name, { start: valueStart, end });
    const nameEnd = spaceStart(bytes, spaceStart(bytes, valueStart) - 1);
    const nameStart = startOfString(bytes, nameEnd);
    if (!isString(bytes, nameStart, nameEnd, name)) return null;
    end = spaceStart(bytes, spaceStart(bytes, nameStart) - 1);
  }
  return spans.set(around, { start, end });
}

function isString(bytes: Buffer, start: number, end: number, text: string): boolean {
  return bytes.toString('utf8', start, end) === JSON.stringify(text);
}

function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true;
    const inner: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const item of Array.isArray(each) ? each : Object.values(each))
        if (typeof item === 'object' && item !== null) inner.push(item);
    }
    level = inner;
  }
  return false;
}

/** Where the blanks that end at `end` begin. */
function spaceStart(bytes: Buffer, end: number): number {
  let at = end;
  while (isSpace(bytes[at - 1])) at -= 1;
  return at;
}

/** Where the value that ends at `end` begins; null if it is too deep. */
function startOfValue(bytes: Buffer, end: number): number | null {
  let depth = 0;
  let at = end;
  while (at > 0) {
    const byte = bytes[at - 1];
    if (byte === quote) {
      at = startOfString(bytes, at);
      if (depth === 0) return at;
    } else if (byte === closeList || byte === closeObject) {
      depth += 1;
      if (depth > deepest) return null;
      at -= 1;
    } else if (byte === openList || byte === openObject) {
      depth -= 1;
      at -= 1;
      if (depth === 0) return at;
    } else if (depth === 0 && (byte === colon || isSpace(byte))) return at;
    else at -= 1;
  }
  return at;
}

/** Start of the string that ends at `end`: within a string every quote follows its own backslash. */
function startOfString(bytes: Buffer, end: number): number {
  let open = end - 1;
  do open = bytes.lastIndexOf(quote, open - 1);
  while (open > 0 && isEscaped(bytes, open, 0));
  return open;
}
