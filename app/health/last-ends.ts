import type { Account } from '../account/account.ts';
import type { Exchange } from '../api/exchange.ts';
import type { AppState, Failing } from '../api/state.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';

/** A hiccup is no news: clients repeat it. */
const fewFailures = 3;

/** How the last requests of one account ended, since Jumpseat runs. With the last of them its quota is read anew. */
export class LastEnds {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #quota: QuotaWatch;
  #successAt: number | null = null;
  /** Failures in a row. `status`: of the newest; null without an answer. */
  #failed: { count: number; status: number | null; isSame: boolean } | null = null;
  #failure: AppState['health']['lastFailure'] = null;

  constructor(account: Watched, clock: Clock) {
    this.#clock = clock;
    this.#quota = new QuotaWatch(account, clock);
  }

  /** ms since the epoch. */
  get successAt(): number | null {
    return this.#successAt;
  }

  get failure(): AppState['health']['lastFailure'] {
    return this.#failure;
  }

  /** Null if fewer failed in a row than a client repeats without a word. */
  failing(until: number | null): Failing | null {
    if (this.#failed === null) return null;
    const { count, status, isSame } = this.#failed;
    if (until === null && count < fewFailures) return null;
    const said = status === null ? t('no answer from Copilot') : t('{status} from Copilot', { status });
    return { count, why: isSame ? said : t('the last: {said}', { said }), until };
  }

  /** A request of this account has ended. */
  readonly exchangeEnded = ({ outcome, path, failure }: Pick<Exchange, 'outcome' | 'path' | 'failure'>): void => {
    const at = this.#clock.now();
    if (outcome === 'done' && path !== null) {
      this.#successAt = at;
      this.#failed = null;
    } else if (failure !== null && failure.source !== 'client' && failure.source !== 'jumpseat') {
      this.#failure = { at, text: failure.message };
      // Other statuses are about that one request, or have a state of their own.
      const { status } = failure;
      if (status === null || status === 429 || status >= 500) this.#failedWith(status);
    }
    // Copilot saw it.
    if (path !== null) this.#quota.requestEnded();
  };

  #failedWith(status: number | null): void {
    const before = this.#failed;
    const isSame = before === null || (before.isSame && before.status === status);
    this.#failed = { count: (before?.count ?? 0) + 1, status, isSame };
  }

  /** Called when another person is signed in, or none. */
  forget(): void {
    this.#successAt = null;
    this.#failure = null;
    this.#failed = null;
  }

  close(): void {
    this.#quota.close();
  }
}

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
