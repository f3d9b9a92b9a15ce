import type { Exchange } from './exchange.ts';
import type { ListedSession } from './session-list.ts';
import type { AgentState, Session, SessionEvent } from './sessions.ts';
import type { Preferences } from './settings.ts';
import type { AppState } from './state.ts';
import type { UpdateState } from './update.ts';

/** What fronts are told without asking. */
export type AppEvent =
  | { event: 'state'; state: AppState }
  | { event: 'exchange'; exchange: Exchange }
  /**
   * How far the running answers are, ten times a second at most. Tokens are our estimate until an answer is complete.
   */
  | { event: 'progress'; running: { id: string; output: number }[] }
  | { event: 'preferences'; preferences: Preferences }
  /** A session that Jumpseat holds is another one now, or is no longer held. */
  | { event: 'session'; session: Session }
  | { event: 'session-gone'; id: string }
  /**
   * A session of `sessionList` is new or another one now, whichever program wrote to it or opened it, or is no longer
   * there. From the first `sessionList` on, as long as a front listens.
   */
  | { event: 'session-listed'; session: ListedSession }
  | { event: 'session-unlisted'; id: string }
  /** What happened in one. `sessionEvents` gives those again that a front missed. */
  | { event: 'session-event'; entry: SessionEvent }
  /** An agent is another one now: found, chosen, being fetched. */
  | { event: 'agent'; agent: AgentState }
  /** Every request that had ended is gone. */
  | { event: 'history-deleted' }
  /** Claude Code’s settings, or what they should hold, were changed by Jumpseat. */
  | { event: 'setup-changed' };

/** What the window is told without asking. */
export type WindowEvent =
  | AppEvent
  | { event: 'update'; update: UpdateState }
  /** A file that the page made was saved under this name, or could not be written. */
  | { event: 'saved'; file: string; written: boolean };
