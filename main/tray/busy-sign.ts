import type { Clock } from '../../app/ports.ts';

/** Requests shorter than this are not worth a change of the icon. */
const afterMs = 300;
const atLeastMs = 1000;

/** How many requests the icon shows as running: from the 300th ms on, and then for a second at least. */
export class BusySign {
  readonly #clock: Pick<Clock, 'ticks' | 'sleep'>;
  readonly #changed: () => void;
  #running = 0;
  #shown = 0;
  #shownSince = 0;
  #waiting: AbortController | null = null;

  constructor(clock: Pick<Clock, 'ticks' | 'sleep'>, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get shown(): number {
    return this.#shown;
  }

  /** Shows how many run now. Returns once the new count may be shown; `changed` reports later changes. */
  see(running: number): void {
    if (running === this.#running) return;
    const wasIdle = this.#running === 0;
    this.#running = running;
    if (this.#shown > 0 && running > 0) {
      this.#stopWaiting();
      this.#shown = running;
    } else if (this.#shown > 0) {
      void this.#wait(this.#shownSince + atLeastMs - this.#clock.ticks());
    } else if (running === 0) this.#stopWaiting();
    else if (wasIdle) void this.#wait(afterMs);
  }

  close(): void {
    this.#stopWaiting();
  }

  async #wait(ms: number): Promise<void> {
    this.#stopWaiting();
    if (ms <= 0) {
      this.#show();
      return;
    }
    const waiting = new AbortController();
    this.#waiting = waiting;
    try {
      await this.#clock.sleep(ms, waiting.signal);
    } catch {
      return;
    }
    this.#waiting = null;
    this.#show();
    this.#changed();
  }

  #show(): void {
    if (this.#shown === 0) this.#shownSince = this.#clock.ticks();
    this.#shown = this.#running;
  }

  #stopWaiting(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }
}
