import { useMemo } from 'react';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import { openSession } from './composer/open-session.ts';
import { useSessionActions } from './state/hooks.ts';

export interface Forking {
  /** With all up to a turn. */
  from: (session: string, turn: string) => Promise<void>;
  /** With all that it has. */
  fromEnd: (session: string) => Promise<void>;
}

/** Copies a session and goes to the copy. Nothing starts. */
export function useFork(): Forking {
  const { store } = useServices();
  const actions = useSessionActions();
  return useMemo(() => {
    const from = async (session: string, turn: string): Promise<void> => {
      const made = await actions.fork(session, turn);
      if (made !== null) openSession(made.id);
    };
    return {
      from,
      fromEnd: async (session) => {
        const made = await actions.forkEnd(session);
        if (made === 'no-answer') toast(store, 'There is no answer to fork from yet.', { kind: 'told' });
        else if (made !== null) openSession(made.id);
      },
    };
  }, [store, actions]);
}
