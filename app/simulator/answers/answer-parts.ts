import { createHash, randomBytes } from 'node:crypto';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import type { Prices } from '../catalog.ts';
import { asList, roughTokens } from '../json.ts';

/** Tokens of one answer; `input` is without cached ones. */
export interface Tokens {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** Part of `output`. */
  thinking: number;
}

interface TokenDetail {
  batch_size: number;
  cost_per_batch: number;
  token_count: number;
  token_type: 'input' | 'cache_read' | 'cache_write' | 'output';
}

/** `copilot_usage` of an answer: 1 credit is 1e9 nano-AIU. */
export interface CopilotUsage {
  token_details: TokenDetail[];
  total_nano_aiu: number;
}

export function bill(tokens: Tokens, prices: Prices): CopilotUsage {
  const detail = (type: TokenDetail['token_type'], count: number, cost: number): TokenDetail => ({
    batch_size: prices.batchSize,
    cost_per_batch: cost,
    token_count: count,
    token_type: type,
  });
  const details = [
    detail('input', tokens.input, prices.input),
    detail('cache_read', tokens.cacheRead, prices.cacheRead),
    detail('cache_write', tokens.cacheWrite, prices.cacheWrite),
    detail('output', tokens.output, prices.output),
  ];
  const total = details.reduce((sum, one) => sum + (one.token_count * one.cost_per_batch) / one.batch_size, 0);
  return { token_details: details, total_nano_aiu: Math.round(total) };
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `msg_bdrk_01…`, `toolu_bdrk_01…`: a prefix and 24 characters without look-alikes. */
export function modelId(prefix: string): string {
  return `${prefix}01${randomLetters(22)}`;
}

/** `call_…`, `chatcmpl-…`. */
export function plainId(prefix: string, length = 24): string {
  return prefix + randomLetters(length);
}

function randomLetters(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte % alphabet.length];
  return text;
}

/** A text in the small pieces it is streamed in: about three words each. Joined they are the text again. */
export function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? (text === '' ? [] : [text]);
  const groups: string[] = [];
  for (let at = 0; at < words.length; at += 3) groups.push(words.slice(at, at + 3).join(''));
  return groups;
}

/** Arguments of a tool call, cut anywhere: clients may rely on nothing but the whole. */
export function argumentPieces(json: string): string[] {
  const cuts = [0, 2, 11, ...Array.from({ length: Math.ceil(json.length / 24) }, (_, at) => 35 + at * 24)];
  return cuts.map((from, at) => json.slice(from, cuts[at + 1])).filter((piece) => piece !== '');
}

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
