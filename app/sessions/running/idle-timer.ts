import type { Clock } from '../../ports.ts';
import type { SessionDependencies } from './dependencies.ts';

const minuteMs = 60_000;

interface Unloading {
  /** May refuse: a question is open, say. */
  unload(): Promise<void>;
  isLoaded(): boolean;
}

/** Unloads a session that has nothing to do, after the time that the settings say; where it refused, after as long. */
export class IdleTimer {
  readonly #dependencies: Pick<SessionDependencies, 'clock' | 'settings'>;
  readonly #given: Unloading;
  #waiting: Countdown | null = null;

  constructor(dependencies: Pick<SessionDependencies, 'clock' | 'settings'>, given: Unloading) {
    this.#dependencies = dependencies;
    this.#given = given;
  }

  /** Counts from now. */
  start(): void {
    this.stop();
    const minutes = this.#dependencies.settings().unloadAfterMinutes;
    if (minutes === null) return;
    const waiting = new Countdown(this.#dependencies.clock, minutes * minuteMs, () => void this.#over(waiting));
    this.#waiting = waiting;
  }

  async #over(waiting: Countdown): Promise<void> {
    if (this.#waiting !== waiting || !this.#given.isLoaded()) return;
    await this.#given.unload();
    // It was stopped, or started anew, meanwhile.
    const isStill = this.#waiting === null || this.#waiting === waiting;
    if (isStill && this.#given.isLoaded()) this.start();
  }

  stop(): void {
    this.#waiting?.stop();
    this.#waiting = null;
  }
}

/** Says once when a time is over, unless it was stopped before. */
export class Countdown {
  readonly #stopped = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, ms: number, isOver: () => void) {
    const { signal } = this.#stopped;
    clock.sleep(ms, signal).then(
      () => {
        if (!signal.aborted) isOver();
      },
      () => undefined,
    );
  }

  stop(): void {
    this.#stopped.abort();
  }
}
