import { isObject } from './json.ts';

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/** `key` is null where it lies too deep to be named. */
export class RepeatedKey extends Error {
  override readonly name = 'RepeatedKey';
  readonly key: string | null;
  constructor(key: string | null) {
    super('A key stands twice in one object.');
    this.key = key;
  }
}

/**
 * Refuses the text of a JSON value that names a key twice in one object: a reader takes one of the two, and the text
 * holds both. `parsed` is what plain `JSON.parse` made of it.
 */
export function refuseRepeatedKey(text: string, parsed: unknown): void {
  if (hasRepeatedKey(text, parsed)) throw new RepeatedKey(repeatedKey(text));
}

/**
 * Of a key that is there twice the last wins, so there are fewer keys in what was parsed than in the text. Costs a look
 * from colon to colon, where texts hold none right behind their first quote, and no call per level.
 */
function hasRepeatedKey(text: string, parsed: unknown): boolean {
  const keys = keysOf(parsed);
  return mostKeysIn(text) > keys && keysIn(text) > keys;
}

/**
 * At least as many as there are: colons behind a quote that can end a string. One that a backslash stands before is
 * within one.
 */
function mostKeysIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === quote && !isEscaped(text, before)) count += 1;
  }
  return count;
}

function keysIn(text: string): number {
  let count = 0;
  let open = text.indexOf('"');
  while (open >= 0) {
    const behind = skipSpace(text, endOfString(text, open));
    if (text.charCodeAt(behind) === colon) count += 1;
    open = text.indexOf('"', behind);
  }
  return count;
}

function keysOf(parsed: unknown): number {
  let count = 0;
  const waiting: unknown[] = [parsed];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) waiting.push(item);
    } else if (isObject(value)) {
      for (const key in value) {
        count += 1;
        const item = value[key];
        if (typeof item === 'object' && item !== null) waiting.push(item);
      }
    }
  }
  return count;
}

/** Where a name would be looked for below so many levels, it is not said. */
const deepest = 1_000;

/**
 * The first key that stands twice in one object; null where it lies too deep to be named. The text must have been
 * parsed before.
 */
function repeatedKey(text: string): string | null {
  const levels: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      if (levels.length === deepest) return null;
      levels.push(char === '{' ? new Set() : null);
    } else if (char === '}' || char === ']') {
      levels.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      const behind = skipSpace(text, end);
      const names = levels.at(-1);
      if (names && text.charCodeAt(behind) === colon) {
        const name = String(JSON.parse(text.slice(at, end)));
        if (names.has(name)) return name;
        names.add(name);
      }
      at = behind - 1;
    }
  }
  return null;
}

/** What stands behind the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  let close = open;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close < 0) return text.length;
    if (!isEscaped(text, close)) return close + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let escapes = at;
  while (text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
  return (at - escapes) % 2 === 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}
