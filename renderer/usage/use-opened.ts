import { useCallback, useEffect, useRef, useState } from 'react';
import type { Exchange } from '../../app/api/exchange.ts';
import type { Conversation, ConversationPrompt } from '../../app/api/history.ts';
import type { Asked } from '../state/asked.ts';
import { useServices } from '../state/services.ts';
import type { TreeRow } from './conversation-rows.ts';

interface Opened {
  open: ReadonlySet<string>;
  whole: ReadonlySet<string>;
  prompts: ReadonlyMap<string, Asked<ConversationPrompt[]>>;
  /** The last request of each. */
  last: ReadonlyMap<string, Exchange>;
}

/** What is open in the tree. Prompts of a session are asked for when it is opened. */
export function useOpened(since: number) {
  const { bridge } = useServices();
  const [opened, setOpened] = useState<Opened>({
    open: new Set(),
    whole: new Set(),
    prompts: new Map(),
    last: new Map(),
  });
  const sessions = useRef(new Map<string, Conversation>());
  const asks = useRef(0);

  const read = useCallback(
    async (id: string): Promise<void> => {
      const conversation = sessions.current.get(id);
      if (conversation === undefined) return;
      const asking = asks.current;
      const put = (change: (before: Asked<ConversationPrompt[]> | undefined) => Asked<ConversationPrompt[]>): void => {
        if (asking !== asks.current) return;
        setOpened((old) => ({ ...old, prompts: new Map(old.prompts).set(id, change(old.prompts.get(id))) }));
      };
      try {
        const { client, session } = conversation;
        const last = await bridge.conversation({ since, client, session });
        put(() => ({ kind: 'known', last }));
        const request = session === null ? null : await bridge.lastExchange(session).catch(() => null);
        if (request !== null && asking === asks.current)
          setOpened((old) => ({ ...old, last: new Map(old.last).set(id, request) }));
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        put((before) => ({ kind: 'failed', last: before?.last ?? null, text, remedy: '' }));
      }
    },
    [bridge, since],
  );

  const refresh = useCallback(async (): Promise<void> => {
    await Promise.all([...sessions.current.keys()].map(read));
  }, [read]);

  useEffect(() => {
    // Another period: what is open stays open and is read again.
    void refresh();
    return () => {
      asks.current += 1;
    };
  }, [refresh]);

  const toggle = useCallback(
    (row: TreeRow): void => {
      if (row.expanded === null || row.kind === 'earlier') return;
      if (row.kind === 'session') {
        if (row.expanded) sessions.current.delete(row.id);
        else {
          sessions.current.set(row.id, row.conversation);
          void read(row.id);
        }
      }
      setOpened((old) => {
        const open = new Set(old.open);
        if (!open.delete(row.id)) open.add(row.id);
        return { ...old, open };
      });
    },
    [read],
  );
  const showAll = useCallback(
    (session: string) => setOpened((old) => ({ ...old, whole: new Set([...old.whole, session]) })),
    [],
  );
  return { opened, toggle, showAll, retry: (id: string) => void read(id), refresh };
}
