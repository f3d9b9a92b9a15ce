import type { AppEvent } from '../app/api/events.ts';
import type { Session } from '../app/api/sessions.ts';
import type { Work } from '../app/words/cut-work.ts';
import { runningOf } from './session-lines.ts';
import { SessionTeller, type SessionTellerDependencies } from './session-teller.ts';
import { SessionWatch, type WatchedSession } from './session-watch.ts';

export interface SessionsOutsideDependencies extends Omit<SessionTellerDependencies, 'watch'> {
  /** Shows how many wait for a person. */
  badge: (waiting: number) => void;
  /** Requests that run now, of sessions and of other programs. */
  requests: () => number;
}

/** Sessions outside of the window: what tray, notifications, badge and the question before the end say of them. */
export class SessionsOutside {
  readonly #given: SessionsOutsideDependencies;
  readonly #watch = new SessionWatch();
  readonly #teller: SessionTeller;

  constructor(given: SessionsOutsideDependencies) {
    this.#given = given;
    this.#teller = new SessionTeller({ ...given, watch: this.#watch });
  }

  get all(): readonly WatchedSession[] {
    return this.#watch.all;
  }

  /** Those with a turn that runs. */
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
    this.#teller.hear(event);
    this.#given.badge(this.#watch.waiting);
    this.#given.changed();
  }

  close(): void {
    this.#teller.close();
  }
}
