import type { TurnCost } from './sessions.ts';

/** Adds two costs. Subagents' costs are left out, because they belong to one turn. */
export function sumOfCosts(left: TurnCost, right: TurnCost): TurnCost {
  const refused = (left.refused ?? 0) + (right.refused ?? 0);
  const estimate = (left.estimate ?? 0) + (right.estimate ?? 0);
  return {
    nanoAiu: left.nanoAiu + right.nanoAiu,
    // Multipliers have two decimals; 0.33 three times is 0.99.
    premiumRequests: Math.round((left.premiumRequests + right.premiumRequests) * 1e6) / 1e6,
    ...(estimate > 0 && { estimate }),
    isPartlyUnknown: left.isPartlyUnknown || right.isPartlyUnknown,
    running: left.running + right.running,
    user: left.user + right.user,
    agent: left.agent + right.agent,
    ...(refused > 0 && { refused }),
    input: left.input + right.input,
    cached: left.cached + right.cached,
    output: left.output + right.output,
  };
}
