import type { Charge, Exchange, TokenDetail } from '../api/exchange.ts';
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
  exchange: Pick<Exchange, 'charge' | 'api' | 'outcome' | 'path' | 'failure' | 'servedModel' | 'initiator'>,
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
      if (exchange.path === null || exchange.failure?.source === 'jumpseat') {
        return { word: 'No charge.', sentence: 'Never sent to Copilot.' };
      }
      if (exchange.failure?.source === 'network' || exchange.failure?.source === 'client') {
        return { word: 'No charge.', sentence: 'Copilot reported no charge.' };
      }
      return { word: 'No charge.', sentence: 'Copilot refused this request and reported no charge.' };
  }
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

/** Copilot's own bill, line by line, and a note where the lines do not add up to what it billed. */
export function tokenLines(charge: Charge): { lines: TokenLine[]; mismatch: string | null } {
  const lines = charge.details.map((detail) => ({
    name: kinds[detail.type] ?? detail.type,
    count: tokenCount(detail.count),
    perMillion: price((detail.costPerBatch / Math.max(1, detail.batchSize)) * (1_000_000 / nanoPerCredit)),
    credits: billedCredits(costOf(detail)),
  }));
  const sum = charge.details.reduce((total, detail) => total + costOf(detail), 0);
  const differs = charge.nanoAiu !== null && lines.length > 0 && Math.abs(sum - charge.nanoAiu) > nanoPerCredit / 1000;
  return {
    lines,
    mismatch: differs
      ? `The parts add up to ${billedCredits(sum)}; Copilot billed ${billedCredits(charge.nanoAiu ?? 0)}.`
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

/** The same with our estimate of the answers that run (nano-AIU), marked as one: `≈ 46.61`. */
export function costSoFarWords(world: World, cost: Cost, estimate: number): string {
  if (estimate === 0 || world === 'premium') return costWords(world, cost);
  return estimateWords(cost.nanoAiu + estimate);
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
