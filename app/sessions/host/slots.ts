import { unlessAborted } from '../../account/unless-aborted.ts';

/** So many turns run at once; more wait in line, the longest first. */
export class Slots {
  readonly #most: () => number;
  readonly #changed: () => void;
  readonly #line: { go: () => void }[] = [];
  #taken = 0;

  constructor(most: () => number, changed: () => void) {
    this.#most = most;
    this.#changed = changed;
  }

  /** Resolves with the way to give the slot back. Rejects with the signal's reason when aborted; it waits no longer. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken >= this.#most()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const place = { go: resolve };
      this.#line.push(place);
      this.#changed();
      try {
        await unlessAborted(promise, signal);
      } catch (error) {
        const at = this.#line.indexOf(place);
        // It had its turn in the moment of the abort: the next one gets it.
        if (at === -1) this.#give();
        else this.#line.splice(at, 1);
        this.#changed();
        throw error;
      }
    } else this.#taken += 1;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#give();
    };
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** The setting was changed. */
  look(): void {
    while (this.#taken < this.#most()) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#taken += 1;
      next.go();
    }
  }

  #give(): void {
    this.#taken -= 1;
    this.look();
    this.#changed();
  }
}
