import type { AppEvent } from '../../app/api/events.ts';
import type { TerminalSession } from '../../app/api/session-list.ts';
import type { Session } from '../../app/api/sessions.ts';
import type { Shell } from '../../app/api/setup.ts';
import type { Work } from '../../app/words/quit.ts';
import { idInTerminal, resumeLine } from '../../app/words/sessions.ts';
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
  #terminals: readonly TerminalSession[] = [];

  constructor(given: SessionsOutsideDependencies) {
    this.#given = given;
    this.#notifier = new SessionNotifier({ ...given, watch: this.#watch });
  }

  get all(): readonly WatchedSession[] {
    return this.#watch.all;
  }

  /** Those of terminals that a person may have to look after. */
  get terminals(): readonly TerminalSession[] {
    return this.#terminals;
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
    this.#show();
  }

  hearTerminals(terminals: readonly TerminalSession[]): void {
    this.#terminals = terminals;
    this.#show();
  }

  /** What goes on with it in a terminal; null if it is known no longer. */
  resumeLine(id: string, shell: Shell): string | null {
    const there = this.#terminals.find((one) => one.id === id);
    if (there !== undefined) return resumeLine(there.agentId, there.cwd, shell);
    const here = this.#watch.find(id)?.session;
    const known = here === undefined ? null : idInTerminal(here);
    return here === undefined || known === null ? null : resumeLine(known, here.cwd, shell);
  }

  #show(): void {
    this.#given.badge(this.#watch.waiting + this.#terminals.filter(({ is }) => is === 'waits').length);
    this.#given.changed();
  }

  close(): void {
    this.#notifier.close();
  }
}
