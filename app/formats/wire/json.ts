export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The parsed object; null for text that is not JSON and for JSON that is not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/**
 * `JSON.parse`, but an integer beyond 2^53 (an id in a tool's input) and a number beyond the range of a double keep
 * their digits: they become objects that `JSON.stringify` writes as they came, and that nothing can be reckoned with.
 * For values that are passed on unread.
 */
export function parseExactJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return lookThrough(parsed).losesPrecision ? parseKeeping(text, losesPrecision) : parsed;
}

/** `JSON.parse`, but numbers for which `isKept` holds keep their digits. */
function parseKeeping(text: string, isKept: (value: number) => boolean): unknown {
  return JSON.parse(text, (_key, value: unknown, ...more: unknown[]) => {
    if (typeof value !== 'number' || !isKept(value)) return value;
    const [context] = more;
    return isObject(context) && typeof context.source === 'string' ? JSON.rawJSON(context.source) : value;
  });
}

/**
 * The JSON of a request of any API. Throws `RepeatedKey` where an object names a key twice: it would be judged by one
 * value and passed on with both. What only passes through, a seed, inputs of tool calls and schemas of tools and of
 * answers, keeps its digits, and so does a number beyond the range of a double anywhere, which would be written as
 * null; all else is what `JSON.parse` makes of it.
 */
export function parseRequestJson(text: string): unknown {
  const part = parseRequestPart(text);
  if (part !== null) return part.value;
  const request = parseKeeping(text, (value) => !Number.isFinite(value));
  const exact = parseExactJson(text);
  if (!isObject(request) || !isObject(exact)) return request;
  // Chat Completions: a number of the client's own choice, which Jumpseat does not use.
  if (typeof request.seed === 'number') request.seed = exact.seed;
  keepToolSchemas(request, exact);
  eachPair(request.messages, exact.messages, (message, sameMessage) =>
    eachPair(message.content, sameMessage.content, (block, same) => keepExact(block, same, 'input')),
  );
  for (const [holder, key] of answerSchemas) {
    const [config, sameConfig] = [request[holder], exact[holder]];
    if (isObject(config) && isObject(sameConfig)) keepExact(config, sameConfig, key);
  }
  return request;
}

/** A part of such a text, on its own. Null if it has a number so long, and has to be read with all the rest. */
export function parseRequestPart(text: string): { value: unknown } | null {
  const value: unknown = JSON.parse(text);
  const found = lookThrough(value);
  refuseRepeatedKey(text, found);
  return found.losesPrecision ? null : { value };
}

/** Where each API has the schema of an answer. */
const answerSchemas = [
  ['output_config', 'format'],
  ['response_format', 'json_schema'],
  ['text', 'format'],
] as const;

/**
 * Messages has a schema of its own name, Chat one within `function`, Responses one beside it, and tools within tools.
 */
function keepToolSchemas(holder: JsonObject, exact: JsonObject): void {
  eachPair(holder.tools, exact.tools, (tool, same) => {
    keepExact(tool, same, 'input_schema');
    keepExact(tool, same, 'parameters');
    if (isObject(tool.function) && isObject(same.function)) keepExact(tool.function, same.function, 'parameters');
    eachPair(tool.tools, same.tools, (inner, sameInner) => keepExact(inner, sameInner, 'parameters'));
  });
}

function eachPair(list: unknown, same: unknown, visit: (item: JsonObject, same: JsonObject) => void): void {
  if (!Array.isArray(list) || !Array.isArray(same)) return;
  for (const [index, item] of list.entries()) {
    const other: unknown = same[index];
    if (isObject(item) && isObject(other)) visit(item, other);
  }
}

function keepExact(target: JsonObject, exact: JsonObject, key: string): void {
  if (isObject(target[key])) target[key] = exact[key];
}

function losesPrecision(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/** `key` is null if it lies too deep to be named. */
export class RepeatedKey extends Error {
  override readonly name = 'RepeatedKey';
  readonly key: string | null;
  constructor(key: string | null) {
    super('A key occurs twice in one object.');
    this.key = key;
  }
}

/**
 * Refuses the text of a JSON value that names a key twice in one object: a reader takes one of the two, and the text
 * holds both. Of such a key the last wins, so there are fewer keys in what was parsed than in the text. Costs a look
 * from colon to colon, where texts hold none right behind their first quote.
 */
function refuseRepeatedKey(text: string, { keys }: Found): void {
  if (mostKeysIn(text) > keys && keysIn(text) > keys) throw new RepeatedKey(repeatedKey(text));
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

/** Counts over a whole parsed value, at any depth. */
interface Found {
  keys: number;
  /** There is a number that lost digits. */
  losesPrecision: boolean;
}

/** Iterative, without a call per level. */
function lookThrough(parsed: unknown): Found {
  const found: Found = { keys: 0, losesPrecision: false };
  const waiting: unknown[] = [[parsed]];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === 'object' && item !== null) waiting.push(item);
        else if (typeof item === 'number' && losesPrecision(item)) found.losesPrecision = true;
      }
    } else if (isObject(value)) {
      for (const key in value) {
        found.keys += 1;
        const item = value[key];
        if (typeof item === 'object' && item !== null) waiting.push(item);
        else if (typeof item === 'number' && losesPrecision(item)) found.losesPrecision = true;
      }
    }
  }
  return found;
}

/** Where a name would be looked for below so many levels, it is not said. */
const deepest = 1_000;

/**
 * The first key that stands twice in one object; null if it lies too deep to be named. The text must have been
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

/** Offset behind the string that opens at `open`. */
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
