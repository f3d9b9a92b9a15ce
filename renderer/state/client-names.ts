import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Session } from '../../app/api/sessions.ts';
import { agentWords } from '../../app/words/agents.ts';
import { isSessionLabel, sessionTitle } from '../../app/words/sessions.ts';
import { useServices, useWindow } from './services.ts';

/** `title`: of the hosted session that it is; null if it is none. */
interface ClientName {
  name: string;
  title: string | null;
}

/**
 * What clients are called: by their label. Hosted sessions, whose keys carry the session's id as their label, are
 * called by their program, and have a title. A session that is not loaded is asked for once.
 */
export function useClientNames(clients: readonly string[]): (client: string) => ClientName {
  const { bridge, store } = useServices();
  const ids = [...new Set(clients)].filter(isSessionLabel);
  const known = useWindow(
    useShallow(({ sessions, pastSessions }) => ids.map((id) => sessions.get(id) ?? pastSessions.get(id) ?? null)),
  );
  const missing = ids.join(' ');
  useEffect(() => {
    const { sessions, pastSessions } = store.getState();
    const unknown = missing.split(' ').filter((id) => id !== '' && !sessions.has(id) && !pastSessions.has(id));
    if (unknown.length === 0) return;
    const keep = (id: string, session: Session | null): void =>
      store.setState((state) => ({ pastSessions: new Map(state.pastSessions).set(id, session) }));
    for (const id of unknown) {
      keep(id, null);
      bridge.session(id).then(
        (session) => keep(id, session),
        // It was deleted: its label names it.
        () => undefined,
      );
    }
  }, [bridge, store, missing]);
  return (client) => {
    const place = ids.indexOf(client);
    if (place === -1) return { name: client, title: null };
    const session = known[place] ?? null;
    if (session === null) {
      const name = sessionTitle({ id: client, title: null, agentTitle: null, firstPrompt: null });
      return { name, title: null };
    }
    const { title, agent } = session;
    return {
      name: agentWords(agent).title,
      title: sessionTitle({ id: client, title, agentTitle: null, firstPrompt: null }),
    };
  };
}

/** Where clients stand beside each other: each hosted session by its title. */
export function titleOrName({ name, title }: ClientName): string {
  return title ?? name;
}
