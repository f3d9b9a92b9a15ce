import { createStore } from 'zustand/vanilla';
import type { TotalsRow } from '../../../app/api/history.ts';
import type { ListedSession, SessionCost, SessionEditSum } from '../../../app/api/session-list.ts';
import type { SessionQuestion, SideQuestion } from '../../../app/api/sessions.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import type { Activity } from './activity.ts';
import type { Conversation } from './conversation.ts';

/** Why something could not be read, and what to do. */
interface ReadFailure {
  text: string;
  remedy: string;
}

/** A conversation that is open, or was a moment ago. */
export interface OpenConversation {
  /** Null until its end has been read. */
  conversation: Conversation | null;
  failure: ReadFailure | null;
  /** Its end, or older turns, are being read. */
  isReading: boolean;
  /** The beginning of its newest turn is not there yet. */
  isPart: boolean;
  /** Another program wrote to it: `readAgain` shows the changes. */
  hasNews: boolean;
  /** What was said in a terminal while a turn ran here: Claude Code goes on without it. Null if nothing. */
  saidAside: string | null;
}

export const unread: OpenConversation = {
  ...{ conversation: null, failure: null, isReading: true, isPart: false, hasNews: false, saidAside: null },
};

/**
 * A search in one conversation. `at`: it begins at what was said at this time (ms since the epoch); null: at the place
 * that is in view. A new object for each search.
 */
interface Finding {
  sessionId: string;
  words: string;
  at: number | null;
}

/** Changes that are open beside a session, as they are left for another view. */
export interface OpenChanges {
  session: string;
  /** The turn that they were opened for; null: the whole session. */
  turn: string | null;
  /** How often changes were opened. */
  times: number;
  /** What was chosen last; null: nothing. */
  scope: 'turn' | 'session' | 'branch' | null;
  /** Paths of the files that are shown in full. */
  files: ReadonlySet<string>;
}

/** What the view knows beside the sessions that are held (`WindowState.sessions`). Changed in this folder alone. */
export interface SessionsState {
  /** All on this machine, in the order of the list; null until it has been read. */
  listed: ReadonlyMap<string, ListedSession> | null;
  /** Why not all of them may be there; null if all are. */
  listProblem: string | null;
  /** Why there is no list; null if there is, or it is being read. */
  listFailure: ReadFailure | null;
  /** Questions of all sessions, oldest first. */
  questions: readonly SessionQuestion[];
  /** What each running session does now, by its id. */
  activity: ReadonlyMap<string, Activity>;
  /** Grows with each edit of a session, made, accepted or undone, and each look: what is shown is asked for anew. */
  edits: ReadonlyMap<string, number>;
  /** How often the person has trusted a folder here, or taken that back. */
  trustChanges: number;
  /** What edits of sessions changed, as it was asked last. */
  editSums: ReadonlyMap<string, SessionEditSum>;
  conversations: ReadonlyMap<string, OpenConversation>;
  /** What each session cost whose requests came through Jumpseat, as it was asked last; null: not yet. */
  costs: ReadonlyMap<string, SessionCost> | null;
  /**
   * What all requests of a day cost at a time (ms since the epoch), as Usage adds them up; `isOld`: it was asked for
   * since, and that failed. Null: not asked yet, or of another day.
   */
  costOfDay: { since: number; cost: TotalsRow | null; at: number; isOld: boolean } | null;
  /** Null if nothing is looked for. */
  finding: Finding | null;
  /** Null: no changes are open. */
  changes: OpenChanges | null;
  /** The session whose side questions are open; null: none are. `times`: how often some were opened. */
  beside: { session: string; times: number } | null;
  /** Side questions of sessions, as far as they have been read. */
  sideQuestions: ReadonlyMap<string, readonly SideQuestion[]>;
  /** What is being written for the next side question of a session. */
  sideWords: ReadonlyMap<string, string>;
  /** How many messages this window has sent to each session. */
  sent: ReadonlyMap<string, number>;
}

export type SessionsStore = ReturnType<typeof createSessionsStore>;

export function createSessionsStore() {
  return createStore<SessionsState>(() => ({
    ...{ listed: null, listProblem: null, listFailure: null },
    ...{
      questions: [],
      activity: new Map(),
      edits: new Map(),
      trustChanges: 0,
      editSums: new Map(),
      conversations: new Map(),
      finding: null,
      changes: null,
      beside: null,
      sideQuestions: new Map(),
      sideWords: new Map(),
      sent: new Map(),
    },
    ...{ costs: null, costOfDay: null },
  }));
}

export function failureOf(error: unknown): ReadFailure {
  const text = error instanceof Error ? error.message : String(error);
  return { text, remedy: error instanceof BridgeError ? error.remedy : '' };
}
