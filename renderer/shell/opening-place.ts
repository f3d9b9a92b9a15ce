import { useEffect, useLayoutEffect, useRef } from 'react';
import { go } from '../state/navigation.ts';
import { readRoute } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';
import { keepPlace, leftPlace } from './left-place.ts';

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
