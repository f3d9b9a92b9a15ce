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
  #waiting: AbortController | null = null;

  constructor(dependencies: Pick<SessionDependencies, 'clock' | 'settings'>, given: Unloading) {
    this.#dependencies = dependencies;
    this.#given = given;
  }

  /** Counts from now. */
  start(): void {
    this.stop();
    const minutes = this.#dependencies.settings().unloadAfterMinutes;
    if (minutes === null) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#dependencies.clock.sleep(minutes * minuteMs, waiting.signal).then(
      () => this.#over(waiting),
      () => undefined,
    );
  }

  async #over(waiting: AbortController): Promise<void> {
    if (this.#waiting !== waiting || !this.#given.isLoaded()) return;
    await this.#given.unload();
    // It was stopped, or started anew, meanwhile.
    const isStill = this.#waiting === null || this.#waiting === waiting;
    if (isStill && this.#given.isLoaded()) this.start();
  }

  stop(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }
}

/** Says when nothing came for a while. */
export class Quiet {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #ms: number;
  readonly #isQuiet: () => void;
  #waiting = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, ms: number, isQuiet: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#isQuiet = isQuiet;
  }

  /** From now on, anew. */
  watch(): void {
    this.stop();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    this.#clock.sleep(this.#ms, signal).then(
      () => {
        if (!signal.aborted) this.#isQuiet();
      },
      () => undefined,
    );
  }

  stop(): void {
    this.#waiting.abort();
  }
}
