import type { Clock } from '../../../app/ports.ts';

/**
 * A clock that a test moves. Sleeping moves it by itself, unless `held`: then a sleeper waits for `wake`, and
 * `asleep()` tells when there is one.
 */
export class HandClock implements Clock {
  readonly slept: number[] = [];
  held = false;
  #now: number;
  #ticks = 0;
  #sleepers: { wake: () => void }[] = [];
  #watchers: (() => void)[] = [];

  constructor(now = Date.UTC(2026, 10, 20, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  ticks(): number {
    return this.#ticks;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#ticks += ms;
  }

  /** Someone sets the clock of the machine. */
  jump(ms: number): void {
    this.#now += ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!this.held) {
        this.advance(ms);
        return resolve();
      }
      const sleeper = {
        wake: () => {
          this.advance(ms);
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      for (const reported of this.#watchers.splice(0)) reported();
    });
  }

  asleep(): Promise<void> {
    return this.#sleepers.length > 0 ? Promise.resolve() : new Promise((resolve) => this.#watchers.push(resolve));
  }

  wake(): void {
    for (const sleeper of this.#sleepers.splice(0)) sleeper.wake();
  }
}
