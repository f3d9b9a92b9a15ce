import type { Clock } from '../../ports.ts';

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
