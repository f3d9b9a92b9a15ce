import type { Account } from '../account/account.ts';
import type { Clock } from '../ports.ts';

/** GitHub has counted a request so long after its end. */
const settledMs = 3_000;
/** While one request follows another without a pause. */
const atLatestMs = 60_000;
/** Between two readings. GitHub's runtime is a process that is started for each. */
const betweenMs = { usual: 15_000, runtime: 5 * 60_000 };

type Watched = Pick<Account, 'admission' | 'readUser'>;

/** GitHub is asked once after the last request of a burst, since Copilot's answers tell a rounded share alone. */
export class QuotaWatch {
  readonly #account: Watched;
  readonly #clock: Pick<Clock, 'ticks' | 'sleep'>;
  readonly #closing = new AbortController();
  /** Time of the last reading; it is read when an account is added. */
  #askedAt: number;
  #endedAt = Number.NEGATIVE_INFINITY;
  #isWaiting = false;

  constructor(account: Watched, clock: Pick<Clock, 'ticks' | 'sleep'>) {
    this.#account = account;
    this.#clock = clock;
    this.#askedAt = clock.ticks();
  }

  /** A request that Copilot saw has ended. */
  requestEnded(): void {
    this.#endedAt = this.#clock.ticks();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#read()
      // Closed: nobody waits for it.
      .catch(() => undefined)
      .finally(() => {
        this.#isWaiting = false;
      });
  }

  close(): void {
    this.#closing.abort();
  }

  async #read(): Promise<void> {
    do {
      const latest = this.#clock.ticks() + atLatestMs;
      for (let wait = this.#dueIn(latest); wait > 0; wait = this.#dueIn(latest)) {
        await this.#clock.sleep(wait, this.#closing.signal);
      }
      this.#askedAt = this.#clock.ticks();
      await this.#account.readUser();
    } while (this.#endedAt > this.#askedAt - settledMs);
  }

  #dueIn(latest: number): number {
    const between = this.#account.admission().way === 'copilot-sdk' ? betweenMs.runtime : betweenMs.usual;
    return Math.max(Math.min(this.#endedAt + settledMs, latest), this.#askedAt + between) - this.#clock.ticks();
  }
}
