import type { Exchange } from '../api/exchange.ts';
import type { AppState } from '../api/state.ts';
import type { Clock } from '../ports.ts';

/** How the last requests of one account ended, since Jumpseat runs. */
export class LastEnds {
  readonly #clock: Pick<Clock, 'now'>;
  #successAt: number | null = null;
  #failure: AppState['health']['lastFailure'] = null;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** ms since the epoch. */
  get successAt(): number | null {
    return this.#successAt;
  }

  get failure(): AppState['health']['lastFailure'] {
    return this.#failure;
  }

  exchangeEnded({ outcome, path, failure }: Pick<Exchange, 'outcome' | 'path' | 'failure'>): void {
    const at = this.#clock.now();
    if (outcome === 'done' && path !== null) this.#successAt = at;
    else if (failure !== null && failure.source !== 'client' && failure.source !== 'jumpseat') {
      this.#failure = { at, text: failure.message };
    }
  }

  /** Another person is signed in, or none. */
  forget(): void {
    this.#successAt = null;
    this.#failure = null;
  }
}
