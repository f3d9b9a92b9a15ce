import type { Clock } from '../ports.ts';
import { AccountError } from './account-error.ts';

/** After the first failure in a row; twice as long after each further one. */
const shortestMs = 1_000;
const longestMs = 30_000;

/**
 * The pause after a question that failed and costs a new process each time: until it is over, the failure stands for
 * every request.
 */
export class AskPause {
  readonly #clock: Clock;
  #failure: AccountError | null = null;
  #inARow = 0;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The failure that still stands, with what is left to wait; null: it may be asked. */
  standing(): AccountError | null {
    const leftMs = this.#until - this.#clock.ticks();
    if (this.#failure === null || leftMs <= 0) return null;
    const { kind, message, mend, status, code } = this.#failure;
    return new AccountError(kind, message, mend, { status, code, retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  failed(failure: AccountError): void {
    const pauseMs = Math.min(shortestMs * 2 ** this.#inARow, longestMs);
    this.#failure = failure;
    this.#inARow += 1;
    this.#until = this.#clock.ticks() + pauseMs;
  }

  succeeded(): void {
    this.#failure = null;
    this.#inARow = 0;
  }
}
