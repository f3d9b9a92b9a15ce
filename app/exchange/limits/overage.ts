import type { Quota } from '../../api/account.ts';
import type { Initiator } from '../../api/exchange.ts';
import type { AppState } from '../../api/state.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { isPastIncluded, resetOf } from '../../words/quota.ts';
import { unitOf } from '../../words/status.ts';
import { WaitingRequests } from './queue.ts';
import type { Reached } from './reached.ts';

interface OverageDependencies {
  clock: Clock;
  settings: () => Pick<Settings, 'limits' | 'overageDecided'>;
  /** Somebody could be asked: the tray app runs, or a dashboard is open. */
  canAsk(): boolean;
}

/**
 * Asks before GitHub bills more than what is included, until it is answered for the day. The answer is in the settings,
 * so that a command can give it, too; what waits is in this process alone.
 */
export class Overage {
  readonly waiting: WaitingRequests;
  readonly #dependencies: OverageDependencies;

  constructor(dependencies: OverageDependencies) {
    this.#dependencies = dependencies;
    this.waiting = new WaitingRequests(dependencies.clock);
  }

  /** The answer, if this quota is used up and GitHub would bill more. Null otherwise, or if the question is off. */
  state(quota: Quota | null): AppState['health']['overage'] {
    if (!isPastIncluded(quota)) return null;
    // An old answer: the next cycle has begun.
    if ((resetOf(quota) ?? Number.POSITIVE_INFINITY) <= this.#dependencies.clock.now()) return null;
    return this.#answer();
  }

  /** Null if it goes; else whether it waits for the answer, and how it is refused. */
  enter(initiator: Initiator, quota: Quota | null): { waits: boolean; refusal: Reached } | null {
    const state = this.state(quota);
    if (state === null || state === 'allowed') return null;
    // What an agent makes of a prompt that is under way would only break off.
    if (initiator === 'agent' && this.#dependencies.settings().limits.askBeforeOverage !== 'all') return null;
    return { waits: state === 'asks' && this.#dependencies.canAsk(), refusal: refusal(quota, state) };
  }

  /** Why a person's next prompt is refused because nobody can be asked; null if it isn't. */
  reached(quota: Quota | null): Reached | null {
    const asked = this.enter('user', quota);
    return asked === null || asked.waits ? null : asked.refusal;
  }

  /** The settings were changed. */
  follow(): void {
    const answer = this.#answer();
    if (answer !== 'asks') this.waiting.end(answer === 'refused' ? 'refused' : 'let-through');
  }

  #answer(): AppState['health']['overage'] {
    const { clock, settings } = this.#dependencies;
    const { limits, overageDecided: decided } = settings();
    if (limits.askBeforeOverage === 'never') return null;
    if (decided === null || clock.now() >= decided.until) return 'asks';
    return decided.allowed ? 'allowed' : 'refused';
  }
}

function refusal(quota: Quota | null, state: 'asks' | 'refused'): Reached {
  return {
    because:
      state === 'refused'
        ? t(
            'your included {unit} are used up; this would be billed to your GitHub budget, which you don’t allow until midnight.',
            { unit: unitOf(quota) },
          )
        : t('your included {unit} are used up, and this would be billed to your GitHub budget.', {
            unit: unitOf(quota),
          }),
    remedy: t(
      'To allow that for today, run "jumpseat budget --allow-overage" or choose it in the window. Settings → Limits (limits.askBeforeOverage in settings.json) turns the question off.',
    ),
    ...{ seconds: null, shouldRetry: false },
  };
}
