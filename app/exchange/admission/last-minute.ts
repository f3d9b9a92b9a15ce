import type { Clock } from '../../ports.ts';

const minuteMs = 60_000;

/** Which requests started within the last 60 s, whatever the wall clock does. */
export class LastMinute {
  readonly #clock: Clock;
  /** By `ticks`, the oldest first. */
  #started: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For how long, in ms, there are `most` of them or more. 0: there are fewer. */
  fullFor(most: number): number {
    const now = this.#clock.ticks();
    this.#started = this.#started.filter((at) => now - at < minuteMs);
    const first = this.#started.at(-most);
    return first === undefined ? 0 : first + minuteMs - now;
  }

  started(): void {
    this.#started.push(this.#clock.ticks());
  }

  forget(): void {
    this.#started = [];
  }
}
