import type { Quota } from '../../api/account.ts';
import type { Charge, Exchange, Initiator } from '../../api/exchange.ts';
import type { OwnLimit } from '../../api/state.ts';
import type { History } from '../../history/history.ts';
import { HistoryError } from '../../history/store.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { counted, creditsOf, premiumRequests } from '../../words/numbers.ts';
import { cycleAround, dayAndTime, dayAround, wait as inWords } from '../../words/times.ts';
import { type ClientError, refuseInOwnWords, Stopped } from '../recover/error.ts';
import type { Overage } from './overage.ts';
import { type Bursts, LastMinute, type Reached } from './queue.ts';

/** Limits of amounts. Each counts from the start of its period. */
const amounts = [
  { setting: 'creditsPerDay', period: 'day', unit: 'credits' },
  { setting: 'premiumRequestsPerDay', period: 'day', unit: 'premium requests' },
  { setting: 'creditsPerMonth', period: 'month', unit: 'credits' },
  { setting: 'premiumRequestsPerMonth', period: 'month', unit: 'premium requests' },
] as const;
type Period = (typeof amounts)[number]['period'];

/** Amounts used in a local day or in a month of the plan. */
interface Spent {
  from: number;
  until: number;
  nanoAiu: number;
  premiumRequests: number;
}

/** Up to which share of a month's budget it was said, in percent. */
type Said = Settings['shownNotices']['budgets'][number];

interface GuardsDependencies {
  history: History;
  clock: Clock;
  limits: () => Settings['limits'];
  /** When GitHub's cycle ends, for the account in use; null if that isn't known. */
  resetsAt(): number | null;
  /** Over restarts. */
  said: { kept(): readonly Said[]; keep(said: Said[]): void };
  log: Log;
}

/**
 * The limits that a person has set for their own requests, all off unless they have. A request that is held back has
 * cost nothing and was not accepted, so it counts the same when it comes again.
 */
export class Guards {
  readonly #dependencies: GuardsDependencies;
  /** Requests that were allowed. */
  readonly #minute: LastMinute;
  /** Amounts by period, read from the history when first needed. */
  readonly #spent = new Map<Period, Spent>();
  #said: readonly Said[];

  constructor(dependencies: GuardsDependencies) {
    this.#dependencies = dependencies;
    this.#minute = new LastMinute(dependencies.clock);
    this.#said = dependencies.said.kept();
  }

  /** Null if it may go; it is then counted. */
  enter(): ClientError | null {
    const reached = this.reached();
    if (reached !== null) return heldBack(reached);
    if (this.#dependencies.limits().requestsPerMinute === null) this.#minute.forget();
    else this.#minute.started();
    return null;
  }

  /** The limit that holds requests back now; null if none does. */
  reached(): Reached | null {
    for (const limit of this.#amounts()) {
      if (limit.stops && limit.used >= limit.most) return usedUp(limit, this.#dependencies.clock.now());
    }
    return this.#rate();
  }

  /** The limits that are set, with what is used of each. */
  standing(): OwnLimit[] {
    const { requestsPerMinute: most } = this.#dependencies.limits();
    const known = this.#amounts().map(({ setting, used, most, stops, month, said }) => {
      return { setting, used, most, stops, month, said };
    });
    if (most === null) return known;
    const rate = { setting: 'requestsPerMinute', stops: true, month: null, said: 0 } as const;
    return [...known, { ...rate, used: this.#minute.count(), most }];
  }

  /** Adds a request's charge, before its row is recorded. Running requests are not counted yet. */
  charged({ nanoAiu, premiumRequests }: Pick<Charge, 'nanoAiu' | 'premiumRequests'>): void {
    const counting = new Set(this.#amounts().map(({ spent }) => spent));
    for (const [period, spent] of this.#spent) if (!counting.has(spent)) this.#spent.delete(period);
    for (const spent of counting) {
      spent.nanoAiu += nanoAiu ?? 0;
      spent.premiumRequests += premiumRequests ?? 0;
    }
    this.#sayShares();
  }

  /** Each chosen share of a month's budget is said once in that month: in the log, and by fronts from the state. */
  #sayShares(): void {
    const { limits, said, log } = this.#dependencies;
    for (const { setting, used, most, month, said: before } of this.#amounts()) {
      if (month === null) continue;
      const share = Math.max(0, ...limits().noticesAt.filter((percent) => used >= (most * percent) / 100));
      if (share <= before) continue;
      log.write('info', 'budget.share-used', { setting, percent: share, used, most });
      const others = this.#said.filter((one) => one.setting !== setting);
      this.#said = [...others, { setting, until: month.until, share, most }];
      said.keep([...this.#said]);
    }
  }

  #rate(): Reached | null {
    const { requestsPerMinute: most } = this.#dependencies.limits();
    const fullForMs = most === null ? 0 : this.#minute.fullFor(most);
    if (most === null || fullForMs === 0) return null;
    const seconds = Math.ceil(fullForMs / 1000);
    return {
      because: `more than ${counted(most, 'request')} started within a minute.`,
      remedy:
        `Try again in ${inWords(seconds)}, or raise it in Settings → Proxy (limits.requestsPerMinute in ` +
        'settings.json).',
      ...{ seconds, shouldRetry: true },
    };
  }

  #amounts() {
    const limits = this.#dependencies.limits();
    return amounts.flatMap(({ setting, period, unit }) => {
      const most = limits[setting];
      if (most === null) return [];
      const spent = this.#spentIn(period);
      const used = unit === 'credits' ? spent.nanoAiu / 1e9 : spent.premiumRequests;
      const month = period === 'month' ? { from: spent.from, until: spent.until } : null;
      // Another budget is said anew.
      const isOf = (one: Said): boolean => one.setting === setting && one.until === month?.until && one.most === most;
      const said = this.#said.find(isOf)?.share ?? 0;
      return [
        {
          setting,
          unit,
          used,
          most,
          stops: month === null || limits.monthUsedUp === 'stop',
          month,
          said,
          spent,
        },
      ];
    });
  }

  #spentIn(period: Period): Spent {
    const { from, until } = period === 'day' ? dayAround(this.#dependencies.clock.now()) : this.#month();
    const known = this.#spent.get(period);
    if (known?.from === from && known.until === until) return known;
    const spent = this.#kept(from, until);
    this.#spent.set(period, spent);
    return spent;
  }

  /** Until GitHub names the reset after a start, that of the last notice counts. */
  #month(): { from: number; until: number } {
    const { resetsAt, clock } = this.#dependencies;
    return cycleAround(clock.now(), resetsAt() ?? this.#said.at(-1)?.until ?? null);
  }

  /** A history that can't be read knows of no costs: only those from now on are counted then. */
  #kept(from: number, until: number): Spent {
    const spent: Spent = { from, until, nanoAiu: 0, premiumRequests: 0 };
    try {
      for (const day of this.#dependencies.history.totals('day', from)) {
        spent.nanoAiu += day.nanoAiu;
        spent.premiumRequests += day.premiumRequests;
      }
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
    }
    return spent;
  }
}

function usedUp(limit: Pick<OwnLimit, 'setting' | 'used' | 'most' | 'month'> & { unit: string }, now: number): Reached {
  const { setting, unit, used, most, month } = limit;
  const until = month?.until ?? dayAround(now).until;
  const amount = unit === 'credits' ? creditsOf(used * 1e9) : premiumRequests(used);
  const period = month === null ? 'day' : 'month';
  return {
    because:
      `${amount} of the ${most} ${unit} you allow for a ${period} are used. ` +
      `They start anew on ${dayAndTime(until)}.`,
    remedy: `Raise them in Settings → Proxy (limits.${setting} in settings.json) to go on now.`,
    ...{ seconds: Math.ceil((until - now) / 1000), shouldRetry: false },
  };
}

/** A burst that was not let through. A repeat would wait as long again. */
function heldTooLong(most: number): Reached {
  return {
    because: `more than ${counted(most, 'request')} started within a minute.`,
    remedy: 'Let it through in the window.',
    ...{ seconds: null, shouldRetry: false },
  };
}

function heldBack({ because, remedy, seconds, shouldRetry }: Reached): ClientError {
  const why = `${because} ${remedy}`;
  return {
    ...refuseInOwnWords(429, 'rate_limit_error', 'held-back', `Jumpseat: held back because ${why}`, shouldRetry),
    retryAfterSeconds: seconds,
  };
}

/** A request that waits to be admitted. */
interface Waiting {
  row: Exchange;
  call: { signal: AbortSignal };
  used: { account: { quota(): Quota | null } };
  /** Ms since it began. */
  since(): number;
}

/**
 * Once for each request, before it is sent: the limits that the person has set, and their leave to be billed more.
 * Throws `Stopped` where one holds it back.
 * @param changed the row says that it is held, or that it is not any more
 */
export async function admit(
  { guards, overage, bursts }: { guards: Guards; overage: Overage; bursts: Bursts },
  run: Waiting,
  initiator: Initiator,
  changed: (row: Exchange) => void,
): Promise<void> {
  const reached = guards.reached();
  if (reached !== null) throw new Stopped(heldBack(reached));
  const { row, call } = run;
  const asked = overage.enter(initiator, run.used.account.quota());
  if (asked?.waits === false) throw new Stopped(heldBack(asked.refusal));
  if (asked !== null) {
    const end = await held(run, changed, 'paid overage', () => overage.waiting.hold(row.id, call.signal));
    if (end !== 'let-through') throw new Stopped(heldBack(asked.refusal));
  }
  const burst = bursts.enter(initiator);
  if (burst !== null) {
    const end = await held(run, changed, 'a burst of requests', () => bursts.hold(row.id, call.signal));
    if (end !== 'let-through') throw new Stopped(heldBack(heldTooLong(burst.most)));
  }
  // Only what goes is counted. Others went while it waited.
  const refused = guards.enter();
  if (refused !== null) throw new Stopped(refused);
}

async function held<End>(
  run: Waiting,
  changed: (row: Exchange) => void,
  why: string,
  wait: () => Promise<End>,
): Promise<End> {
  const { row } = run;
  const from = run.since();
  row.held = true;
  changed(row);
  try {
    return await wait();
  } finally {
    row.held = false;
    row.times.held = { from, until: run.since() };
    const seconds = Math.round((run.since() - from) / 1000);
    row.fits = [...row.fits, { code: 'held', count: 1, text: `held for ${inWords(seconds)}: ${why}` }];
    changed(row);
  }
}
