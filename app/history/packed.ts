import type { Attempt, Exchange, TokenDetail } from '../api/exchange.ts';
import { compactId, plainId } from './compact-id.ts';

/** Where texts that stand in many rows are kept. */
export interface WordNumbers {
  number(text: string, startedAt: number): number;
}
export interface WordTexts {
  text(number: number): string | undefined;
}

/**
 * What a row holds of lists, in a tenth of the bytes of their JSON. Each reader takes what earlier versions wrote as
 * well: a list of objects. What can't be read is undefined.
 */

/** Changes are the same in most requests of a client: the number of their JSON. */
export function packFits(exchange: Exchange, words: WordNumbers): string {
  return exchange.fits.length === 0 ? '[]' : String(words.number(JSON.stringify(exchange.fits), exchange.startedAt));
}

export function unpackFits(packed: unknown, words: WordTexts): unknown {
  return typeof packed === 'string' && /^\d+$/.test(packed) ? parse(words.text(Number(packed))) : parse(packed);
}

/** The parts of a charge that count the same tokens as the row does. */
const tokensOfParts: Readonly<Record<string, keyof Exchange['tokens']>> = {
  input: 'input',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  output: 'output',
};

/**
 * Prices change seldom: the number of `[[type, costPerBatch, batchSize], …]`, then the counts, unless the row has
 * them.
 */
export function packDetails({ charge, tokens, startedAt }: Exchange, words: WordNumbers): string {
  const { details } = charge;
  if (details.length === 0) return '[]';
  const prices = JSON.stringify(details.map((part) => [part.type, part.costPerBatch, part.batchSize]));
  const number = words.number(prices, startedAt);
  if (details.every(({ type, count }) => Number.isSafeInteger(count) && count === tokensOf(type, tokens))) {
    return JSON.stringify([number]);
  }
  return JSON.stringify([number, ...details.map(({ count }) => count)]);
}

/** `prices` is the text of the number that the list begins with. */
export function unpackDetails(
  packed: unknown,
  textOf: (number: number) => unknown,
  tokens: Partial<Record<keyof Exchange['tokens'], unknown>> = {},
): unknown {
  const list = parse(packed);
  if (!Array.isArray(list) || typeof list[0] !== 'number') return list;
  const [number, ...counts] = list;
  const prices = parse(textOf(number));
  if (!Array.isArray(prices) || (counts.length > 0 && prices.length !== counts.length)) return undefined;
  return prices.map((part: unknown, index): Partial<Record<keyof TokenDetail, unknown>> => {
    const [type, costPerBatch, batchSize] = Array.isArray(part) ? part : [];
    const count = counts.length > 0 ? counts[index] : tokensOf(type, tokens);
    return { type, count, costPerBatch, batchSize };
  });
}

function tokensOf<Count>(type: unknown, tokens: Partial<Record<keyof Exchange['tokens'], Count>>): Count | undefined {
  const name = typeof type === 'string' && Object.hasOwn(tokensOfParts, type) ? tokensOfParts[type] : undefined;
  return name === undefined ? undefined : tokens[name];
}

/** Where a sentence names its prompt by the first characters of its id. Texts of ours have no such character. */
const promptMark = '\u0001';

/** Rules and sentences are few: the number of `[rule, sentence]`. */
export function packReason({ reason, prompt, startedAt }: Exchange, words: WordNumbers): string | null {
  if (reason === null) return null;
  const sentence = replaced(reason.sentence, promptBegins(prompt), promptMark);
  return String(words.number(JSON.stringify([reason.rule, sentence]), startedAt));
}

/** Earlier versions kept both as they are. `prompt` is the whole id. */
export function unpackReason(rule: unknown, sentence: unknown, prompt: unknown, words: WordTexts): unknown[] {
  if (sentence !== null || typeof rule !== 'string' || !/^\d+$/.test(rule)) return [rule, sentence];
  const read = parse(words.text(Number(rule)));
  if (!Array.isArray(read)) return [];
  const [name, kept] = read;
  return [name, typeof kept === 'string' ? replaced(kept, promptMark, promptBegins(prompt)) : kept];
}

const promptBegins = (prompt: unknown): string => (typeof prompt === 'string' ? prompt.slice(0, 4) : '');

function replaced(text: string, what: string, by: string): string {
  return what === '' ? text : text.replace(what, () => by);
}

/**
 * Lists without names, and without what was not measured at the end; the only one is not in a list of its own. 0: there
 * was no other attempt. The program is the same in most requests: its number.
 */
export function packAttempts({ attempts, startedAt }: Exchange, words: WordNumbers): string {
  const packed = attempts.map(({ at, status, retriedBecause, upstreamRequestId, token, connect, sentAs }) => {
    const always = [at, status, retriedBecause ?? 0, upstreamRequestId === null ? null : compactId(upstreamRequestId)];
    if (sentAs !== undefined) return [...always, token ?? null, connect ?? null, words.number(sentAs, startedAt)];
    if (connect !== undefined) return [...always, token ?? null, connect];
    return token === undefined ? always : [...always, token];
  });
  return JSON.stringify(packed.length === 1 ? packed[0] : packed);
}

export function unpackAttempts(packed: unknown, words: WordTexts): unknown {
  const list = parse(packed);
  if (!Array.isArray(list)) return undefined;
  return (typeof list[0] === 'number' ? [list] : list).map((attempt: unknown): unknown => {
    if (!Array.isArray(attempt)) return attempt;
    const [at, status, retried, requestId, token, connect, program] = attempt;
    const sentAs = typeof program === 'number' ? words.text(program) : undefined;
    return {
      at,
      ...(typeof token === 'number' && { token }),
      ...(typeof connect === 'number' && { connect }),
      ...(sentAs !== undefined && { sentAs }),
      status,
      retriedBecause: retried === 0 ? null : retried,
      upstreamRequestId: typeof requestId === 'string' ? plainId(requestId) : requestId,
    };
  });
}

/** Mostly those of the attempts, which have them as well, and then one of GitHub's. */
const asInAttempts = '=';

export function packRequestIds({ upstreamRequestIds, attempts }: Exchange): string {
  const known = idsOf(attempts);
  const others = upstreamRequestIds.slice(known.length);
  const isUsual = known.every((id, index) => id === upstreamRequestIds[index]) && !others.some((id) => /^$| /.test(id));
  return isUsual ? `${asInAttempts}${others.join(' ')}` : JSON.stringify(upstreamRequestIds);
}

export function unpackRequestIds(packed: unknown, attempts: unknown): unknown {
  if (typeof packed !== 'string' || !packed.startsWith(asInAttempts)) return parse(packed);
  const others = packed.slice(asInAttempts.length);
  return [...(Array.isArray(attempts) ? idsOf(attempts) : []), ...(others === '' ? [] : others.split(' '))];
}

function idsOf(attempts: readonly Pick<Attempt, 'upstreamRequestId'>[]): string[] {
  return attempts.flatMap(({ upstreamRequestId }) => upstreamRequestId ?? []);
}

export function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
