import type { Session, TurnCost } from '../../app/api/sessions.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { premiumRequests, sumOfCredits } from '../../app/words/numbers.ts';

/** What a session cost in the unit of the account's plan: `46.18`, `12.90 + ?`; `–`: nothing of it ran through here. */
export function costWords(world: World, cost: TurnCost): string {
  if (cost.user + cost.agent === 0) return '–';
  const sum = world === 'premium' ? premiumRequests(cost.premiumRequests) : sumOfCredits(cost.nanoAiu);
  return cost.isPartlyUnknown && cost.running === 0 ? `${sum} + ?` : sum;
}

export function costUnit(world: World): string {
  return world === 'premium' ? 'premium requests' : 'credits';
}

export function sessionCost(world: World, session: Session | null): string {
  return session === null ? '–' : costWords(world, session.cost);
}
