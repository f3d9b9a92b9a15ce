import type { Exchange } from '../../api/exchange.ts';
import { type TurnCost, turnCostSchema } from '../../api/sessions.ts';

export const noCost: TurnCost = {
  ...{ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 0, agent: 0 },
  ...{ input: 0, cached: 0, output: 0 },
};

/** As it lies on disk. */
export function readCost(kept: unknown): TurnCost {
  return turnCostSchema.safeParse(kept).data ?? noCost;
}

/** A cost with one more row that has ended. */
export function withRow(cost: TurnCost, { charge, initiator, tokens, outcome, agentId }: Exchange): TurnCost {
  // Refused or never sent: it counts as no request.
  const counts = charge.kind !== 'none';
  return {
    nanoAiu: cost.nanoAiu + (charge.nanoAiu ?? 0),
    premiumRequests: cost.premiumRequests + (charge.premiumRequests ?? 0),
    isPartlyUnknown: cost.isPartlyUnknown || charge.kind === 'unknown' || (charge.partial && outcome !== 'done'),
    running: 0,
    user: cost.user + (counts && initiator === 'user' ? 1 : 0),
    agent: cost.agent + (counts && initiator === 'agent' ? 1 : 0),
    input: cost.input + (tokens.input ?? 0) + (tokens.cacheWrite ?? 0),
    cached: cost.cached + (tokens.cacheRead ?? 0),
    output: cost.output + (tokens.output ?? 0),
    ...agentsOf(cost.agents, agentId, charge.nanoAiu ?? 0),
  };
}

function agentsOf(before: TurnCost['agents'], agentId: string | null, nanoAiu: number): Pick<TurnCost, 'agents'> {
  if (agentId === null) return before === undefined ? {} : { agents: before };
  return { agents: { ...before, [agentId]: (before?.[agentId] ?? 0) + nanoAiu } };
}
