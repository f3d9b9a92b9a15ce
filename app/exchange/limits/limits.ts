import type { Charge, Exchange, Initiator } from '../../api/exchange.ts';
import type { OwnLimit } from '../../api/state.ts';
import type { History } from '../../history/history.ts';
import { HistoryError } from '../../history/store.ts';
import type { Clock } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { counted, premiumRequests, requestCredits } from '../../words/numbers.ts';
import { dayAndTime, wait } from '../../words/times.ts';
import { type ClientError, refuseInOwnWords, Stopped } from '../recover/error.ts';
import { type Bursts, LastMinute } from './queue.ts';

const nanoPerCredit = 1e9;

/** What a local day has cost. */
interface Spent {
  since: number;
  nanoAiu: number;
  premiumRequests: number;
}

/** A limit of the person's that is reached. `because` is a sentence without its capital. */
export interface Reached {
  because: string;
  remedy: string;
  /** After which a request may go; null if unknown. */
  seconds: number | null;
  shouldRetry: boolean;
}

/**
 * The limits that a person has set for their own requests, all off unless they have. A request that is held back has
 * cost nothing and was not accepted, so it counts the same when it comes again.
 */
export class Guards {
  readonly #history: History;
  readonly #clock: Clock;
  readonly #limits: () => Settings['limits'];
  /** Requests that were allowed. */
  readonly #minute: LastMinute;
  /** Null until it is read for the first time. */
  #spent: Spent | null = null;

  constructor(parts: { history: History; clock: Clock; limits: () => Settings['limits'] }) {
    this.#history = parts.history;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#minute = new LastMinute(parts.clock);
  }

  /** Null if it may go; it is then counted. */
  enter(): ClientError | null {
    const reached = this.reached();
    if (reached !== null) return heldBack(reached);
    if (this.#limits().requestsPerMinute === null) this.#minute.forget();
    else this.#minute.started();
    return null;
  }

  /** The limit that holds requests back now; null if none does. */
  reached(): Reached | null {
    return this.#day() ?? this.#rate();
  }

  /** The limits that are set, with what is used of each. */
  standing(): OwnLimit[] {
    const { creditsPerDay, premiumRequestsPerDay, requestsPerMinute } = this.#limits();
    const spent = this.#today();
    const used = {
      creditsPerDay: spent.nanoAiu / nanoPerCredit,
      premiumRequestsPerDay: spent.premiumRequests,
      requestsPerMinute: this.#minute.count(),
    };
    const most = { creditsPerDay, premiumRequestsPerDay, requestsPerMinute };
    return (['creditsPerDay', 'premiumRequestsPerDay', 'requestsPerMinute'] as const).flatMap((setting) =>
      most[setting] === null ? [] : [{ setting, used: used[setting], most: most[setting] }],
    );
  }

  /** What one has cost, as far as that is known. What is under way is not counted yet. */
  charged({ nanoAiu, premiumRequests }: Pick<Charge, 'nanoAiu' | 'premiumRequests'>): void {
    if (this.#spent === null) return;
    if (this.#spent.since === startOfDay(this.#clock.now())) {
      this.#spent.nanoAiu += nanoAiu ?? 0;
      this.#spent.premiumRequests += premiumRequests ?? 0;
    } else this.#spent = null;
  }

  #rate(): Reached | null {
    const { requestsPerMinute: most } = this.#limits();
    const fullForMs = most === null ? 0 : this.#minute.fullFor(most);
    if (most === null || fullForMs === 0) return null;
    const seconds = Math.ceil(fullForMs / 1000);
    return {
      because: `more than ${counted(most, 'request')} started within a minute.`,
      remedy:
        `Try again in ${wait(seconds)}, or raise it in Settings → Proxy (limits.requestsPerMinute in ` +
        'settings.json).',
      ...{ seconds, shouldRetry: true },
    };
  }

  #day(): Reached | null {
    const { creditsPerDay, premiumRequestsPerDay } = this.#limits();
    if (creditsPerDay === null && premiumRequestsPerDay === null) return null;
    const now = this.#clock.now();
    const spent = this.#today();
    if (creditsPerDay !== null && spent.nanoAiu >= creditsPerDay * nanoPerCredit)
      return overForToday(now, requestCredits(spent.nanoAiu), `${creditsPerDay} credits`, 'creditsPerDay');
    if (premiumRequestsPerDay !== null && spent.premiumRequests >= premiumRequestsPerDay) {
      const allowed = `${premiumRequestsPerDay} premium requests`;
      return overForToday(now, premiumRequests(spent.premiumRequests), allowed, 'premiumRequestsPerDay');
    }
    return null;
  }

  #today(): Spent {
    const since = startOfDay(this.#clock.now());
    if (this.#spent?.since !== since) this.#spent = this.#kept(since);
    return this.#spent;
  }

  /** A history that can't be read knows of no costs: only those from now on are counted then. */
  #kept(since: number): Spent {
    const spent: Spent = { since, nanoAiu: 0, premiumRequests: 0 };
    try {
      for (const day of this.#history.totals('day', since)) {
        spent.nanoAiu += day.nanoAiu;
        spent.premiumRequests += day.premiumRequests;
      }
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
    }
    return spent;
  }
}

function overForToday(now: number, used: string, allowed: string, setting: string): Reached {
  const until = startOfNextDay(now);
  return {
    because: `${used} of the ${allowed} you allow for a day are used. They start anew on ${dayAndTime(until)}.`,
    remedy: `Raise them in Settings → Proxy (limits.${setting} in settings.json) to go on now.`,
    ...{ seconds: Math.ceil((until - now) / 1000), shouldRetry: false },
  };
}

/** A burst that was not let through. A repeat would wait as long again. */
function heldTooLong(most: number): ClientError {
  return heldBack({
    because: `more than ${counted(most, 'request')} started within a minute.`,
    remedy: 'Let it through in the window.',
    ...{ seconds: null, shouldRetry: false },
  });
}

function heldBack({ because, remedy, seconds, shouldRetry }: Reached): ClientError {
  const why = `${because} ${remedy}`;
  return {
    ...refuseInOwnWords(429, 'rate_limit_error', 'held-back', `Jumpseat: held back because ${why}`, shouldRetry),
    retryAfterSeconds: seconds,
  };
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function startOfNextDay(at: number): number {
  const day = new Date(startOfDay(at));
  return day.setDate(day.getDate() + 1);
}

/** A request that waits to be admitted. */
interface Waiting {
  row: Exchange;
  call: { signal: AbortSignal };
  /** Ms since it began. */
  since(): number;
}

/**
 * Once for each request, before it is sent: the limits that the person has set. Throws `Stopped` where one holds it
 * back.
 * @param changed the row says that it is held, or that it is not any more
 */
export async function admit(
  { guards, bursts }: { guards: Guards; bursts: Bursts },
  run: Waiting,
  initiator: Initiator,
  changed: (row: Exchange) => void,
): Promise<void> {
  const refused = guards.enter();
  if (refused !== null) throw new Stopped(refused);
  const burst = bursts.enter(initiator);
  if (burst === null) return;
  const { row } = run;
  const from = run.since();
  row.held = true;
  changed(row);
  try {
    if ((await bursts.hold(row.id, run.call.signal)) === 'too-long') throw new Stopped(heldTooLong(burst.most));
  } finally {
    row.held = false;
    row.times.held = { from, until: run.since() };
    const seconds = Math.round((run.since() - from) / 1000);
    row.fits = [...row.fits, { code: 'held', count: 1, text: `held for ${wait(seconds)}: a burst of requests` }];
    changed(row);
  }
}
