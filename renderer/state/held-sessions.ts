import type { Session } from '../../app/api/sessions.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Feed, SessionNews } from './feed.ts';
import type { WindowStore } from './window-state.ts';

/** Keeps the window's list of held sessions in step with the app. Small: the sidebar needs it before any view. */
export class HeldSessions {
  readonly #bridge: Pick<Bridge, 'heldSessions'>;
  readonly #store: WindowStore;
  readonly #feed: Pick<Feed, 'listenToSessions'>;
  /** Sessions from events since the last question: newer than its answer. Null if it is gone. */
  #received = new Map<string, Session | null>();
  #asked = 0;
  #due = false;

  constructor(dependencies: {
    bridge: Pick<Bridge, 'heldSessions'>;
    store: WindowStore;
    feed: Pick<Feed, 'listenToSessions'>;
  }) {
    this.#bridge = dependencies.bridge;
    this.#store = dependencies.store;
    this.#feed = dependencies.feed;
  }

  /** Returns the way to stop. */
  start(): () => void {
    const stop = this.#feed.listenToSessions({
      hear: (news) => this.#hear(news),
      missed: () => void this.#ask(),
    });
    void this.#ask();
    return stop;
  }

  /** Answers are in the order of the questions: one that was overtaken is ignored. */
  async #ask(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.#received = new Map();
    // Where the app does not answer, the feed says so, and hears when it does again.
    const held = await this.#bridge.heldSessions().catch(() => null);
    if (held === null || asked !== this.#asked) return;
    const sessions = new Map(held.map((session) => [session.id, session]));
    put(sessions, this.#received);
    this.#store.setState({ sessions });
  }

  #hear(news: SessionNews): void {
    if (news.event === 'session') this.#received.set(news.session.id, news.session);
    else if (news.event === 'session-gone') this.#received.set(news.id, null);
    else return;
    if (this.#due) return;
    this.#due = true;
    // Several changes of one moment are one.
    queueMicrotask(() => {
      this.#due = false;
      const sessions = new Map(this.#store.getState().sessions);
      put(sessions, this.#received);
      this.#store.setState({ sessions });
    });
  }
}

function put(sessions: Map<string, Session>, received: ReadonlyMap<string, Session | null>): void {
  for (const [id, session] of received) {
    if (session === null) sessions.delete(id);
    else sessions.set(id, session);
  }
}

/** How many wait for a person's answer. */
export function waitingSessions(sessions: ReadonlyMap<string, Session>): number {
  return [...sessions.values()].filter(({ state }) => state === 'waiting').length;
}
