import { useEffect, useState, useSyncExternalStore } from 'react';

/** One timer for all listeners of one interval; it stops without listeners and while the page is hidden. */
class Ticker {
  readonly #everyMs: number;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #now = Date.now();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  readonly now = (): number => this.#now;

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#timer === null) {
      this.#now = Date.now();
      this.#timer = setInterval(() => this.#tick(), this.#everyMs);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  };

  #tick(): void {
    if (document.hidden) return;
    this.#now = Date.now();
    for (const listener of this.#listeners) listener();
  }
}

const second = new Ticker(1000);
const tenth = new Ticker(100);
const minute = new Ticker(60_000);
const never: Ticker['listen'] = () => () => {};

/** The time, drawn again every second while `running`. */
export function useSecond(running = true): number {
  return useSyncExternalStore(running ? second.listen : never, second.now);
}

/** The time, drawn again every minute. */
export function useMinute(): number {
  return useSyncExternalStore(minute.listen, minute.now);
}

/** The time ten times a second while `running`; otherwise it doesn't change and costs nothing. */
export function useTenth(running: boolean): number {
  return useSyncExternalStore(running ? tenth.listen : never, tenth.now);
}

/** Whether something has been waited for longer than an answer takes. */
export function useStalled(waiting: boolean, afterMs = 15_000): boolean {
  const [stalled, setStalled] = useState(false);
  useEffect(() => {
    setStalled(false);
    if (!waiting) return;
    const timer = setTimeout(() => setStalled(true), afterMs);
    return () => clearTimeout(timer);
  }, [waiting, afterMs]);
  return stalled;
}
