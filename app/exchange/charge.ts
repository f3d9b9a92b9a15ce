import type { Quota } from '../api/account.ts';
import type { Charge, Initiator } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';

/** What a charge is worked out from. No charge is ever estimated from a price list. */
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
  if (reported === null) return { ...common, kind: 'unknown', premiumRequests: null };
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
  const sum = charge.details.reduce(
    (total, part) => total + (part.batchSize > 0 ? (part.count * part.costPerBatch) / part.batchSize : 0),
    0,
  );
  return charge.nanoAiu - Math.round(sum);
}
