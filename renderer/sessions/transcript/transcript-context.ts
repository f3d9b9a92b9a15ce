import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';
import type { SessionState } from '../../../app/api/sessions.ts';
import type { TextActions } from '../text/markdown.tsx';
import type { Item } from './items.ts';
import type { OpenSteps } from './place.ts';

/** What all parts of one transcript share. It changes rarely, so that a part is drawn again for its own news alone. */
interface TranscriptContextValue {
  sessionId: string;
  /** The session's folder, which paths are shown without; null if unknown. */
  cwd: string | null;
  /** The model that the session uses; others are named at their turns. */
  model: string | null;
  /** The agent's name: `Claude Code` */
  agent: string;
  /** State of the session; null if no process of ours runs it. */
  state: SessionState | null;
  /** What is said while its process starts. */
  starting: string;
  /** What is said while it waits to send a failed request again; null if it does not. */
  retrying: string | null;
  /** When it goes on by itself after a limit, ms; null if it does not. */
  continuesAt: number | null;
  /** What its last turns cost on average: `0.42 credits`; null if unknown. */
  usualCost: string | null;
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

/**
 * What can be done from a transcript. Each is a person's click; what is missing has no button. `TextActions` are those
 * that words have: links and paths.
 */
export interface TranscriptActions extends TextActions {
  /** Sends the turn's prompt again, as an attempt of it. */
  tryAgain?: (turnId: string) => void;
  /** Asks below the button which model, and then sends it again. */
  tryAgainWithModel?: (turnId: string, button: HTMLElement) => void;
  /** Says “Go on where you stopped.” */
  goOn?: (turnId: string) => void;
  /** Says it once, when the limit is over that the last turn ended at. */
  continueLater?: () => void;
  dontContinue?: () => void;
  compactAndTryAgain?: (turnId: string) => void;
  /** Asks below the button from which. */
  forkEarlier?: (turnId: string, button: HTMLElement) => void;
  /** Puts the turn's prompt back into the message field. */
  changePrompt?: (turnId: string) => void;
  /** Stops the turn that runs. */
  stop?: () => void;
  /** Asks for a name and a place first. */
  saveTemplate?: (text: string) => void;
  goBack?: (turnId: string) => void;
  fork?: (turnId: string) => void;
  undoTurn?: (turnId: string) => void;
  showInChanges?: (turnId: string, path: string) => void;
  /** A row of the log. */
  showRequest?: (requestId: string) => void;
  /** All rows of a turn. */
  showRequests?: (turnId: string) => void;
  /** The setting of the most that a turn may cost. */
  showSettings?: () => void;
  /** The limits that a person set for their requests. */
  showLimits?: () => void;
  /** Present while nobody is signed in. */
  signIn?: () => void;
  /** Where Claude Code comes from. */
  chooseAgent?: () => void;
  copyReport?: (turnId: string) => void;
  /** Opens the transcript's folder, if it can't be read. */
  openFolder?: () => void;
}
