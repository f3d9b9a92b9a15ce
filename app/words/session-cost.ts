import type { TurnCost } from '../api/sessions.ts';
import type { World } from './exchange-cells.ts';
import { premiumRequests, sumOfCredits } from './numbers.ts';

/** What a turn or a session cost, in the unit of the account's plan: `46.18`, `at least 12.90`, `Unknown`. */
export function costWords(world: World, cost: TurnCost): string {
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : sumOfCredits(cost.nanoAiu);
  return cost.isPartlyUnknown ? partlyUnknown(sum) : sum;
}

/** `46.18 credits`, `at least 12.90 credits`, `Unknown` */
export function costWithUnit(world: World, cost: TurnCost): string {
  const words = costWords(world, cost);
  return words === unknownSum ? words : `${words} ${costUnit(world)}`;
}

const unknownSum = 'Unknown';

/** A sum in which the charges of some requests are missing. Zero is no sum then. */
export function partlyUnknown(sum: string): string {
  return /[1-9]/.test(sum) ? `at least ${sum}` : unknownSum;
}

export function costUnit(world: World): string {
  return world === 'premium' ? 'premium requests' : 'credits';
}
