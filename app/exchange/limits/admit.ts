import type { Listeners } from '../../api/events.ts';
import type { Exchange, Initiator } from '../../api/exchange.ts';
import type { AppState } from '../../api/state.ts';
import { t } from '../../language/translate.ts';
import type { Settings } from '../../settings/settings.ts';
import { resetOf } from '../../words/quota.ts';
import { wait as inWords } from '../../words/times.ts';
import type { ExchangeDependencies, UsedAccount } from '../dependencies.ts';
import { Stopped } from '../recover/error.ts';
import { amounts, Guards } from './limits.ts';
import { Overage } from './overage.ts';
import { Bursts } from './queue.ts';
import { heldBack, heldTooLong, type Reached } from './reached.ts';

/** A request that waits to be admitted. */
interface Waiting {
  row: Exchange;
  call: { signal: AbortSignal };
  used: { account: Pick<UsedAccount['account'], 'quota'> };
  /** Ms since it began. */
  since(): number;
}

export type OwnLimits = Pick<Guards, 'reached' | 'standing' | 'ready' | 'tried'>;

/** What may hold a request back before it is sent: the limits of the person, and their leave to be billed more. */
export class Limits {
  readonly #dependencies: ExchangeDependencies;
  readonly #guards: Guards;
  readonly #overage: Overage;
  readonly #bursts: Bursts;
  /** The settings that `#areSet` was made of. */
  #seen: Settings | null = null;
  #areSet = false;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    const { history, folders, settings, clock, log, listeners } = dependencies;
    const limits = () => settings.current().limits;
    this.#guards = new Guards({
      ...{ history, folders, clock, limits, log },
      changed: () => listeners.stateChanged(),
      timeZone: () => settings.current().timeZone,
      rules: () => settings.current().models.rules,
      resetsAt: () => resetOf(this.#quota()),
      said: {
        kept: () => settings.current().shownNotices.budgets,
        keep: (budgets) =>
          void settings
            .update(({ shownNotices }) => ({ shownNotices: { ...shownNotices, budgets } }))
            .catch(() => undefined),
      },
    });
    this.#overage = new Overage({ clock, settings: () => settings.current(), canAsk: () => listeners.isHeard });
    this.#bursts = new Bursts({ clock, limits });
    settings.onChange(() => {
      this.#overage.follow();
      // Who turns it off waits for nothing any more.
      if (!limits().askBeforeBurst) this.#bursts.off();
    });
  }

  /** Once for each request, before it is sent. Throws `Stopped` where a limit holds it back. */
  async admit(run: Waiting, initiator: Initiator): Promise<void> {
    const { row, call } = run;
    const { listeners } = this.#dependencies;
    if (this.areSet()) await this.#guards.ready(row);
    call.signal.throwIfAborted();
    if (this.areSet()) {
      const reached = this.#guards.reached(row);
      if (reached !== null) throw new Stopped(heldBack(reached));
    }
    const quota = run.used.account.quota();
    const asked = quota?.overagePermitted === true ? this.#overage.enter(initiator, quota) : null;
    if (asked?.waits === false) throw new Stopped(heldBack(asked.refusal));
    if (asked !== null) {
      const end = await held(run, listeners, heldForOverage, () => this.#overage.waiting.hold(row.id, call.signal));
      if (end !== 'let-through') throw new Stopped(heldBack(asked.refusal));
    }
    if (!this.areSet()) return;
    const burst = this.#bursts.enter(initiator);
    if (burst !== null) {
      const end = await held(run, listeners, heldForBurst, () => this.#bursts.hold(row.id, call.signal));
      if (end !== 'let-through') throw new Stopped(heldBack(heldTooLong(burst.most)));
    }
    // Only what goes is counted. Others went while it waited.
    const refused = this.#guards.enter(row);
    if (refused !== null) throw new Stopped(refused);
  }

  /** Before the row of a request that has ended is recorded. */
  charged(row: Exchange): void {
    if (this.areSet()) this.#guards.charged(row);
  }

  /** Mostly there are none, and no request has to look further. Settings are replaced, never changed. */
  areSet(): boolean {
    const settings = this.#dependencies.settings.current();
    if (settings === this.#seen) return this.#areSet;
    this.#seen = settings;
    this.#areSet = areLimitsSet(settings);
    if (!this.#areSet) this.#guards.forget();
    return this.#areSet;
  }

  /** The limits that the person has set, for those who show or try them. */
  get own(): OwnLimits {
    return this.#guards;
  }

  /** The limit that holds all requests back now, paid overage included; null if none does. */
  reached(): Reached | null {
    return this.#guards.reached() ?? this.#overage.reached(this.#quota());
  }

  /** The person's answer to the question about paid overage, for the account in use. */
  overage(): AppState['health']['overage'] {
    return this.#overage.state(this.#quota());
  }

  /** Lets a prompt through that is held, or all that a burst holds. Returns how many. */
  letThrough(id?: string): number {
    return this.#bursts.letThrough(id) + (id === undefined ? 0 : this.#overage.waiting.end('let-through', id));
  }

  /** GitHub’s quota of the account in use; null if it isn’t known. */
  #quota(): ReturnType<UsedAccount['account']['quota']> {
    return this.#dependencies.accounts.of('').account.quota();
  }
}

export function areLimitsSet({ limits, models }: Pick<Settings, 'limits' | 'models'>): boolean {
  const { requestsPerMinute, askBeforeBurst, rules } = limits;
  const isAmountSet =
    amounts.some(({ setting }) => limits[setting] !== null) || models.rules.some(({ use }) => use.limit !== undefined);
  return requestsPerMinute !== null || askBeforeBurst || rules.length > 0 || isAmountSet;
}

const heldForOverage = (wait: string): string => t('held for {wait}: paid overage', { wait });
const heldForBurst = (wait: string): string => t('held for {wait}: a burst of requests', { wait });

async function held<End>(
  run: Waiting,
  fronts: Pick<Listeners, 'exchangeChanged'>,
  said: (wait: string) => string,
  wait: () => Promise<End>,
): Promise<End> {
  const { row } = run;
  const from = run.since();
  row.held = true;
  fronts.exchangeChanged(row);
  try {
    return await wait();
  } finally {
    row.held = false;
    row.times.held = { from, until: run.since() };
    const seconds = Math.round((run.since() - from) / 1000);
    row.fits = [...row.fits, { code: 'held', count: 1, text: said(inWords(seconds)) }];
    fronts.exchangeChanged(row);
  }
}
