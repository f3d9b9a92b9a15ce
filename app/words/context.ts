import type { ContextPart, Exchange, TokenDetail } from '../api/exchange.ts';
import type { ModelRow } from '../api/models.ts';
import { contextParts } from '../api/names.ts';
import type { InForce } from '../api/session-surroundings.ts';
import { type Message, msg } from '../language/messages.ts';
import { joined } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { creditsOf, grouped, percentage } from './numbers.ts';
import { inSentence } from './text.ts';

const nanoPerCredit = 1e9;

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
  const { parts, isKnown, room } = found;
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
    total: totalWords(countWords(found), found.total, limits?.context ?? limits?.prompt ?? null),
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
  const total = totalWords(countWords(found), found.total, null);
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
  // A message is its own text in English.
  const parts = found.parts.map(({ part, tokens }) => ({ part, name: partNames[part], tokens }));
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

/** Our estimate is told from Copilot's count. */
function countWords({ total, isKnown }: { total: number; isKnown: boolean }): string {
  return `${isKnown ? '' : '≈ '}${grouped(total)}`;
}

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
  isKnown: boolean;
  room: number | null;
} | null {
  const context = shape?.request?.context;
  if (context === undefined) return null;
  const guessed: Part[] = [];
  let sum = 0;
  for (const part of contextParts) {
    const tokens = context.parts[part] ?? 0;
    if (tokens > 0) guessed.push({ part, tokens });
    sum += tokens;
  }
  const isKnown = input !== null || cacheRead !== null;
  const total = isKnown ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : sum;
  if (sum === 0 || total === 0) return null;
  return { parts: scaled(guessed, total / sum), total, isKnown, room: context.room };
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
