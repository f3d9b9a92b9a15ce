import type { Charge, ContextPart, Exchange, TokenDetail } from '../api/exchange.ts';
import type { ModelRow } from '../api/models.ts';
import type { InForce } from '../api/session-surroundings.ts';
import type { TurnCost } from '../api/sessions.ts';
import type { World } from './exchange-cells.ts';
import { billedCredits, creditsOf, grouped, premiumRequests, price, tokenCount } from './numbers.ts';

/** What one request cost, as its detail says it. */

const nanoPerCredit = 1e9;

/** `$0.0753` */
export function dollars(nanoAiu: number): string {
  return `$${grouped(nanoAiu / nanoPerCredit / 100, 4)}`;
}

/** One word in bold and one sentence. Shown beside the table of tokens if Copilot sent one. */
export function chargeSentence(
  exchange: Pick<
    Exchange,
    'charge' | 'api' | 'outcome' | 'path' | 'failure' | 'attempts' | 'servedModel' | 'initiator'
  >,
): {
  word: string;
  sentence: string;
} {
  const { charge, outcome } = exchange;
  const model = exchange.servedModel ?? 'this model';
  switch (charge.kind) {
    case 'pending':
      return { word: 'Not known yet.', sentence: 'Known when the answer is complete.' };
    case 'billed':
      if (charge.nanoAiu !== null) {
        return {
          word: `${billedCredits(charge.nanoAiu)} credits`,
          sentence: charge.partial
            ? `(${dollars(charge.nanoAiu)}) had been billed when the stream ended early. More may appear on your bill.`
            : `(${dollars(charge.nanoAiu)}). Billed, as reported by Copilot.`,
        };
      }
      return {
        word: `${premiumRequests(charge.premiumRequests ?? 0)} premium requests.`,
        sentence:
          `A user request on ${model} counts ${premiumRequests(charge.premiumRequests ?? 0)}×. Estimated by ` +
          'Jumpseat.',
      };
    case 'free':
      if (charge.nanoAiu !== null) return { word: 'Free.', sentence: 'Copilot reported a charge of 0 credits.' };
      return exchange.initiator === 'agent'
        ? { word: 'Free.', sentence: 'Agent requests don’t count on premium request plans.' }
        : { word: 'Free.', sentence: `${model} counts 0×.` };
    case 'unknown':
      if (outcome === 'cut' || outcome === 'cancelled') {
        return {
          word: 'Unknown.',
          sentence:
            `The ${outcome === 'cut' ? 'stream was cut' : 'client left'} before Copilot reported the charge. ` +
            'It may appear on your bill.',
        };
      }
      if (outcome === 'failed') {
        return { word: 'Unknown.', sentence: 'Copilot didn’t answer. This request may appear on your bill.' };
      }
      return { word: 'Unknown.', sentence: 'Copilot didn’t report a charge for this request.' };
    case 'none':
      if (exchange.api === 'count-tokens') return { word: 'No charge.', sentence: 'Token counting isn’t billed.' };
      if (isNeverSent(exchange)) {
        return { word: 'No charge.', sentence: 'Never sent to Copilot.' };
      }
      if (['network', 'client', 'jumpseat'].includes(exchange.failure?.source ?? '')) {
        return { word: 'No charge.', sentence: 'Copilot reported no charge.' };
      }
      return { word: 'No charge.', sentence: 'Copilot refused this request and reported no charge.' };
  }
}

/** True if Jumpseat refused it, or held it back, before Copilot was asked. */
export function isNeverSent({ path, failure, attempts }: Pick<Exchange, 'path' | 'failure' | 'attempts'>): boolean {
  return path === null || (failure?.source === 'jumpseat' && attempts.length === 0);
}

interface TokenLine {
  name: string;
  count: string;
  perMillion: string;
  credits: string;
}

const kinds: Record<string, string> = {
  input: 'Input',
  prompt: 'Input',
  cache_read: 'Cache read',
  cached_input: 'Cache read',
  cache_write: 'Cache write',
  output: 'Output',
  completion: 'Output',
};

/** Copilot's own bill, line by line, and a note where the lines as shown do not add up to what it billed. */
export function tokenLines(charge: Charge): { lines: TokenLine[]; note: string | null } {
  const lines = charge.details.map((detail) => ({
    name: kinds[detail.type] ?? detail.type,
    count: tokenCount(detail.count),
    perMillion: price((detail.costPerBatch / Math.max(1, detail.batchSize)) * (1_000_000 / nanoPerCredit)),
    credits: billedCredits(costOf(detail)),
  }));
  const sum = charge.details.reduce((total, detail) => total + costOf(detail), 0);
  const differs = charge.nanoAiu !== null && lines.length > 0 && Math.abs(sum - charge.nanoAiu) > nanoPerCredit / 1000;
  const asShown = (nanoAiu: number): number => Math.round(nanoAiu / (nanoPerCredit / 1000));
  const shown = charge.details.reduce((total, detail) => total + asShown(costOf(detail)), 0);
  const isRounded = charge.nanoAiu !== null && lines.length > 0 && shown !== asShown(charge.nanoAiu);
  return {
    lines,
    note: differs
      ? `The parts add up to ${billedCredits(sum)}; Copilot billed ${billedCredits(charge.nanoAiu ?? 0)}.`
      : isRounded
        ? 'Each part is rounded by itself. The sum is what Copilot reported.'
        : null,
  };
}

function costOf({ count, costPerBatch, batchSize }: TokenDetail): number {
  return (count * costPerBatch) / Math.max(1, batchSize);
}

type Cost = Pick<TurnCost, 'nanoAiu' | 'premiumRequests' | 'isPartlyUnknown'>;

/** What a turn or a session cost, in the unit of the account's plan: `46.18`, `at least 12.90`, `Unknown`. */
export function costWords(world: World, cost: Cost): string {
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : creditsOf(cost.nanoAiu);
  return cost.isPartlyUnknown ? partlyUnknown(sum) : sum;
}

/** The same with our estimate of the answers that run (nano-AIU), marked as one: `≈ 46.61`, `at least ≈ 46.61`. */
export function costSoFarWords(world: World, cost: Cost, estimate: number): string {
  if (estimate === 0 || world === 'premium') return costWords(world, cost);
  const words = estimateWords(cost.nanoAiu + estimate);
  return cost.isPartlyUnknown ? partlyUnknown(words) : words;
}

/** `≈ 0.43` */
export function estimateWords(nanoAiu: number): string {
  return `≈ ${creditsOf(nanoAiu)}`;
}

/** `46.18 credits`, `at least 12.90 credits`, `Cost unknown` */
export function costWithUnit(world: World, cost: Cost): string {
  const words = costWords(world, cost);
  return words === unknownSum ? costUnknown : `${words} ${costUnit(world)}`;
}

/** Shown for a sum if no charge in it is known. */
export const costUnknown = 'Cost unknown';

const unknownSum = 'Unknown';

/** Why a sum is unknown, or may be more. */
export const unknownBecause =
  'A request was stopped or cut before Copilot reported its charge. It may appear on your bill.';

/** A sum in which the charges of some requests are missing. Zero is no sum then. */
export function partlyUnknown(sum: string): string {
  return /[1-9]/.test(sum) ? `at least ${sum}` : unknownSum;
}

export function costUnit(world: World): string {
  return world === 'premium' ? 'premium requests' : 'credits';
}

/** What fills the context of a conversation, and what a request pays for it. */
export interface ContextWords {
  /** `84,212 of 200,000 tokens (42%)` */
  total: string;
  /** Where the figures come from. */
  note: string;
  /** In credits; empty if it isn't sent, or its price isn't known. */
  lines: { name: string; tokens: string; cached: string; fresh: string }[];
}

type Models = readonly Pick<ModelRow, 'id' | 'price' | 'limits'>[];

/** As the agent of a session reports it, with the prices of its model. */
export function contextOfSession(context: NonNullable<InForce['context']>, models: Models): ContextWords {
  const { total, size, model, parts } = context;
  // Claude Code writes 4-6 where Copilot writes 4.6, and may add a date.
  const price = models
    .toSorted((left, right) => right.id.length - left.id.length)
    .find(({ id }) => model?.replaceAll('.', '-').startsWith(id.replaceAll('.', '-')))?.price;
  return {
    total: totalWords(grouped(total), total, size),
    note: 'The agent reports the tokens. Credits are our estimate of what each request pays: from the cache, or fresh.',
    lines: parts
      .filter(({ tokens }) => tokens > 0)
      .map(({ name, tokens, isSent }) => {
        const known = isSent && price?.kind === 'credits' ? price : null;
        const credits = (each: number | null): string =>
          each === null ? '' : creditsOf((tokens * each * nanoPerCredit) / tokensPerPrice);
        const cached = credits(known?.cacheRead ?? null);
        return { name, tokens: grouped(tokens), cached, fresh: credits(known?.input ?? null) };
      }),
  };
}

/** Of any client's request, by its shape. Parts are made to add up to the tokens and the price that Copilot billed. */
export function contextOfRequest(
  exchange: Pick<Exchange, 'shape' | 'tokens' | 'charge' | 'servedModel'>,
  models: Models,
): ContextWords | null {
  const { tokens, charge, servedModel } = exchange;
  const found = partsOf(exchange);
  if (found === null) return null;
  const { parts, total, words, isKnown, room } = found;
  const limits = models.find(({ id }) => id === servedModel)?.limits;
  const cached = fromCache(parts, tokens.cacheRead ?? 0);
  const price = isKnown ? pricesOf(charge.details, tokens) : null;
  const credits = (count: number, each: number): string => (count === 0 ? '' : creditsOf(count * each));
  const lines = parts.map(({ part, tokens }, index) => {
    const read = cached[index] ?? 0;
    return {
      name: partNames[part],
      tokens: grouped(tokens),
      cached: price === null ? '' : credits(read, price.cached),
      fresh: price === null ? '' : credits(tokens - read, price.fresh),
    };
  });
  if (room !== null) lines.push({ name: 'Room for the answer', tokens: grouped(room), cached: '', fresh: '' });
  return {
    total: totalWords(words, total, limits?.context ?? limits?.prompt ?? null),
    note: isKnown
      ? 'The total is Copilot’s. Its parts are our estimate, with what this request paid for them.'
      : 'Our estimate: Copilot reported no tokens.',
    lines,
  };
}

/**
 * `Context of its last request: 84,212 tokens, 4.21 credits (61% tool results, 17% tools)`; null if its shape isn't
 * known. Credits are what was paid for it, if Copilot named a price.
 */
export function contextInShort(exchange: Pick<Exchange, 'shape' | 'tokens' | 'charge'>): string | null {
  const found = partsOf(exchange);
  if (found === null) return null;
  const shares = found.parts
    .map(({ part, tokens }) => ({ name: partNames[part], percent: Math.round((tokens / found.total) * 100) }))
    .filter(({ percent }) => percent > 0)
    .toSorted((left, right) => right.percent - left.percent)
    .map(({ name, percent }) => `${percent}% ${name.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}`);
  const { tokens, charge } = exchange;
  const price = found.isKnown ? pricesOf(charge.details, tokens) : null;
  const paid =
    price && (tokens.cacheRead ?? 0) * price.cached + ((tokens.input ?? 0) + (tokens.cacheWrite ?? 0)) * price.fresh;
  const credits = paid === null ? '' : `, ${creditsOf(paid)} credits`;
  return `Context of its last request: ${totalWords(found.words, found.total, null)}${credits} (${shares.join(', ')})`;
}

const tokensPerPrice = 1_000_000;

const partNames: Readonly<Record<ContextPart, string>> = {
  tools: 'Tools',
  mcp: 'MCP tools',
  system: 'System prompt',
  memory: 'Memory files and reminders',
  user: 'User messages',
  assistant: 'Assistant messages',
  results: 'Tool results',
  images: 'Images and documents',
};

/** What is sent first comes from the cache first. */
const firstParts: readonly ContextPart[] = ['tools', 'mcp', 'system'];
const order: readonly ContextPart[] = [...firstParts, 'memory', 'user', 'assistant', 'results', 'images'];

function totalWords(words: string, total: number, size: number | null): string {
  return size === null || size === 0
    ? `${words} tokens`
    : `${words} of ${grouped(size)} tokens (${Math.round((total / size) * 100)}%)`;
}

interface Part {
  part: ContextPart;
  tokens: number;
}

/** Scaled to the tokens that Copilot reported; without them our estimate is all that there is. */
function partsOf({ shape, tokens: { input, cacheRead, cacheWrite } }: Pick<Exchange, 'shape' | 'tokens'>): {
  parts: Part[];
  total: number;
  words: string;
  isKnown: boolean;
  room: number | null;
} | null {
  const context = shape?.request?.context;
  if (context === undefined) return null;
  const guessed = order
    .flatMap((part) => ({ part, tokens: context.parts[part] ?? 0 }))
    .filter(({ tokens }) => tokens > 0);
  const sum = guessed.reduce((all, { tokens }) => all + tokens, 0);
  const isKnown = input !== null || cacheRead !== null;
  const total = isKnown ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : sum;
  if (sum === 0 || total === 0) return null;
  const words = `${isKnown ? '' : '≈ '}${grouped(total)}`;
  return { parts: scaled(guessed, total / sum), total, words, isKnown, room: context.room };
}

/** Whole tokens whose sum is that of all. */
function scaled(parts: readonly Part[], factor: number): Part[] {
  let exact = 0;
  let given = 0;
  return parts.map(({ part, tokens }) => {
    exact += tokens * factor;
    const whole = Math.round(exact) - given;
    given += whole;
    return { part, tokens: whole };
  });
}

/** How many tokens of each part were read from the cache: all at the beginning, and of the messages the same share. */
function fromCache(parts: readonly Part[], cacheRead: number): number[] {
  const sum = (some: readonly Part[]): number => some.reduce((all, { tokens }) => all + tokens, 0);
  let left = cacheRead;
  const rest = sum(parts.filter(({ part }) => !firstParts.includes(part)));
  return parts.map(({ part, tokens }) => {
    if (!firstParts.includes(part)) return rest === 0 ? 0 : tokens * Math.min(1, left / rest);
    const read = Math.min(tokens, left);
    left -= read;
    return read;
  });
}

/** Of a token in nano-AIU, as billed; null if Copilot named none. `fresh`: with what was written to the cache. */
function pricesOf(
  details: readonly TokenDetail[],
  { input, cacheWrite }: Exchange['tokens'],
): { cached: number; fresh: number } | null {
  const each = (...types: string[]): number | null => {
    const detail = details.find(({ type }) => types.includes(type));
    return detail === undefined ? null : detail.costPerBatch / Math.max(1, detail.batchSize);
  };
  const plain = each('input', 'prompt');
  const written = each('cache_write') ?? plain;
  if (plain === null && written === null) return null;
  const [count, more] = [input ?? 0, cacheWrite ?? 0];
  const paid = count * (plain ?? 0) + more * (written ?? 0);
  const fresh = count + more === 0 ? 0 : paid / (count + more);
  return { cached: each('cache_read', 'cached_input') ?? 0, fresh };
}
