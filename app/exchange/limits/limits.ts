import type { Exchange } from '../../api/exchange.ts';
import type { CountedScope, ModelRule } from '../../api/rules.ts';
import type { OwnLimit } from '../../api/state.ts';
import type { History } from '../../history/history.ts';
import { HistoryError } from '../../history/history-error.ts';
import { t } from '../../language/translate.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { keyOfRule, limitOfRule, limitOfUse, scopeInWords } from '../../words/own-limits.ts';
import { cycleAround, dayAround, wait as inWords } from '../../words/times.ts';
import type { ClientError } from '../recover/error.ts';
import { LastMinute } from './queue.ts';
import { heldBack, type Reached, usedUp } from './reached.ts';
import { type SessionFolders, scopeHolds } from './scope.ts';

/** Limits of amounts. Each counts from the start of its period. */
export const amounts = [
  { setting: 'creditsPerDay', period: 'day', unit: 'credits' },
  { setting: 'premiumRequestsPerDay', period: 'day', unit: 'premium requests' },
  { setting: 'creditsPerMonth', period: 'month', unit: 'credits' },
  { setting: 'premiumRequestsPerMonth', period: 'month', unit: 'premium requests' },
] as const;
type Period = (typeof amounts)[number]['period'];

/** Amounts that the requests of a scope used in a day or in a month of the plan. */
interface Spent {
  scope: CountedScope | null;
  from: number;
  until: number;
  nanoAiu: number;
  premiumRequests: number;
}

/** Up to which share of a monthly limit it was said, in percent. */
type Said = Settings['shownNotices']['budgets'][number];
/** Many more than limits that are set at once. */
const mostSaid = 200;

/** What says which limits a request counts for. */
export type Who = Pick<Exchange, 'client' | 'key' | 'account' | 'rule' | 'servedModel' | 'session'>;

interface GuardsDependencies {
  history: History;
  folders: SessionFolders;
  /** What is used can be said now. */
  changed(): void;
  clock: Clock;
  limits: () => Settings['limits'];
  /** Zone whose days are counted. */
  timeZone: () => Settings['timeZone'];
  /** The person's rules, which may set limits, too. */
  rules: () => readonly ModelRule[];
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
  /** Amounts by period and scope, read from the history when first needed. */
  readonly #spent = new Map<string, Spent>();
  /** Null before a limit needs the folders of sessions. */
  #folders: Promise<void> | null = null;
  #areFoldersKnown = false;
  #said: readonly Said[];

  constructor(dependencies: GuardsDependencies) {
    this.#dependencies = dependencies;
    this.#minute = new LastMinute(dependencies.clock);
    this.#said = dependencies.said.kept();
  }

  /** No limit is set any more: what is used is read anew for the next one. */
  forget(): void {
    this.#spent.clear();
    this.#minute.forget();
  }

  /** Before one is admitted: a limit for a folder needs to know in which one its session works. Never rejects. */
  async ready(who: Who | null = null): Promise<void> {
    if (!this.#dependencies.limits().rules.some(({ folder }) => folder !== undefined)) return;
    await this.#learnFolders();
    if (who !== null) await this.#dependencies.folders.learn(who);
  }

  /** Null if it may go; it is then counted. */
  enter(who: Who | null = null): ClientError | null {
    const reached = this.reached(who);
    if (reached !== null) return heldBack(reached);
    if (this.#dependencies.limits().requestsPerMinute === null) this.#minute.forget();
    else this.#minute.started();
    return null;
  }

  /** The limit that holds requests back now; null if none does. Without a request: one that holds all of them back. */
  reached(who: Who | null = null): Reached | null {
    for (const limit of this.#amounts()) {
      if (!limit.stops || limit.used < limit.most) continue;
      if (this.#counts(who, limit.scope)) return usedUp(limit, this.#dependencies.clock.now());
    }
    return this.#rate();
  }

  /**
   * For a request that is only thought of: the limits that it would count for, and the one of a day or month that would
   * hold it back. Nothing is counted.
   * @param isIn whether its folder is this one, or in it
   */
  async tried(who: Who, isIn: SessionFolders['isIn']): Promise<{ limits: OwnLimit[]; reached: Reached | null }> {
    await this.ready();
    const counting = this.#amounts().filter(({ scope }) => this.#counts(who, scope, { isIn }));
    const full = counting.find(({ stops, used, most }) => stops && used >= most);
    const reached = full === undefined ? null : usedUp(full, this.#dependencies.clock.now());
    return { limits: counting.map(asOwnLimit), reached };
  }

  /** The limits that are set, with what is used of each. */
  standing(): OwnLimit[] {
    const { requestsPerMinute: most } = this.#dependencies.limits();
    const known = this.#amounts().map(asOwnLimit);
    if (most === null) return known;
    const rate = { setting: 'requestsPerMinute', scope: null, stops: true, month: null, said: 0 } as const;
    return [...known, { ...rate, used: this.#minute.count(), most }];
  }

  /**
   * Adds a request's charge, before its row is recorded. Running requests are not counted yet. One that began before
   * midnight is yesterday's, as in the history.
   */
  charged({ startedAt, charge, ...who }: Who & Pick<Exchange, 'charge' | 'startedAt'>): void {
    const { nanoAiu, premiumRequests } = charge;
    const counting = new Set(this.#amounts().map(({ spent }) => spent));
    for (const [key, spent] of this.#spent) if (!counting.has(spent)) this.#spent.delete(key);
    for (const spent of counting) {
      if (startedAt < spent.from || !this.#counts(who, spent.scope)) continue;
      spent.nanoAiu += nanoAiu ?? 0;
      spent.premiumRequests += premiumRequests ?? 0;
    }
    this.#sayShares();
  }

  #counts(
    who: Who | null,
    scope: CountedScope | null,
    folders: Pick<SessionFolders, 'isIn'> = this.#dependencies.folders,
  ): boolean {
    if (scope === null || who === null) return scope === null;
    const { account, rule, ...others } = scope;
    // Its row says which rule it followed: that was decided once, with all that is known of a request.
    if (rule !== undefined) return who.rule !== undefined && keyOfRule(who.rule) === keyOfRule(rule);
    if (account !== undefined && account !== who.account) return false;
    return scopeHolds(others, { ...who, model: who.servedModel }, folders);
  }

  #learnFolders(): Promise<void> {
    this.#folders ??= this.#dependencies.folders.learnAll().then(() => {
      this.#areFoldersKnown = true;
      this.#dependencies.changed();
    });
    return this.#folders;
  }

  /** Each chosen share is said once in its period: in the log, and by fronts from the state. */
  #sayShares(): void {
    const { limits, said, log } = this.#dependencies;
    for (const { key, setting, scope, used, most, month, until, said: before } of this.#amounts()) {
      // A limit of a day for all requests stops them, and says so then.
      if (month === null && scope === null) continue;
      const share = Math.max(0, ...limits().noticesAt.filter((percent) => used >= (most * percent) / 100));
      if (share <= before) continue;
      log.write('info', 'budget.share-used', {
        setting,
        ...(scope && { scope: scopeInWords(scope) }),
        percent: share,
        used,
        most,
      });
      const others = this.#said.filter((one) => one.setting !== key);
      this.#said = [...others, { setting: key, until, share, most }].slice(-mostSaid);
      said.keep([...this.#said]);
    }
  }

  #rate(): Reached | null {
    const { requestsPerMinute: most } = this.#dependencies.limits();
    const fullForMs = most === null ? 0 : this.#minute.fullFor(most);
    if (most === null || fullForMs === 0) return null;
    const seconds = Math.ceil(fullForMs / 1000);
    return {
      because: t('more than {most, plural, one {# request} other {# requests}} started within a minute.', { most }),
      remedy: t('Try again in {wait}, or raise it in Settings → Limits (limits.requestsPerMinute in settings.json).', {
        wait: inWords(seconds),
      }),
      ...{ seconds, shouldRetry: true },
    };
  }

  #amounts() {
    const limits = this.#dependencies.limits();
    const { history } = this.#dependencies;
    const read = new Map<number, ReturnType<History['spent']>>();
    const rowsSince = (from: number) => {
      const rows = read.get(from) ?? history.spent(from);
      read.set(from, rows);
      return rows;
    };
    const whole = amounts.flatMap(({ setting, period, unit }) => {
      const most = limits[setting];
      if (most === null) return [];
      return [{ setting, period, unit, scope: null, most, stops: period === 'day' || limits.monthUsedUp === 'stop' }];
    });
    return [...whole, ...this.#parts(), ...this.#ofRules()].map(({ setting, period, unit, scope, most, stops }) => {
      const spent = this.#spentIn(period, scope, rowsSince);
      const used = unit === 'credits' ? spent.nanoAiu / 1e9 : spent.premiumRequests;
      const { from, until } = spent;
      const month = period === 'month' ? { from, until } : null;
      const key = scope === null ? setting : `${setting} ${keyOf(scope)} ${most}`;
      // Another limit is said anew.
      const isOf = (one: Said): boolean => one.setting === key && one.until === until && one.most === most;
      const said = this.#said.find(isOf)?.share ?? 0;
      return { key, setting, unit, scope, used, most, stops, month, until, said, spent };
    });
  }

  /** Those for a part of the requests. What is used in a folder is known once the sessions were read. */
  #parts() {
    const { rules } = this.#dependencies.limits();
    return rules.flatMap((rule) => {
      const { setting, scope, most } = limitOfRule(rule);
      if (scope.folder !== undefined && !this.#areFoldersKnown) {
        void this.#learnFolders();
        return [];
      }
      return asAmounts(setting, { scope, most, stops: rule.action === 'stop' });
    });
  }

  /** Those that a person's rules set. Of rules for the same requests only the first is ever followed. */
  #ofRules() {
    const rules = this.#dependencies.rules();
    return rules.flatMap(({ when, use: { limit } }, at) => {
      if (limit === undefined || rules.findIndex((one) => keyOfRule(one.when) === keyOfRule(when)) < at) return [];
      const { setting, scope, most } = limitOfUse(when, limit);
      return asAmounts(setting, { scope, most, stops: limit.action === 'stop' });
    });
  }

  #spentIn(period: Period, scope: CountedScope | null, rowsSince: History['spent']): Spent {
    const { clock, timeZone } = this.#dependencies;
    const { from, until } = period === 'day' ? dayAround(clock.now(), timeZone()) : this.#month();
    const key = `${period} ${scope === null ? '' : keyOf(scope)}`;
    const known = this.#spent.get(key);
    if (known?.from === from && known.until === until) return known;
    const spent = { scope, from, until, ...this.#kept(from, scope, rowsSince) };
    this.#spent.set(key, spent);
    return spent;
  }

  /** Until GitHub names the reset after a start, that of the last notice counts. */
  #month(): { from: number; until: number } {
    const { resetsAt, clock } = this.#dependencies;
    const last = this.#said.findLast(({ setting }) => setting.includes('PerMonth'));
    return cycleAround(clock.now(), resetsAt() ?? last?.until ?? null);
  }

  /** A history that can't be read knows of no costs: only those from now on are counted then. */
  #kept(from: number, scope: CountedScope | null, rowsSince: History['spent']) {
    const sum = { nanoAiu: 0, premiumRequests: 0 };
    const add = (row: typeof sum): void => {
      sum.nanoAiu += row.nanoAiu;
      sum.premiumRequests += row.premiumRequests;
    };
    try {
      if (scope === null) this.#dependencies.history.totals('day', from).forEach(add);
      else
        rowsSince(from)
          .filter((row) => this.#counts(row, scope))
          .forEach(add);
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
    }
    return sum;
  }
}

function asAmounts<Limit extends { scope: CountedScope; most: number; stops: boolean }>(setting: string, limit: Limit) {
  return amounts.flatMap((amount) => (amount.setting === setting ? [{ ...amount, ...limit }] : []));
}

function keyOf({ rule, ...others }: CountedScope): string {
  return rule === undefined ? JSON.stringify(others) : `rule ${keyOfRule(rule)}`;
}

function asOwnLimit({ setting, scope, used, most, stops, month, said }: OwnLimit): OwnLimit {
  return { setting, scope, used, most, stops, month, said };
}
