import { randomBytes } from 'node:crypto';
import type { Prices } from '../catalog.ts';

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
