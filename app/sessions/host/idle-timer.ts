import type { HostParts } from './host-parts.ts';

const minuteMs = 60_000;

/** Unloads a session that has nothing to do, after the time that the settings say. */
export class IdleTimer {
  readonly #parts: Pick<HostParts, 'clock' | 'settings'>;
  readonly #unload: () => Promise<void>;
  #waiting: AbortController | null = null;

  constructor(parts: Pick<HostParts, 'clock' | 'settings'>, unload: () => Promise<void>) {
    this.#parts = parts;
    this.#unload = unload;
  }

  /** Counts from now. */
  start(): void {
    this.stop();
    const minutes = this.#parts.settings().unloadAfterMinutes;
    if (minutes === null) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#parts.clock.sleep(minutes * minuteMs, waiting.signal).then(
      () => {
        if (this.#waiting === waiting) void this.#unload();
      },
      () => undefined,
    );
  }

  stop(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }
}
