import { unlessAborted } from '../../account/unless-aborted.ts';

/** The place of one turn among those that run. */
export interface Slot {
  /** A turn that waits for a person lets others run. It goes on at once, also where its place is taken by then. */
  rest(isResting: boolean): void;
  give(): void;
}

/** Limits how many turns run at once; others wait in line, longest first. */
export class Slots {
  readonly #most: () => number;
  readonly #changed: () => void;
  readonly #line: { go: () => void }[] = [];
  #taken = 0;

  constructor(most: () => number, changed: () => void) {
    this.#most = most;
    this.#changed = changed;
  }

  /** Rejects with the signal's reason when aborted; it waits no longer. */
  async take(signal: AbortSignal): Promise<Slot> {
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
    let state: 'runs' | 'rests' | 'given' = 'runs';
    const becomes = (next: typeof state): void => {
      if (state === 'given' || state === next) return;
      const [had, has] = [state === 'runs', next === 'runs'];
      state = next;
      if (had && !has) this.#give();
      else if (has) this.#taken += 1;
    };
    return { rest: (isResting) => becomes(isResting ? 'rests' : 'runs'), give: () => becomes('given') };
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
