import type { Charge, Exchange, TokenDetail } from '../api/exchange.ts';
import type { TurnCost } from '../api/sessions.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
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

type Cost = Pick<TurnCost, 'nanoAiu' | 'premiumRequests' | 'isPartlyUnknown' | 'estimate' | 'unestimated'>;

/**
 * What a turn or a session cost, in the unit of the account's plan: `46.18`, `at least 12.90`, `Unknown`, and with our
 * estimate of answers that reported no charge `≈ 19.04`; where others have none, `at least about 19.04`.
 */
export function costWords(world: World, cost: Cost): string {
  return costSoFarWords(world, cost, 0);
}

/** The same with our estimate of the answers that run (nano-AIU), marked as one: `≈ 46.61`. */
export function costSoFarWords(world: World, cost: Cost, running: number): string {
  const estimate = running + (cost.estimate ?? 0);
  if (estimate > 0 && world !== 'premium' && !isLeast(world, cost)) return estimateWords(cost.nanoAiu + estimate);
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : creditsOf(cost.nanoAiu + estimate);
  if (isPartEstimated(world, cost)) return t('at least about {amount}', { amount: sum });
  return cost.isPartlyUnknown ? partlyUnknown(sum) : sum;
}

/** It has our estimate of some answers, and others are missing in it. */
export function isPartEstimated(
  world: World,
  { estimate = 0, unestimated = 0 }: Pick<Cost, 'estimate' | 'unestimated'>,
): boolean {
  return estimate > 0 && unestimated > 0 && world !== 'premium';
}

export const partEstimated = (): string => t('Part of it is estimated from the model’s prices.');

/** Answers are missing in it that we have no estimate of either. */
function isLeast(world: World, { isPartlyUnknown, estimate = 0, unestimated = 0 }: Cost): boolean {
  return isPartlyUnknown && (estimate === 0 || unestimated > 0 || world === 'premium');
}

/** The same where there is little room: `≥ 12.90`. */
export function shortCostWords(world: World, cost: Cost, running: number): string {
  if (!isLeast(world, cost)) return costSoFarWords(world, cost, running);
  const sum =
    world === 'premium'
      ? premiumRequests(cost.premiumRequests)
      : creditsOf(cost.nanoAiu + running + (cost.estimate ?? 0));
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
export function unknownBecause({ estimate = 0, unestimated = 0 }: Pick<Cost, 'estimate' | 'unestimated'> = {}): string {
  const why = t('A request was stopped or cut before Copilot reported its charge. It may appear on your bill.');
  if (estimate === 0) return why;
  return sentences(why, unestimated > 0 ? partEstimated() : t('Estimated from the model’s prices.'));
}

/** A sum in which the charges of some requests are missing. Zero is no sum then. */
export function partlyUnknown(sum: string): string {
  return /[1-9]/.test(sum) ? t('at least {amount}', { amount: sum }) : unknownSum();
}

export function costUnit(world: World): string {
  return world === 'premium' ? t('premium requests') : t('credits');
}
