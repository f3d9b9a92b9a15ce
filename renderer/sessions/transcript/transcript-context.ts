import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';
import type { SessionState } from '../../../app/api/sessions.ts';
import type { Item } from './items.ts';
import type { OpenSteps } from './open-steps.ts';
import type { TranscriptActions } from './transcript-actions.ts';

/** What all parts of one transcript share. It changes rarely, so that a part is drawn again for its own news alone. */
export interface TranscriptContextValue {
  sessionId: string;
  /** The session's folder, which paths are shown without; null: not known. */
  cwd: string | null;
  /** The model that the session uses; others are named at their turns. */
  model: string | null;
  /** Who leads it: `Claude Code` */
  agent: string;
  /** Of the session; null: no process of ours leads it. */
  state: SessionState | null;
  /** What is said while its process starts. */
  starting: string;
  /** What is said while it waits to send a failed request again; null: it does not. */
  retrying: string | null;
  /** How many sessions are in line before it. */
  before: number;
  /** How many messages wait until the person sends them. */
  waiting: number;
  actions: TranscriptActions;
  openSteps: OpenSteps;
  /** What a subagent did is drawn as what the session did. */
  drawItem: (item: Item, depth: number) => ReactNode;
}

export const TranscriptContext = createContext<TranscriptContextValue | null>(null);

export function useTranscript(): TranscriptContextValue {
  const value = useContext(TranscriptContext);
  if (value === null) throw new Error('There is no transcript above this component.');
  return value;
}

export function useIsOpen(key: string): boolean {
  const { openSteps } = useTranscript();
  const listen = useCallback((listener: () => void) => openSteps.listen(key, listener), [openSteps, key]);
  return useSyncExternalStore(listen, () => openSteps.has(key));
}
