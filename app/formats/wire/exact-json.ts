import { isObject, type JsonObject } from './json.ts';
import { refuseRepeatedKey } from './repeated-key.ts';

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/**
 * Something that may be a number which JavaScript cannot hold: sixteen digits, or an exponent of three. Texts may look
 * so, too.
 */
const longNumber = /[:,[]\s*-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;

/**
 * `JSON.parse`, but an integer beyond 2^53 (an id in a tool's input) and a number beyond the range of a double keep
 * their digits: they become objects that `JSON.stringify` writes as they came, and that nothing can be reckoned with.
 * For values that are passed on unread.
 */
export function parseExactJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return parseKeeping(text, isBent);
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
 * null; all else is what `JSON.parse` makes of it. Costs a look at the text where there is no number so long.
 */
export function parseRequestJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  refuseRepeatedKey(text, parsed);
  if (!longNumber.test(text)) return parsed;
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

function isBent(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
