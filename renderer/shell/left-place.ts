import { keep, recall } from '../state/remembered.ts';
import { home, readRoute, sameRoute, writeRoute } from '../state/routes.ts';

/** Where the window was left: it opens there again within a day. */

const key = 'jumpseat.left';
const goodForMs = 24 * 3_600_000;

/** Places that are gone through, not stayed at. */
const passing: readonly string[] = ['sign-in', 'welcome'];

export function keepPlace(address: string, now: number): void {
  const route = readRoute(address);
  if (!passing.includes(route.place)) keep(key, `${now} ${writeRoute(route)}`);
}

/** Null: nowhere in particular, or too long ago. */
export function leftPlace(now: number): string | null {
  const [at = '', address = ''] = (recall(key) ?? '').split(' ', 2);
  const since = now - Number(at);
  // A clock that was set back says nothing about how long ago it was.
  if (address === '' || !(since >= 0 && since < goodForMs)) return null;
  const route = readRoute(address);
  return passing.includes(route.place) || sameRoute(route, home) ? null : writeRoute(route);
}
