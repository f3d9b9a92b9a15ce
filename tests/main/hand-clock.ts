/** A clock that is moved by hand. Sleepers wake in the order of their times. */
export class HandClock {
  #now = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  ticks(): number {
    return this.#now;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });
  }
  async to(ms: number): Promise<void> {
    for (;;) {
      const next = this.#sleepers.sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > ms) break;
      this.#now = next.at;
      this.#sleepers.shift();
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#now = ms;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
