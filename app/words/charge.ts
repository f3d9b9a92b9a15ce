import type { Charge, ContextPart, Exchange, TokenDetail } from '../api/exchange.ts';
import type { ModelRow } from '../api/models.ts';
import { contextParts } from '../api/names.ts';
import type { InForce } from '../api/session-surroundings.ts';
import type { TurnCost } from '../api/sessions.ts';
import { inEnglish } from '../language/language.ts';
import { type Message, msg } from '../language/messages.ts';
import { joined, sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import type { World } from './exchange-cells.ts';
import { billedCredits, creditsOf, grouped, percentage, premiumRequests, price, tokenCount } from './numbers.ts';
import { inSentence } from './text.ts';

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
  const { charge } = exchange;
  const model = exchange.servedModel ?? t('this model');
  switch (charge.kind) {
    case 'pending':
      return { word: t('Not known yet.'), sentence: t('Known when the answer is complete.') };
    case 'billed':
      if (charge.nanoAiu !== null) {
        return {
          word: t('{amount} credits', { amount: billedCredits(charge.nanoAiu) }),
          sentence: charge.partial
            ? t('({amount}) had been billed when the stream ended early. More may appear on your bill.', {
                amount: dollars(charge.nanoAiu),
              })
            : t('({amount}). Billed, as reported by Copilot.', { amount: dollars(charge.nanoAiu) }),
        };
      }
      return {
        word: t('{amount} premium requests.', { amount: premiumRequests(charge.premiumRequests ?? 0) }),
        sentence: t('A user request on {model} counts {multiplier}×. Estimated by Jumpseat.', {
          model,
          multiplier: premiumRequests(charge.premiumRequests ?? 0),
        }),
      };
    case 'free':
      if (charge.nanoAiu !== null) return { word: t('Free.'), sentence: t('Copilot reported a charge of 0 credits.') };
      return exchange.initiator === 'agent'
        ? { word: t('Free.'), sentence: t('Agent requests don’t count on premium request plans.') }
        : { word: t('Free.'), sentence: t('{model} counts 0×.', { model }) };
    case 'unknown':
      return { word: t('Unknown.'), sentence: sentences(whyUnknown(exchange), ...estimateSentence(charge)) };
    case 'none':
      if (exchange.api === 'count-tokens')
        return { word: t('No charge.'), sentence: t('Token counting isn’t billed.') };
      if (isNeverSent(exchange)) {
        return { word: t('No charge.'), sentence: t('Never sent to Copilot.') };
      }
      if (['network', 'client', 'jumpseat'].includes(exchange.failure?.source ?? '')) {
        return { word: t('No charge.'), sentence: t('Copilot reported no charge.') };
      }
      return { word: t('No charge.'), sentence: t('Copilot refused this request and reported no charge.') };
  }
}

function whyUnknown({ outcome, failure }: Pick<Exchange, 'outcome' | 'failure'>): string {
  if (outcome === 'cut') return t('The stream was cut before Copilot reported the charge. It may appear on your bill.');
  if (outcome === 'cancelled')
    return t('The client left before Copilot reported the charge. It may appear on your bill.');
  if (outcome === 'failed' && failure?.status != null)
    return t('Copilot failed with {status}, perhaps amid its work. It may appear on your bill.', {
      status: String(failure.status),
    });
  if (outcome === 'failed') return t('Copilot didn’t answer. This request may appear on your bill.');
  return t('Copilot didn’t report a charge for this request.');
}

function estimateSentence({ estimate }: Charge): string[] {
  return estimate === undefined
    ? []
    : [t('About {amount} credits by the model’s prices, estimated by Jumpseat.', { amount: creditsOf(estimate) })];
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

const kinds: Record<string, Message> = {
  input: msg('Input'),
  prompt: msg('Input'),
  cache_read: msg('Cache read'),
  cached_input: msg('Cache read'),
  cache_write: msg('Cache write'),
  output: msg('Output'),
  completion: msg('Output'),
};

function kindWords(type: string): string {
  const known = kinds[type];
  return known === undefined ? type : translated(known);
}

/** Copilot's own bill, line by line, and a note where the lines as shown do not add up to what it billed. */
export function tokenLines(charge: Charge): { lines: TokenLine[]; note: string | null } {
  const lines = charge.details.map((detail) => ({
    name: kindWords(detail.type),
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
      ? t('The parts add up to {sum}; Copilot billed {billed}.', {
          sum: billedCredits(sum),
          billed: billedCredits(charge.nanoAiu ?? 0),
        })
      : isRounded
        ? t('Each part is rounded by itself. The sum is what Copilot reported.')
        : null,
  };
}

function costOf({ count, costPerBatch, batchSize }: TokenDetail): number {
  return (count * costPerBatch) / Math.max(1, batchSize);
}

type Cost = Pick<TurnCost, 'nanoAiu' | 'premiumRequests' | 'isPartlyUnknown' | 'estimate'>;

/**
 * What a turn or a session cost, in the unit of the account's plan: `46.18`, `at least 12.90`, `Unknown`, and with our
 * estimate of answers that reported no charge `≈ 19.04`.
 */
export function costWords(world: World, cost: Cost): string {
  return costSoFarWords(world, cost, 0);
}

/** The same with our estimate of the answers that run (nano-AIU), marked as one: `≈ 46.61`. */
export function costSoFarWords(world: World, cost: Cost, running: number): string {
  const estimate = running + (cost.estimate ?? 0);
  if (estimate > 0 && world !== 'premium' && !isLeast(world, cost)) return estimateWords(cost.nanoAiu + estimate);
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : creditsOf(cost.nanoAiu + estimate);
  return cost.isPartlyUnknown ? partlyUnknown(sum) : sum;
}

/** Answers are missing in it that we have no estimate of either. */
function isLeast(world: World, { isPartlyUnknown, estimate = 0 }: Cost): boolean {
  return isPartlyUnknown && (estimate === 0 || world === 'premium');
}

/** The same where there is little room: `≥ 12.90`. */
export function shortCostWords(world: World, cost: Cost, running: number): string {
  if (!isLeast(world, cost)) return costSoFarWords(world, cost, running);
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : creditsOf(cost.nanoAiu + running);
  return /[1-9]/.test(sum) ? `≥ ${sum}` : unknownSum();
}

/** `≈ 0.43` */
export function estimateWords(nanoAiu: number): string {
  return `≈ ${creditsOf(nanoAiu)}`;
}

/** `46.18 credits`, `at least 12.90 credits`, `Cost unknown` */
export function costWithUnit(world: World, cost: Cost, inWords = costSoFarWords): string {
  const words = inWords(world, cost, 0);
  if (words === unknownSum()) return costUnknown();
  return world === 'premium'
    ? t('{amount} premium requests', { amount: words })
    : t('{amount} credits', { amount: words });
}

/** Shown for a sum if no charge in it is known. */
export const costUnknown = (): string => t('Cost unknown');

const unknownSum = (): string => t('Unknown');

/** Why a sum is unknown, may be more, or is partly our estimate. */
export function unknownBecause({ estimate = 0 }: Pick<Cost, 'estimate'> = {}): string {
  const why = t('A request was stopped or cut before Copilot reported its charge. It may appear on your bill.');
  return estimate === 0 ? why : sentences(why, t('Estimated from the model’s prices.'));
}

/** A sum in which the charges of some requests are missing. Zero is no sum then. */
export function partlyUnknown(sum: string): string {
  return /[1-9]/.test(sum) ? t('at least {amount}', { amount: sum }) : unknownSum();
}

export function costUnit(world: World): string {
  return world === 'premium' ? t('premium requests') : t('credits');
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
    note: t(
      'The agent reports the tokens. Credits are our estimate of what each request pays: from the cache, or fresh.',
    ),
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
      name: translated(partNames[part]),
      tokens: grouped(tokens),
      cached: price === null ? '' : credits(read, price.cached),
      fresh: price === null ? '' : credits(tokens - read, price.fresh),
    };
  });
  if (room !== null) lines.push({ name: t('Room for the answer'), tokens: grouped(room), cached: '', fresh: '' });
  return {
    total: totalWords(words, total, limits?.context ?? limits?.prompt ?? null),
    note: isKnown
      ? t('The total is Copilot’s. Its parts are our estimate, with what this request paid for them.')
      : t('Our estimate: Copilot reported no tokens.'),
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
    .map(({ part, tokens }) => ({
      name: inSentence(translated(partNames[part])),
      percent: Math.round((tokens / found.total) * 100),
    }))
    .filter(({ percent }) => percent > 0)
    .toSorted((left, right) => right.percent - left.percent)
    .map(({ name, percent }) => t('{percent} {part}', { percent: percentage(percent), part: name }));
  const { tokens, charge } = exchange;
  const price = found.isKnown ? pricesOf(charge.details, tokens) : null;
  const paid =
    price && (tokens.cacheRead ?? 0) * price.cached + ((tokens.input ?? 0) + (tokens.cacheWrite ?? 0)) * price.fresh;
  const total = totalWords(found.words, found.total, null);
  const parts = joined(shares);
  return paid === null
    ? t('Context of its last request: {total} ({parts})', { total, parts })
    : t('Context of its last request: {total}, {credits} credits ({parts})', {
        total,
        credits: creditsOf(paid),
        parts,
      });
}

/**
 * A request for an export, with the parts of its context as its details show them. Names are English in every language.
 * Unchanged if its shape isn’t known.
 */
export function withContext<Sent extends Pick<Exchange, 'shape' | 'tokens'>>(exchange: Sent) {
  const found = partsOf(exchange);
  if (found === null) return exchange;
  const { total, isKnown, room } = found;
  const parts = found.parts.map(({ part, tokens }) => ({
    part,
    name: inEnglish(() => translated(partNames[part])),
    tokens,
  }));
  return { ...exchange, context: { total, isEstimated: !isKnown, parts, room } };
}

const tokensPerPrice = 1_000_000;

const partNames: Readonly<Record<ContextPart, Message>> = {
  tools: msg('Tools'),
  mcp: msg('MCP tools'),
  system: msg('System prompt'),
  memory: msg('Memory files and reminders'),
  user: msg('User messages'),
  assistant: msg('Assistant messages'),
  results: msg('Tool results'),
  images: msg('Images and documents'),
};

/** What is sent first comes from the cache first. */
const firstParts: readonly ContextPart[] = ['tools', 'mcp', 'system'];

function totalWords(words: string, total: number, size: number | null): string {
  return size === null || size === 0
    ? t('{count} tokens', { count: words })
    : t('{count} of {size} tokens ({percent})', {
        count: words,
        size: grouped(size),
        percent: percentage((total / size) * 100),
      });
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
  const guessed = contextParts
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
