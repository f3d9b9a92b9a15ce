import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { sessionTitle } from '../../app/words/session-title.ts';
import { useServices, useWindow } from './services.ts';

const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What clients are called: those that are hosted sessions, whose keys carry the session's id as their label, by the
 * session's title, and all others by their label. A session that is not loaded is asked for once.
 */
export function useClientNames(clients: readonly string[]): (client: string) => string {
  const { bridge, store } = useServices();
  const ids = [...new Set(clients)].filter((client) => sessionId.test(client));
  const titles = useWindow(
    useShallow(({ sessions, pastTitles }) => ids.map((id) => sessions.get(id)?.title ?? pastTitles.get(id) ?? null)),
  );
  const missing = ids.join(' ');
  useEffect(() => {
    const { sessions, pastTitles } = store.getState();
    const unknown = missing.split(' ').filter((id) => id !== '' && !sessions.has(id) && !pastTitles.has(id));
    if (unknown.length === 0) return;
    const keep = (id: string, title: string | null): void =>
      store.setState((state) => ({ pastTitles: new Map(state.pastTitles).set(id, title) }));
    for (const id of unknown) {
      keep(id, null);
      bridge.session(id).then(
        (session) => keep(id, titleOf(session)),
        // It was deleted, or the label only looks like a session's: the label is all there is to show.
        () => undefined,
      );
    }
  }, [bridge, store, missing]);
  return (client) => {
    const at = ids.indexOf(client);
    const title = titles[at] ?? null;
    return title === null ? client : titleOf({ id: client, title });
  };
}

function titleOf({ id, title }: { id: string; title: string | null }): string {
  return sessionTitle({ id, title, agentTitle: null, firstPrompt: null });
}
