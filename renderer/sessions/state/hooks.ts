import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ListedSession } from '../../../app/api/session-list.ts';
import type { Session, SessionQuestion } from '../../../app/api/sessions.ts';
import { type AgentWords, agentWords } from '../../../app/words/agents.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { type SessionActions, sessionActionsOf } from './actions.ts';
import type { Conversation } from './conversation.ts';
import { sessionsOf } from './sessions-feed.ts';
import { type OpenConversation, type SessionsState, unread } from './sessions-store.ts';

/** A part of what is known of sessions. Select something small: the component is drawn again when it changes. */
export function useSessions<Part>(select: (state: SessionsState) => Part): Part {
  return useStore(sessionsOf(useServices()).store, select);
}

/** Null if Jumpseat does not hold it. */
export function useHeld(id: string): Session | null {
  return useWindow(({ sessions }) => sessions.get(id) ?? null);
}

/** Null if it is not in the list, or that has not been read. */
export function useListed(id: string): ListedSession | null {
  return useSessions(({ listed }) => listed?.get(id) ?? null);
}

/** Reads it, and keeps it in step for as long as the component is there. Select something small here as well. */
export function useOpenConversation<Part>(id: string, select: (open: OpenConversation) => Part): Part {
  const { feed } = sessionsOf(useServices());
  useEffect(() => feed.conversations.show(id), [feed, id]);
  return useSessions(({ conversations }) => select(conversations.get(id) ?? unread));
}

/** The same of what was said; null until its end has been read. `useSessionActions().loadOlder` reads on. */
export function useConversation<Part>(id: string, select: (conversation: Conversation) => Part): Part | null {
  return useOpenConversation(id, ({ conversation }) => conversation && select(conversation));
}

/** Waiting questions of one session, oldest first. The list object changes only with its content. */
export function useQuestions(id: string): readonly SessionQuestion[] {
  const questions = useSessions((state) => state.questions);
  return useMemo(() => questions.filter(({ sessionId }) => sessionId === id), [questions, id]);
}

/** Changes after each edit of the session: ask for its changes again. */
export function useEditCount(id: string): number {
  return useSessions(({ edits }) => edits.get(id) ?? 0);
}

export function useSessionActions(): SessionActions {
  const parts = sessionsOf(useServices());
  return useMemo(() => sessionActionsOf(parts), [parts]);
}

/** Reading that takes longer than this shows grey blocks, in ms. */
const slowMs = 150;

/** The conversation of an open session can’t be read, or not yet: nothing is sent to what can’t be seen. */
export function useUnread(id: string): boolean {
  const reading = useSessions(({ conversations }) => {
    const open = conversations.get(id);
    if (open === undefined || open.conversation !== null) return 'done';
    return open.failure === null ? 'goes on' : 'failed';
  });
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (reading !== 'goes on') return;
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, [reading]);
  return reading === 'failed' || (reading === 'goes on' && isSlow);
}

/** A session, also one that was made elsewhere; null until it is known. */
export function useSession(id: string): Session | null {
  const { bridge } = useServices();
  const held = useHeld(id);
  const isHeld = held !== null;
  const { asked } = useAsked(useCallback(async () => (isHeld ? null : await bridge.session(id)), [bridge, id, isHeld]));
  return held ?? (asked.last?.id === id ? asked.last : null);
}

/** Words for the agent of the session below. */
export const AgentContext = createContext<AgentWords>(agentWords('claude'));

export const useAgentWords = (): AgentWords => useContext(AgentContext);
