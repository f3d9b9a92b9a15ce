import { useMemo } from 'react';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import { openSession } from './composer/open-session.ts';
import { useSessionActions } from './state/hooks.ts';

export interface Forking {
  /** With all up to a turn. */
  from: (session: string, turn: string) => Promise<void>;
  /** After the last turn that a fork can begin at. */
  fromEnd: (session: string) => Promise<void>;
}

/** Copies a session and goes to the copy. Nothing starts. */
export function useFork(): Forking {
  const { bridge, store } = useServices();
  const actions = useSessionActions();
  return useMemo(() => {
    const from = async (session: string, turn: string): Promise<void> => {
      const made = await actions.fork(session, turn);
      if (made !== null) openSession(made.id);
    };
    return {
      from,
      fromEnd: async (session) => {
        const turns = await bridge.sessionTurns({ session, before: null, limit: 500 }).catch(() => []);
        const turn = turns.findLast(({ canFork }) => canFork);
        if (turn === undefined) toast(store, 'There is no answer to fork from yet.', { kind: 'told' });
        else await from(session, turn.id);
      },
    };
  }, [bridge, store, actions]);
}
