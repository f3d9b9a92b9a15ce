import type { Quota } from '../api/account.ts';
import type { Charge, Initiator } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';

/** What a charge is worked out from. No charge is ever estimated from a price list; an estimate stands beside it. */
export interface Metered {
  world: Quota['world'];
  /** Copilot answered 2xx and content began, or the answer was completed. */
  accepted: boolean;
  /** True if it was sent to Copilot, and no answer says that it was refused. */
  mayHaveBegun: boolean;
  initiator: Initiator | null;
  model: CatalogModel | null;
  facts: AnswerFacts;
  /** The answer came to its own end. */
  whole: boolean;
}

const nothing = { nanoAiu: null, premiumRequests: null, partial: false, details: [] } as const;

export const pendingCharge: Charge = { kind: 'pending', ...nothing, details: [] };
/** Refused, provably never sent, or of a kind that is not billed. */
export const noCharge: Charge = { kind: 'none', ...nothing, details: [] };

/** The charge of one exchange, in the unit that its account is billed in. */
export function chargeOf(metered: Metered): Charge {
  const { facts } = metered;
  const reported = facts.copilotUsage;
  if (reported === null && !metered.accepted && !isInDoubt(metered)) return noCharge;
  const common = {
    nanoAiu: reported?.totalNanoAiu ?? null,
    partial: !metered.whole,
    details: reported?.details ?? [],
  };
  if (metered.world === 'premium') return { ...common, ...premium(metered) };
  if (reported === null) return { ...common, kind: 'unknown', premiumRequests: null, ...estimated(metered) };
  return { ...common, kind: reported.totalNanoAiu > 0 ? 'billed' : 'free', premiumRequests: null };
}

/** True if no answer began and none refused: Copilot may have been at work when the connection ended. */
function isInDoubt({ accepted, mayHaveBegun, facts }: Metered): boolean {
  return !accepted && mayHaveBegun && facts.failure?.kind !== 'error';
}

function premium(metered: Metered): Pick<Charge, 'kind' | 'premiumRequests'> {
  const { initiator, model, accepted } = metered;
  if (!accepted && !isInDoubt(metered)) return { kind: 'none', premiumRequests: null };
  if (initiator === 'agent') return { kind: 'free', premiumRequests: 0 };
  if (!accepted || model?.price.kind !== 'multiplier') return { kind: 'unknown', premiumRequests: null };
  const { multiplier } = model.price;
  return multiplier > 0 ? { kind: 'billed', premiumRequests: multiplier } : { kind: 'free', premiumRequests: 0 };
}

/**
 * Nano-AIU by which Copilot's own parts differ from its total (A charge should add up); null if there is nothing to
 * add. The wire's sum: token_count × cost_per_batch ÷ batch_size.
 */
export function unexplained(charge: Charge): number | null {
  if (charge.nanoAiu === null || charge.details.length === 0) return null;
  let sum = 0;
  for (const { count, costPerBatch, batchSize } of charge.details)
    if (batchSize > 0) sum += (count * costPerBatch) / batchSize;
  return charge.nanoAiu - Math.round(sum);
}

/** For an answer that was cut, what a person saw of its cost while it ran. */
function estimated({ model, facts }: Metered): Pick<Charge, 'estimate'> {
  const output = outputSoFar(facts);
  const cost = model === null || output === 0 ? null : costSoFar(model.price, { ...facts.usage, output });
  return cost === null ? {} : { estimate: Math.round(cost) };
}

/** For English text and code; Copilot counts itself, but reports it only at the end. */
const charactersPerToken = 4;

/** Our estimate, or what Copilot has said where that is more. */
export function outputSoFar({ said, usage }: AnswerFacts): number {
  return Math.max(usage.output ?? 0, Math.ceil(said / charactersPerToken));
}

/** Nano-AIU for a token at a price of a credit for a million. */
const perToken = 1_000;

/** Null where a price isn't in the catalog, or Copilot says only at the end how much it read. */
export function costSoFar(price: CatalogModel['price'], tokens: AnswerFacts['usage']): number | null {
  const { input, cacheRead, cacheWrite, output } = tokens;
  if (price.kind !== 'credits' || input === null) return null;
  const prompt = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const { upToPromptTokens: bound } = price.default;
  const prices = bound !== null && prompt > bound ? (price.longContext ?? price.default) : price.default;
  const parts = [
    [input, prices.input],
    [cacheRead ?? 0, prices.cacheRead],
    [cacheWrite ?? 0, prices.cacheWrite],
    [output ?? 0, prices.output],
  ] as const;
  let sum = 0;
  for (const [count, each] of parts) {
    if (count > 0 && each === null) return null;
    sum += count * (each ?? 0) * perToken;
  }
  return sum;
}
