import type { Attempt, Exchange, TokenDetail } from '../api/exchange.ts';

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

/** Prices change seldom: the number of `[[type, costPerBatch, batchSize], …]`, then the counts. */
export function packDetails({ charge, startedAt }: Exchange, words: WordNumbers): string {
  if (charge.details.length === 0) return '[]';
  const prices = JSON.stringify(charge.details.map((part) => [part.type, part.costPerBatch, part.batchSize]));
  return JSON.stringify([words.number(prices, startedAt), ...charge.details.map(({ count }) => count)]);
}

/** `prices` is the text of the number that the list begins with. */
export function unpackDetails(packed: unknown, textOf: (number: number) => unknown): unknown {
  const list = parse(packed);
  if (!Array.isArray(list) || typeof list[0] !== 'number') return list;
  const [number, ...counts] = list;
  const prices = parse(textOf(number));
  if (!Array.isArray(prices) || prices.length !== counts.length) return undefined;
  return prices.map((part: unknown, index): Partial<Record<keyof TokenDetail, unknown>> => {
    const [type, costPerBatch, batchSize] = Array.isArray(part) ? part : [];
    return { type, count: counts[index], costPerBatch, batchSize };
  });
}

/** Lists without names, and without what was not measured at the end. */
export function packAttempts(attempts: readonly Attempt[]): string {
  return JSON.stringify(
    attempts.map(({ at, status, retriedBecause, upstreamRequestId, token, connect }) => {
      const always = [at, status, retriedBecause, upstreamRequestId];
      if (connect !== undefined) return [...always, token ?? null, connect];
      return token === undefined ? always : [...always, token];
    }),
  );
}

export function unpackAttempts(packed: unknown): unknown {
  const list = parse(packed);
  if (!Array.isArray(list)) return undefined;
  return list.map((attempt: unknown): unknown => {
    if (!Array.isArray(attempt)) return attempt;
    const [at, status, retriedBecause, upstreamRequestId, token, connect] = attempt;
    return {
      at,
      ...(typeof token === 'number' && { token }),
      ...(typeof connect === 'number' && { connect }),
      status,
      retriedBecause,
      upstreamRequestId,
    };
  });
}

/** Mostly those of the attempts, which have them as well. */
const asInAttempts = '=';

export function packRequestIds({ upstreamRequestIds, attempts }: Exchange): string {
  const ids = JSON.stringify(upstreamRequestIds);
  return ids === JSON.stringify(idsOf(attempts)) ? asInAttempts : ids;
}

export function unpackRequestIds(packed: unknown, attempts: unknown): unknown {
  return packed === asInAttempts && Array.isArray(attempts) ? idsOf(attempts) : parse(packed);
}

function idsOf(attempts: readonly Pick<Attempt, 'upstreamRequestId'>[]): string[] {
  return attempts.flatMap(({ upstreamRequestId }) => upstreamRequestId ?? []);
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
