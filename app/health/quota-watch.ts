import type { Account } from '../account/account.ts';
import type { Clock } from '../ports.ts';

const everyMs = 5 * 60_000;

/** Keeps the quota as new as requests need it: GitHub is asked after one of them, and not with every one. */
export class QuotaWatch {
  readonly #account: Account;
  readonly #clock: Pick<Clock, 'now'>;
  /** Counts too: an account without a quota, or a GitHub that does not answer, gives none. */
  #askedAt = 0;

  constructor(account: Account, clock: Pick<Clock, 'now'>) {
    this.#account = account;
    this.#clock = clock;
  }

  /** A request that Copilot saw has ended. */
  requestEnded(): void {
    const now = this.#clock.now();
    // The clock may have been put back.
    if (Math.abs(now - Math.max(this.#account.quota()?.asOf ?? 0, this.#askedAt)) <= everyMs) return;
    this.#askedAt = now;
    void this.#account.readUser();
  }
}
