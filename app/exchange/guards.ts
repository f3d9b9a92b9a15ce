import type { History } from '../history/history.ts';
import { HistoryError } from '../history/history-error.ts';
import type { Clock } from '../ports.ts';
import type { Settings } from '../settings/settings.ts';
import { counted, requestCredits } from '../words/numbers.ts';
import { dayAndTime, wait } from '../words/times.ts';
import { type ClientError, refuse } from './recover.ts';

const minuteMs = 60_000;
const nanoPerCredit = 1e9;

/**
 * The limits that a person has set for their own requests, both off unless they have. A request that is held back has cost nothing and was not
 * accepted, so it counts the same when it comes again.
 */
export class Guards {
  readonly #history: History;
  readonly #clock: Clock;
  readonly #limits: () => Settings['limits'];
  /** When the requests of the last minute were let through, by `ticks`, the oldest first. */
  #started: number[] = [];
  /** What a local day has cost; null until somebody asks. */
  #spent: { since: number; nanoAiu: number } | null = null;

  constructor(parts: { history: History; clock: Clock; limits: () => Settings['limits'] }) {
    this.#history = parts.history;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
  }

  /** Null: it may go, and is counted. */
  enter(): ClientError | null {
    const { requestsPerMinute, creditsPerDay } = this.#limits();
    return (creditsPerDay === null ? null : this.#credits(creditsPerDay)) ?? this.#rate(requestsPerMinute);
  }

  /** What one has cost, when it is known. What is under way is not counted yet. */
  charged(nanoAiu: number | null): void {
    if (this.#spent === null || nanoAiu === null) return;
    if (this.#spent.since === startOfDay(this.#clock.now())) this.#spent.nanoAiu += nanoAiu;
    else this.#spent = null;
  }

  #rate(most: number | null): ClientError | null {
    if (most === null) {
      this.#started = [];
      return null;
    }
    const now = this.#clock.ticks();
    this.#started = this.#started.filter((at) => now - at < minuteMs);
    const first = this.#started[this.#started.length - most];
    if (first === undefined) {
      this.#started.push(now);
      return null;
    }
    const seconds = Math.ceil((first + minuteMs - now) / 1000);
    return held(
      `more than ${counted(most, 'request')} started within a minute. Try again in ${wait(seconds)}, or raise limits.requestsPerMinute in settings.json.`,
      seconds,
      true,
    );
  }

  #credits(most: number): ClientError | null {
    const now = this.#clock.now();
    const since = startOfDay(now);
    if (this.#spent?.since !== since) this.#spent = { since, nanoAiu: this.#kept(since) };
    const { nanoAiu } = this.#spent;
    if (nanoAiu < most * nanoPerCredit) return null;
    const until = startOfNextDay(now);
    return held(
      `${requestCredits(nanoAiu)} of the ${most} credits you allow for a day are used. They start anew on ${dayAndTime(until)}. Raise limits.creditsPerDay in settings.json to go on now.`,
      Math.ceil((until - now) / 1000),
      false,
    );
  }

  /** A history that can't be read knows of no costs: only those from now on are counted then. */
  #kept(since: number): number {
    try {
      return this.#history.totals('day', since).reduce((sum, { nanoAiu }) => sum + nanoAiu, 0);
    } catch (error) {
      if (error instanceof HistoryError) return 0;
      throw error;
    }
  }
}

function held(because: string, retryAfterSeconds: number, shouldRetry: boolean): ClientError {
  return {
    ...refuse(429, 'rate_limit_error', 'held-back', `Jumpseat: held back because ${because}`, shouldRetry),
    retryAfterSeconds,
  };
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function startOfNextDay(at: number): number {
  const day = new Date(startOfDay(at));
  return day.setDate(day.getDate() + 1);
}
