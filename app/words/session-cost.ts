import type { TurnCost } from '../api/sessions.ts';
import type { World } from './exchange-cells.ts';
import { premiumRequests, sumOfCredits } from './numbers.ts';

/** What a turn or a session cost, in the unit of the account's plan: `46.18`, `12.90 + ?`. */
export function costWords(world: World, cost: TurnCost): string {
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : sumOfCredits(cost.nanoAiu);
  return cost.isPartlyUnknown && cost.running === 0 ? `${sum} + ?` : sum;
}

export function costUnit(world: World): string {
  return world === 'premium' ? 'premium requests' : 'credits';
}
