import { useEffect, useRef } from 'react';
import { go } from '../state/moves.ts';
import { useServices, useWindow } from '../state/services.ts';

/** The window opens on the first run until that was gone through, where nothing else was asked for and nothing has happened yet. */
export function useFirstRun(): void {
  const { log } = useServices();
  const decided = useRef(false);
  const known = useWindow(({ app, preferences }) => app !== null && preferences !== null);
  const isNew = useWindow(
    ({ app, preferences }) => preferences?.welcomedAt === null && app?.account.kind === 'signed-out',
  );
  useEffect(() => {
    if (decided.current || !known) return;
    decided.current = true;
    if (isNew && window.location.hash === '' && log.view().known === 0) go({ place: 'welcome' }, { replace: true });
  }, [known, isNew, log]);
}
