import { useCallback } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { useSessionActions } from '../state/hooks.ts';

/** Copies a session up to a turn. Nothing starts; `open` goes to the copy. */
export function useFork(open: (fork: Session) => void): (session: string, turn: string) => Promise<void> {
  const { fork } = useSessionActions();
  return useCallback(
    async (session, turn) => {
      const made = await fork(session, turn);
      if (made !== null) open(made);
    },
    [fork, open],
  );
}
