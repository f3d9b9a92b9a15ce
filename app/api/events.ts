import type { Customizations } from './calls/customizations.ts';
import type { Exchange } from './exchange.ts';
import type { ListedSession } from './session-list.ts';
import type { AgentState, Session, SessionEvent, SideQuestion } from './sessions.ts';
import type { Preferences } from './settings.ts';
import type { AppState, ProxyState, UpdateState } from './state.ts';

export interface RunningAnswer extends Pick<Exchange, 'id' | 'client' | 'session'> {
  /** Tokens so far. */
  output: number;
  /** What it costs so far by the prices of its model: our estimate, in no sum. Null if it can't be known. */
  nanoAiu: number | null;
}

/** Events that fronts receive. */
export type AppEvent =
  | { event: 'state'; state: AppState }
  | { event: 'exchange'; exchange: Exchange }
  /**
   * How far the running answers are, ten times a second at most. Tokens are our estimate until an answer is complete.
   */
  | { event: 'progress'; running: RunningAnswer[] }
  | { event: 'preferences'; preferences: Preferences }
  /** A session that Jumpseat holds has changed, or is no longer held. */
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
  /** All side questions of a session that were not closed, as they are now. */
  | { event: 'session-side-questions'; session: string; questions: SideQuestion[] }
  /** What is added for a session that Jumpseat holds is another one now, or is being loaded, or was. */
  | { event: 'session-customizations'; session: string; now: Customizations }
  /** An agent is another one now: found, chosen, being fetched. */
  | { event: 'agent'; agent: AgentState }
  /** Every request that had ended is gone. */
  | { event: 'history-deleted' }
  /** The history may have requests without an event: another process wrote them, or left them unfinished. */
  | { event: 'history-changed' }
  /** Claude Code’s settings, or what they should hold, were changed by Jumpseat. */
  | { event: 'setup-changed' };

/** A session that Jumpseat holds has changed, or is no longer held. */
export type HeldSession = Extract<AppEvent, { event: 'session' | 'session-gone' }>;

/** Events that the window receives. */
export type WindowEvent =
  | AppEvent
  | { event: 'update'; update: UpdateState }
  /** A file that the page made was saved under this name, or could not be written. */
  | { event: 'saved'; file: string; written: boolean };

/** Tells its listeners, in the order in which they came. */
export class Emitter<Told extends unknown[]> {
  readonly #listeners = new Set<(...told: Told) => void>();

  /** Returns the way to stop. */
  readonly listen = (listener: (...told: Told) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly tell = (...told: Told): void => {
    for (const listener of this.#listeners) listener(...told);
  };

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** Listeners for changes. Without listeners no state is built. */
export class Listeners {
  readonly #state: () => AppState;
  readonly #ofAll = new Emitter<[AppEvent]>();
  readonly #ofExchanges = new Emitter<[Exchange]>();
  readonly #ofSessions = new Emitter<[HeldSession]>();
  readonly #ofProxy = new Emitter<[ProxyState]>();
  readonly #ofWarnings = new Emitter<[]>();
  #stateDue = false;

  constructor(state: () => AppState) {
    this.#state = state;
  }

  get isHeard(): boolean {
    return this.#ofAll.isHeard;
  }

  readonly listen = this.#ofAll.listen;
  readonly onExchange = this.#ofExchanges.listen;
  readonly onSession = this.#ofSessions.listen;
  readonly onProxy = this.#ofProxy.listen;
  readonly onWarnings = this.#ofWarnings.listen;

  /** Told behind the turn in which it came up: who did it is done then. */
  warned(): void {
    setImmediate(this.#ofWarnings.tell);
  }

  readonly tell = (event: AppEvent): void => {
    if (event.event === 'session' || event.event === 'session-gone') this.#ofSessions.tell(event);
    this.#ofAll.tell(event);
  };

  exchangeChanged(exchange: Exchange): void {
    this.#ofExchanges.tell(exchange);
    if (!this.isHeard) return;
    this.tell({ event: 'exchange', exchange });
    this.stateChanged();
  }

  proxyChanged(proxy: ProxyState): void {
    this.#ofProxy.tell(proxy);
    this.stateChanged();
  }

  /** Many changes of one turn are one event. */
  stateChanged(): void {
    if (this.#stateDue || !this.isHeard) return;
    this.#stateDue = true;
    setImmediate(() => {
      this.#stateDue = false;
      if (this.isHeard) this.tell({ event: 'state', state: this.#state() });
    });
  }

  clear(): void {
    for (const each of [this.#ofAll, this.#ofExchanges, this.#ofSessions, this.#ofProxy, this.#ofWarnings])
      each.clear();
  }
}
