import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, roughTokens } from '../json.ts';

/** Shorter prefixes are not kept, as with the real cache. */
const shortestPrefix = 1024;

export interface PromptTokens {
  input: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Remembers the prefixes that cache marks ended, for ever: enough to make the numbers of a conversation plausible. */
export class PromptCache {
  readonly #known = new Set<string>();

  /**
   * Divides the tokens of a Messages request into fresh, read and written ones. Like the real cache it looks back from
   * a mark: a prefix that an earlier request has written is found although the mark has moved on.
   */
  divide(model: string, body: JsonObject): PromptTokens {
    const hash = createHash('sha1').update(model);
    const written: string[] = [];
    let tokens = 0;
    let read = 0;
    let found = 0;
    let marked = 0;
    for (const part of inCacheOrder(body)) {
      tokens += roughTokens(part.value);
      hash.update(JSON.stringify(part.value, withoutMarks));
      if (tokens < shortestPrefix) continue;
      const key = hash.copy().digest('base64');
      if (this.#known.has(key)) found = tokens;
      if (!part.marked) continue;
      written.push(key);
      read = found;
      marked = tokens;
    }
    for (const key of written) this.#known.add(key);
    return { input: Math.max(1, tokens - marked), cacheRead: read, cacheWrite: marked - read };
  }
}

function withoutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}

function* inCacheOrder(body: JsonObject): Generator<{ value: unknown; marked: boolean }> {
  for (const value of [...asList(body.tools), ...asBlocks(body.system)]) yield part(value);
  for (const message of asList(body.messages)) {
    if (!isObject(message)) continue;
    yield { value: message.role, marked: false };
    for (const value of asBlocks(message.content)) yield part(value);
  }
}

function part(value: unknown): { value: unknown; marked: boolean } {
  return { value, marked: isObject(value) && isObject(value.cache_control) };
}

/** A plain string counts as one text block: a client may change from one form to the other. */
function asBlocks(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content);
}
