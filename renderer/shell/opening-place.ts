import { useEffect, useLayoutEffect, useRef } from 'react';
import { keep, recall } from '../state/preferences.ts';
import { go, home, readRoute, sameRoute, writeRoute } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';

/**
 * Where the window opens when no address was asked for: on the first run until that was gone through, as long as
 * nothing has happened yet; else where it was left. Before anything is painted.
 */
export function useOpeningPlace(): void {
  const { log } = useServices();
  const decided = useRef(false);
  const known = useWindow(({ app, preferences }) => app !== null && preferences !== null);
  const isNew = useWindow(
    ({ app, preferences }) => preferences?.welcomedAt === null && app?.account.kind === 'signed-out',
  );
  useLayoutEffect(() => {
    if (decided.current || !known) return;
    decided.current = true;
    if (window.location.hash !== '') return;
    const left = leftPlace(Date.now());
    if (isNew && log.view().known === 0) go({ place: 'welcome' }, { replace: true });
    else if (left !== null) go(readRoute(left), { replace: true });
  }, [known, isNew, log]);

  const address = useWindow(({ route }) => route);
  // biome-ignore lint/correctness/useExhaustiveDependencies: kept whenever it changes, and when the page is left.
  useEffect(() => {
    if (!known) return;
    const save = (): void => keepPlace(window.location.hash, Date.now());
    save();
    document.addEventListener('visibilitychange', save);
    window.addEventListener('pagehide', save);
    return () => {
      document.removeEventListener('visibilitychange', save);
      window.removeEventListener('pagehide', save);
    };
  }, [known, address]);
}

/** Where the window was left: it opens there again within a day. */

const key = 'jumpseat.left';
const goodForMs = 24 * 3_600_000;

/** Places that are gone through, not stayed at. */
const passing: readonly string[] = ['sign-in', 'welcome'];

function keepPlace(address: string, now: number): void {
  const route = readRoute(address);
  if (!passing.includes(route.place)) keep(key, `${now} ${writeRoute(route)}`);
}

/** Null if nowhere in particular, or too long ago. */
function leftPlace(now: number): string | null {
  const [at = '', address = ''] = (recall(key) ?? '').split(' ', 2);
  const since = now - Number(at);
  // A clock that was set back says nothing about how long ago it was.
  if (address === '' || !(since >= 0 && since < goodForMs)) return null;
  const route = readRoute(address);
  return passing.includes(route.place) || sameRoute(route, home) ? null : writeRoute(route);
}
