import type { AppEvent } from '../../app/api/events.ts';
import type { Session } from '../../app/api/sessions.ts';
import type { Work } from '../../app/words/quit.ts';
import { SessionNotifier, type SessionNotifierDependencies } from '../notices/session-notices.ts';
import { runningOf } from './session-lines.ts';
import { SessionWatch, type WatchedSession } from './session-watch.ts';

interface SessionsOutsideDependencies extends Omit<SessionNotifierDependencies, 'watch'> {
  /** Shows how many wait for a person. */
  badge: (waiting: number) => void;
  /** Requests that run now, of sessions and of other programs. */
  requests: () => number;
}

/** Sessions outside of the window: what tray, notifications, badge and the question before the end say of them. */
export class SessionsOutside {
  readonly #given: SessionsOutsideDependencies;
  readonly #watch = new SessionWatch();
  readonly #notifier: SessionNotifier;

  constructor(given: SessionsOutsideDependencies) {
    this.#given = given;
    this.#notifier = new SessionNotifier({ ...given, watch: this.#watch });
  }

  get all(): readonly WatchedSession[] {
    return this.#watch.all;
  }

  /** Sessions with a running turn. */
  get running(): readonly Session[] {
    return runningOf(this.#watch.all);
  }

  /** What an end of Jumpseat would cut off now. */
  work(): Work {
    const requests = Math.max(0, this.#given.requests() - this.#watch.runningRequests);
    return { sessions: this.#watch.atWork, requests };
  }

  /** Resolves when none is at work. */
  rested(): Promise<void> {
    return this.#watch.rested();
  }

  hear(event: AppEvent): void {
    if (!this.#watch.hear(event)) return;
    this.#notifier.hear(event);
    this.#given.badge(this.#watch.waiting);
    this.#given.changed();
  }

  close(): void {
    this.#notifier.close();
  }
}
