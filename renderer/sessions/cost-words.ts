import type { TurnCost } from '../../app/api/sessions.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { premiumRequests, sumOfCredits } from '../../app/words/numbers.ts';
import { costUnit, costWords } from '../../app/words/session-cost.ts';
import type { ListRow } from './list/list-rows.ts';

/** `182.40 credits today` */
export function todayWords(world: World, costs: readonly TurnCost[]): string {
  const sum = world === 'premium' ? added(costs, 'premiumRequests') : added(costs, 'nanoAiu');
  const words = world === 'premium' ? premiumRequests(Math.round(sum * 1e6) / 1e6) : sumOfCredits(sum);
  const rest = costs.some(({ isPartlyUnknown }) => isPartlyUnknown) ? ' + ?' : '';
  return `${words}${rest} ${costUnit(world)} today`;
}

function added(costs: readonly TurnCost[], figure: 'nanoAiu' | 'premiumRequests'): number {
  return costs.reduce((sum, cost) => sum + cost[figure], 0);
}

/** Where nothing of a session is known: it was made elsewhere, and no request of it came through the proxy. */
export const unknownCost = '–';

/**
 * What the row of a session says it cost; empty: not known yet.
 *
 * @param costs of those that are not held; null: they are being read
 */
export function rowCost(
  world: World,
  { id, held, listed }: Pick<ListRow, 'id' | 'held' | 'listed'>,
  costs: ReadonlyMap<string, TurnCost> | null,
): string {
  if (held !== null && held.sentAt !== null) return costWords(world, held.cost);
  if (costs === null) return '';
  const cost = costs.get(id);
  if (cost !== undefined) return costWords(world, cost);
  return listed?.hosted === true ? (world === 'premium' ? premiumRequests(0) : sumOfCredits(0)) : unknownCost;
}
