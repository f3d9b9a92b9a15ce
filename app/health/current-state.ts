import type { Account } from '../account/account.ts';
import type { AccountError } from '../account/account-error.ts';
import type { OwnAccount, ReachState, RuntimeState } from '../api/account.ts';
import type { QuitWait } from '../api/app.ts';
import type { Problem } from '../api/call.ts';
import type { GoneModel } from '../api/models.ts';
import type { RecordingState } from '../api/recording.ts';
import type { AppState, ProxyState } from '../api/state.ts';
import type { Catalog } from '../copilot/catalog.ts';
import { isAutoOnly } from '../copilot/model-entry.ts';
import type { Exchanger } from '../exchange/exchange.ts';
import type { Clock } from '../ports.ts';
import type { RunningCalls } from '../server/take-call.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { LastEnds } from './last-ends.ts';
import { currentProblem, knownProblem, ownLimitProblem, type StatusFacts, statusOf } from './status.ts';
import type { UpstreamWatch } from './upstream-watch.ts';

interface CurrentStateDependencies {
  version: string;
  isDemo: boolean;
  clock: Pick<Clock, 'now'>;
  settings: SettingsStore;
  through: Through;
  /** The account in use, with its models and what Copilot last said to it. */
  used(): {
    account: Account;
    catalog: Catalog;
    upstream: UpstreamWatch;
    lastEnds: LastEnds;
    unknown(): AccountError | null;
  };
  /** All of them. */
  accounts(): OwnAccount[];
  exchanger: Exchanger;
  running: RunningCalls;
  proxy(): ProxyState;
  /** How many sessions wait for a person's answer. */
  waitingSessions(): number;
  secrets(): AppState['secrets'];
  /** True if the person chose to keep them in memory. */
  isMemoryWanted(): boolean;
  warnings(): readonly Problem[];
  /** GitHub's, as far as it is here. */
  runtime(): RuntimeState;
  /** Why requests of Claude Code are refused here; null if nothing is known. */
  claudeCode(): Problem | null;
  goneModels(): GoneModel[];
  recording(): RecordingState;
}

/** The way through VS Code, as far as the state of the app has to do with it. */
interface Through {
  state(): ReachState;
  readonly window: { look(): Promise<unknown> };
  readonly used: { readonly catalog: Catalog };
}

/** The state of the app, put together from the rooms that know a part of it. */
export class CurrentState {
  readonly #dependencies: CurrentStateDependencies;
  /** Null unless a front waits to quit. */
  quitWait: QuitWait | null = null;

  constructor(dependencies: CurrentStateDependencies) {
    this.#dependencies = dependencies;
  }

  state(): AppState {
    const { version, isDemo, settings, exchanger } = this.#dependencies;
    const { account, lastEnds, upstream } = this.#dependencies.used();
    const facts = this.#facts();
    const { proxy, secrets, quota, warnings, running, creditsRefused, limit, offline } = facts;
    const problem = knownProblem(facts);
    return {
      version,
      isDemo,
      status: statusOf(facts),
      account: facts.account,
      admission: { ...account.admission(), runtime: this.#dependencies.runtime() },
      reach: facts.reach,
      accounts: facts.accounts,
      proxy,
      secrets,
      // A refusal counts more than what GitHub last said.
      quota: quota && creditsRefused ? { ...quota, exhausted: true } : quota,
      ownLimits: exchanger.limits.own.standing(),
      usageWindows: facts.reach.kind === 'directly' ? account.usageWindows() : { session: null, weekly: null },
      health: {
        ready: problem === null,
        problem,
        lastSuccessAt: lastEnds.successAt,
        lastFailure: lastEnds.failure,
        running,
        held: {
          prompts: exchanger.running().filter((exchange) => exchange.held).length,
          above: settings.current().limits.burstPerMinute,
        },
        creditsRefused,
        overage: exchanger.limits.overage(),
        autoOnly: facts.autoOnly,
        limit,
        offline,
        failing: facts.reach.kind === 'directly' ? lastEnds.failing(upstream.pausedUntil) : null,
        claudeCode: proxy.kind === 'on' ? this.#dependencies.claudeCode() : null,
      },
      sessions: { waiting: facts.waiting, otherwise: statusOf({ ...facts, waiting: 0 }) },
      quitWaits: this.quitWait?.waits ?? null,
      goneModels: this.#dependencies.goneModels(),
      recording: this.#dependencies.recording(),
      warnings: [...warnings],
    };
  }

  /** After having asked GitHub and Copilot; null if a request would work now. */
  async askProblem(): Promise<Problem | null> {
    return (await this.#askProblem()) ?? ownLimitProblem(this.#dependencies.exchanger.limits.reached());
  }

  #askProblem(): Promise<Problem | null> {
    const { through } = this.#dependencies;
    const known = (): Problem | null => knownProblem(this.#facts());
    if (through.state().kind === 'through-vscode') {
      const { window, used } = through;
      return currentProblem({ admitted: () => window.look(), who: 'VS Code', catalog: used.catalog, known });
    }
    const { account, catalog, upstream } = this.#dependencies.used();
    const admitted = async (): Promise<void> => {
      await account.token();
      await upstream.lookAgain();
    };
    return currentProblem({ admitted, who: 'GitHub or Copilot', catalog, known });
  }

  /** True if the status is `offline`, whatever other problems there are. */
  isOffline(): boolean {
    return (
      this.#dependencies.through.state().kind === 'directly' && this.#dependencies.used().upstream.offline !== null
    );
  }

  /** True if what is known so far says so. */
  isCopilotOk(): boolean {
    const { lastEnds } = this.#dependencies.used();
    const fails = lastEnds.failure !== null && lastEnds.failure.at > (lastEnds.successAt ?? 0);
    return knownProblem(this.#facts()) === null && !fails;
  }

  #facts(): StatusFacts & Required<Pick<StatusFacts, 'accounts'>> {
    const { proxy, secrets, isMemoryWanted, warnings, running, settings, clock, waitingSessions } = this.#dependencies;
    const { account, catalog, upstream, unknown } = this.#dependencies.used();
    const reach = this.#dependencies.through.state();
    const doubt = unknown();
    return {
      reach,
      account: account.state(),
      accounts: this.#dependencies.accounts(),
      credential: account.admission().credential,
      unknown: doubt && { code: 'account-unknown', text: doubt.message, remedy: doubt.remedy },
      proxy: proxy(),
      secrets: secrets(),
      memoryWanted: isMemoryWanted(),
      quota: account.quota(),
      warnings: warnings(),
      running: running.count,
      creditsRefused: upstream.creditsRefused,
      autoOnly: isAutoOnly(catalog.known() ?? []) && !account.servesAuto(),
      limit: upstream.limit,
      offline: upstream.offline,
      waiting: waitingSessions(),
      // VS Code may be signed in to another account.
      ...(reach.kind === 'through-vscode' && unknownLimits),
      lowPercentLeft: 100 - settings.current().quotaThresholds.warning,
      now: clock.now(),
    };
  }
}

const unknownLimits = { quota: null, creditsRefused: false, autoOnly: false, limit: null, offline: null } as const;
