import type { TurnCost } from './sessions.ts';

/** Adds two costs. Subagents' costs are left out, because they belong to one turn. */
export function sumOfCosts(left: TurnCost, right: TurnCost): TurnCost {
  const refused = (left.refused ?? 0) + (right.refused ?? 0);
  const estimate = (left.estimate ?? 0) + (right.estimate ?? 0);
  const unestimated = (left.unestimated ?? 0) + (right.unestimated ?? 0);
  return {
    nanoAiu: left.nanoAiu + right.nanoAiu,
    // Multipliers have two decimals; 0.33 three times is 0.99.
    premiumRequests: Math.round((left.premiumRequests + right.premiumRequests) * 1e6) / 1e6,
    ...(estimate > 0 && { estimate }),
    ...(unestimated > 0 && { unestimated }),
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

/**
 * A time or a span of an exchange in ms, as precise as it is kept: whole ones from a tenth of a second on, which SQLite
 * keeps in 2 bytes instead of 8; hundredths before. It is rounded where it is measured, so that a row says the same
 * before and after it was read from the history. Null if it is no number.
 */
export function moment(value: number): number;
export function moment(value: number | null): number | null;
export function moment(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
