import { createStore } from 'zustand/vanilla';
import type { Exchange } from '../../app/api/exchange.ts';
import type { AppState, Check } from '../../app/api/state.ts';
import { english, inEnglish, onLanguage, shownLanguage } from '../../app/language/language.ts';
import { t } from '../../app/language/translate.ts';
import { isUsedUp, limitName } from '../../app/words/own-limits.ts';
import { endedAt } from '../../app/words/times.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { isError } from './log/row.ts';
import type { WindowStore } from './window-state.ts';

interface HealthState {
  /** Results of the last run, in order; null until the first run has ended. */
  checks: readonly Check[] | null;
  checkedAt: number | null;
  /** When the last look began: what came later it may not have seen. */
  lookedAt: number;
  /** All of them are under way. */
  checking: boolean;
  /** Single ones that are under way. */
  running: ReadonlySet<string>;
  /** Why there are no findings. */
  failure: string | null;
  pace: Pace | null;
}

const settleMs = 1_500;
/** Findings that every request may change; looking at them again asks nobody outside. */
const followed = [
  ...['account.token', 'account.quota', 'account.limits', 'copilot.last-success', 'server.database'],
  ...['claude-code.settings', 'claude-code.webfetch'],
];
const followMs = 500;
/** A timer that comes this much too late slept with the machine. */
const lookEveryMs = 30_000;
const sleptMs = 60_000;
const recentRequests = 200;

/**
 * The findings of every check, kept while the window is open: asked for at the start, after a change of what they look
 * at, and when a person asks. A check that runs keeps its old finding.
 */
export class HealthChecks {
  readonly store = createStore<HealthState>(() => ({
    checks: null,
    checkedAt: null,
    lookedAt: 0,
    checking: false,
    running: new Set(),
    failure: null,
    pace: null,
  }));
  readonly #bridge: Bridge;
  readonly #window: WindowStore;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #cause = '';
  #again = false;

  constructor(dependencies: { bridge: Bridge; store: WindowStore }) {
    this.#bridge = dependencies.bridge;
    this.#window = dependencies.store;
  }

  /** Returns the way to stop. */
  start(): () => void {
    const stop = this.#window.subscribe(({ app, setupChanges }) => {
      if (app !== null) this.#see(`${causeOf(app)}|${setupChanges}`);
    });
    let lookedAt = Date.now();
    const afterSleep = setInterval(() => {
      const now = Date.now();
      const slept = now - lookedAt > lookEveryMs + sleptMs;
      lookedAt = now;
      if (slept && this.#cause !== '') void this.checkAll();
    }, lookEveryMs);
    const stopFollowing = this.#follow();
    const stopLanguage = onLanguage(() => {
      if (this.#cause !== '') void this.checkAll();
    });
    return () => {
      stopLanguage();
      clearInterval(afterSleep);
      stopFollowing();
      if (this.#timer !== null) clearTimeout(this.#timer);
      stop();
    };
  }

  /** Runs again the checks that depend on requests, whose count is always visible. Returns a function that stops it. */
  #follow(): () => void {
    let seen = requestsOf(this.#window.getState().app);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = this.#window.subscribe(({ app }) => {
      const now = requestsOf(app);
      if (now === seen) return;
      seen = now;
      timer ??= setTimeout(() => {
        timer = null;
        void this.#lookAtRequests();
      }, followMs);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }

  readonly checkAll = async (): Promise<void> => {
    const { checks } = this.#bridge;
    if (this.store.getState().checking) {
      this.#again = true;
      return;
    }
    const lookedAt = Date.now();
    this.store.setState({ checking: true });
    try {
      const [found, recent] = await Promise.all([checks(), this.#bridge.exchanges({ limit: recentRequests })]);
      this.store.setState({
        checks: found,
        checkedAt: Date.now(),
        lookedAt,
        failure: null,
        pace: paceOf(recent),
      });
    } catch (error) {
      this.store.setState({ failure: error instanceof Error ? error.message : String(error) });
    }
    this.store.setState({ checking: false });
    if (!this.#again) return;
    this.#again = false;
    await this.checkAll();
  };

  readonly checkOne = async (id: string): Promise<void> => {
    const { check } = this.#bridge;
    const { running } = this.store.getState();
    if (check === null || running.has(id)) return;
    this.store.setState({ running: new Set([...running, id]) });
    const found = await check(id).catch((error: unknown) => failedToRun(error));
    this.store.setState((state) => ({
      running: new Set([...state.running].filter((one) => one !== id)),
      checks: state.checks?.map((old) => (old.id === id && found !== null ? { ...old, ...found } : old)) ?? null,
      checkedAt: Date.now(),
    }));
  };

  /** For a report, which is in English: where the page has the findings in another language, they are asked for. */
  readonly inEnglish = async (): Promise<readonly Check[]> => {
    const { checks } = this.store.getState();
    return shownLanguage() === english ? (checks ?? []) : inEnglish(() => this.#bridge.checks());
  };

  async #lookAtRequests(): Promise<void> {
    const { check, exchanges } = this.#bridge;
    if (check === null || this.store.getState().checks === null) return;
    try {
      const [recent, ...found] = await Promise.all([
        exchanges({ limit: recentRequests }),
        ...followed.map((id) => check(id)),
      ]);
      const byId = new Map(found.filter((one) => one !== null).map((one) => [one.id, one]));
      this.store.setState(({ checks }) => ({
        checks: checks?.map((old) => byId.get(old.id) ?? old) ?? null,
        pace: paceOf(recent),
      }));
    } catch {
      // The banner says that the app doesn't answer.
    }
  }

  #see(cause: string): void {
    if (cause === this.#cause) return;
    const first = this.#cause === '';
    this.#cause = cause;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.checkAll(), first ? 300 : settleMs);
  }
}

/** What requests change, and what Copilot says beside them. */
function requestsOf(app: AppState | null): string {
  if (app === null) return '';
  const { health, quota, account, ownLimits } = app;
  const mintedAt = account.kind === 'signed-in' ? account.token?.mintedAt : null;
  const limits = ownLimits.map((limit) => `${limitName(limit)} ${limit.most} ${isUsedUp(limit)}`).join();
  return [
    health.lastSuccessAt,
    health.lastFailure?.at,
    quota?.remaining,
    quota?.percentRemaining,
    mintedAt,
    limits,
  ].join('|');
}

/** What the other findings depend on. */
function causeOf({ status, account, reach, proxy, secrets, goneModels, warnings }: AppState): string {
  const calm = status === 'busy' || status === 'on' ? 'fine' : status;
  const who = account.kind === 'signed-in' ? `${account.login} ${account.notice?.id}` : account.kind;
  const where = 'port' in proxy ? proxy.port : '';
  const through = reach.kind === 'directly' ? '' : reach.window.kind;
  return [calm, through, who, proxy.kind, where, secrets.storage, secrets.problem?.code, goneModels.length]
    .concat(warnings.map(({ text }) => text))
    .join('|');
}

function failedToRun(error: unknown): Pick<Check, 'verdict' | 'finding' | 'remedy'> {
  const why = error instanceof Error ? error.message : String(error);
  return { verdict: 'failed', finding: t('This check failed: {why}', { why }), remedy: t('Check again.') };
}

/** How Copilot has done lately, from the requests of this machine, those before this start among them. */
export interface Pace {
  /** Requests that have ended and that nobody left, those that were never sent among them. */
  requests: number;
  /** Requests that their client left before the end. They are in the list and in no other figure here. */
  left: number;
  /** Requests that the list also counts as errors. */
  failed: number;
  /** ms from our start to the first event, of the middle one and of the slow tenth; null if none came so far. */
  firstToken: { median: number; slow: number } | null;
  /** When the last one ended that worked. */
  lastSuccessAt: number | null;
}

export function paceOf(recent: readonly Exchange[]): Pace {
  const ended = recent.filter(({ outcome }) => outcome !== 'running' && outcome !== 'cancelled');
  const sent = ended.filter(({ path }) => path !== null);
  const times = sent
    .flatMap(({ times: { firstEvent } }) => (firstEvent === null ? [] : [firstEvent]))
    .sort((left, right) => left - right);
  const success = sent.findLast(({ outcome }) => outcome === 'done');
  return {
    requests: ended.length,
    left: recent.filter(({ outcome }) => outcome === 'cancelled').length,
    failed: ended.filter(isError).length,
    firstToken: times.length === 0 ? null : { median: at(times, 0.5), slow: at(times, 0.9) },
    lastSuccessAt: success === undefined ? null : endedAt(success),
  };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
