import type { UsageWindow } from '../api/account.ts';
import type { LimitKind } from '../api/exchange.ts';
import type { Limit, Offline } from '../api/state.ts';
import type { CopilotFailure } from '../copilot/failures.ts';
import { limitOf } from '../copilot/limit-of.ts';
import type { Clock } from '../ports.ts';

export interface UpstreamWatchDependencies {
  clock: Clock;
  usageWindows: () => { session: UsageWindow | null; weekly: UsageWindow | null };
  /** Asks Copilot for something that costs nothing; how it ended comes back through `ended`. */
  tryAgain: () => Promise<unknown>;
  changed: () => void;
}

/** Tries after a lost connection, in ms. The last one goes on. */
const pausesMs = [5_000, 10_000, 20_000, 40_000, 60_000] as const;
/** For a limit that came without a time. */
const unknownLimitMs = 60_000;
/** Timers hold no longer times. */
const longestSleepMs = 2 ** 31 - 1;
/** Answers that cost something: only those show that a limit is over. */
const billedPaths: ReadonlySet<string> = new Set(['/v1/messages', '/chat/completions', '/responses']);

/** What Copilot's last answers, and the lack of them, say about the next one. */
export class UpstreamWatch {
  readonly #dependencies: UpstreamWatchDependencies;
  /** The network failures in a row, and the first of them. */
  #lost: { count: number; host: string | null; since: number } | null = null;
  #retryAt: number | null = null;
  #tries = 0;
  #limit: Limit | null = null;
  #creditsRefused = false;
  #retrying: AbortController | null = null;
  /** What is waited for, to tell that it is over. */
  readonly #endings = new Map<'limit' | 'tokens', AbortController>();

  constructor(dependencies: UpstreamWatchDependencies) {
    this.#dependencies = dependencies;
  }

  get offline(): Offline | null {
    if (this.#lost === null || this.#lost.count < 2) return null;
    return { host: this.#lost.host, since: this.#lost.since, retryAt: this.#retryAt };
  }

  get limit(): Limit | null {
    return this.#limit !== null && this.#dependencies.clock.now() < this.#limit.until ? this.#limit : null;
  }

  get creditsRefused(): boolean {
    return this.#creditsRefused;
  }

  /** How a call ended; null for a good answer. */
  ended(path: string, failure: CopilotFailure | null): void {
    if (failure?.source === 'network') this.#lose(failure.host);
    else {
      this.#find();
      if (failure === null) {
        if (billedPaths.has(path)) this.#accepted();
      } else this.#refused(failure);
    }
    this.#dependencies.changed();
  }

  /** Does not wait for the next try where the connection is lost. */
  async tryNow(): Promise<void> {
    if (this.#lost === null) return;
    this.#retrying?.abort();
    this.#retrying = null;
    this.#retryAt = null;
    await this.#dependencies.tryAgain();
  }

  /** Another account, or none: nothing that was said holds any more. */
  forget(): void {
    this.#find();
    this.#accepted();
  }

  close(): void {
    this.forget();
  }

  #lose(host: string | null): void {
    const { clock } = this.#dependencies;
    if (this.#lost === null) this.#lost = { count: 0, host, since: clock.now() };
    this.#lost.count += 1;
    this.#lost.host = host ?? this.#lost.host;
    if (this.#retrying === null) void this.#retry();
  }

  #find(): void {
    this.#lost = null;
    this.#retryAt = null;
    this.#tries = 0;
    this.#retrying?.abort();
    this.#retrying = null;
  }

  async #retry(): Promise<void> {
    const { clock } = this.#dependencies;
    const stop = new AbortController();
    this.#retrying = stop;
    const pause = pausesMs[Math.min(this.#tries, pausesMs.length - 1)] ?? 60_000;
    this.#tries += 1;
    this.#retryAt = clock.now() + pause;
    try {
      await clock.sleep(pause, stop.signal);
    } catch {
      return;
    }
    this.#retrying = null;
    this.#retryAt = null;
    this.#dependencies.changed();
    await this.#dependencies.tryAgain();
  }

  #accepted(): void {
    this.#creditsRefused = false;
    this.#limit = null;
    for (const ending of this.#endings.values()) ending.abort();
    this.#endings.clear();
  }

  #refused(failure: CopilotFailure): void {
    if (failure.tokensRefused)
      void this.#tellAt('tokens', this.#dependencies.clock.now() + (failure.retryAfterSeconds ?? 0) * 1000);
    if (failure.status !== 402 && failure.status !== 429) return;
    const kind = limitOf(failure);
    if (kind === 'credits') this.#creditsRefused = true;
    if (!isOfAccount(kind)) return;
    const now = this.#dependencies.clock.now();
    const windows = this.#dependencies.usageWindows();
    const resetsAt =
      kind === 'weekly' ? windows.weekly?.resetsAt : kind === 'session' ? windows.session?.resetsAt : null;
    const reset = resetsAt ? Date.parse(resetsAt) : Number.NaN;
    const wait = failure.retryAfterSeconds === null ? unknownLimitMs : failure.retryAfterSeconds * 1000;
    this.#limit = { kind, until: reset > now ? reset : now + wait };
    void this.#tellAt('limit', this.#limit.until);
  }

  /** What holds until then is over, and what depends on it is looked at again. */
  async #tellAt(what: 'limit' | 'tokens', until: number): Promise<void> {
    this.#endings.get(what)?.abort();
    const stop = new AbortController();
    this.#endings.set(what, stop);
    const { clock, changed } = this.#dependencies;
    try {
      while (clock.now() < until) {
        await clock.sleep(Math.min(until - clock.now(), longestSleepMs), stop.signal);
      }
    } catch {
      return;
    }
    changed();
  }
}

/** Not one of a single model, a client or the service. */
function isOfAccount(kind: LimitKind): kind is Limit['kind'] {
  return kind === 'weekly' || kind === 'session' || kind === 'account';
}
