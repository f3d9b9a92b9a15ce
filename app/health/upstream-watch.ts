import type { UsageWindow } from '../api/account.ts';
import type { LimitKind } from '../api/exchange.ts';
import type { Limit, Offline } from '../api/state.ts';
import { type CopilotFailure, isUnanswered, limitOf } from '../copilot/failures.ts';
import type { Clock } from '../ports.ts';

interface UpstreamWatchDependencies {
  clock: Clock;
  usageWindows: () => { session: UsageWindow | null; weekly: UsageWindow | null };
  /** Somebody waits for the connection: only then Copilot is asked without being looked at. */
  isAwaited: () => boolean;
  /** Asks Copilot for something that costs nothing; how it ended comes back through `ended`. Must not reject. */
  tryAgain: () => Promise<unknown>;
  changed: () => void;
}

/** Least times between two looks for a lost connection, in ms; then the longest one, again and again. */
const pausesMs = [5_000, 10_000, 20_000, 40_000] as const;
const longestPauseMs = 60_000;
/** For a limit that came without a time. */
const unknownLimitMs = 60_000;
/** A shorter wait is over before anybody has read of it, and clients wait it out by themselves. */
const shortPauseMs = 60_000;
/** Limits of no account that hold for every request of ours. */
const limitsOfAll: ReadonlySet<LimitKind> = new Set(['client', 'blocked', 'unnamed']);
/** Timers hold no longer times. */
const longestSleepMs = 2 ** 31 - 1;
/** Answers that cost something: only those show that a limit is over. */
const billedPaths: ReadonlySet<string> = new Set(['/v1/messages', '/chat/completions', '/responses']);

/** What Copilot's last answers, and the lack of them, say about the next one. */
export class UpstreamWatch {
  /** Nothing is wrong, so a good answer doesn't have to be reported. A field, because each request reads it. */
  isCalm = true;
  readonly #dependencies: UpstreamWatchDependencies;
  /** The network failures in a row, and the first of them. */
  #lost: {
    count: number;
    host: string | null;
    code: string | null;
    since: number;
    looks: number;
    lookAt: number;
  } | null = null;
  #limit: Limit | null = null;
  #creditsRefused = false;
  #pausedUntil = 0;
  /** Looks by itself, for those who wait. */
  #looking: AbortController | null = null;
  /** Waits whose end will be reported. */
  readonly #endings = new Map<'limit' | 'pause' | 'tokens', AbortController>();

  constructor(dependencies: UpstreamWatchDependencies) {
    this.#dependencies = dependencies;
  }

  get offline(): Offline | null {
    if (this.#lost === null || this.#lost.count < 2) return null;
    const { host, code, since, lookAt } = this.#lost;
    return { host, code, since, retryAt: lookAt };
  }

  get limit(): Limit | null {
    return this.#limit !== null && this.#dependencies.clock.now() < this.#limit.until ? this.#limit : null;
  }

  /** Copilot said to wait, for a reason that is no limit of the account. */
  get pausedUntil(): number | null {
    return this.#dependencies.clock.now() < this.#pausedUntil ? this.#pausedUntil : null;
  }

  get creditsRefused(): boolean {
    return this.#creditsRefused;
  }

  /** How a call ended; null for a good answer. */
  ended(path: string, failure: CopilotFailure | null): void {
    if (failure?.source === 'network') {
      // A connection was there.
      if (!isUnanswered(failure)) this.#lose(failure.host, failure.code);
    } else {
      this.#find();
      if (failure === null) {
        if (billedPaths.has(path)) this.#accepted();
      } else this.#refused(failure);
    }
    this.isCalm = this.#lost === null && this.#endings.size === 0 && !this.#creditsRefused;
    this.#dependencies.changed();
  }

  /** For somebody who looks: asks Copilot once, where the connection is lost and the last look is long enough ago. */
  async lookAgain(): Promise<void> {
    const { clock, changed, tryAgain } = this.#dependencies;
    const lost = this.#lost;
    if (lost === null || this.offline === null || this.#untilLook() > 0) return;
    lost.looks += 1;
    lost.lookAt = clock.now() + pauseAfter(lost.looks);
    changed();
    await tryAgain();
  }

  /** Somebody waits for the connection now: it is looked for as long as one does. */
  awaited(): void {
    if (this.#looking === null && this.#isLookedFor()) void this.#lookWhileAwaited();
  }

  /** Called when another account is signed in, or none: earlier answers no longer count. */
  forget(): void {
    this.#find();
    this.#accepted();
    this.isCalm = true;
  }

  close(): void {
    this.forget();
  }

  #lose(host: string | null, code: string | null): void {
    const now = this.#dependencies.clock.now();
    this.#lost ??= { count: 0, host, code, since: now, looks: 0, lookAt: now };
    this.#lost.count += 1;
    this.#lost.host = host ?? this.#lost.host;
    this.#lost.code = code;
    this.#lost.lookAt = now + pauseAfter(this.#lost.looks);
    this.awaited();
  }

  #find(): void {
    this.#lost = null;
    this.#looking?.abort();
    this.#looking = null;
  }

  #isLookedFor(): boolean {
    return this.offline !== null && this.#dependencies.isAwaited();
  }

  /** Time in ms. A clock that was set back delays nothing. */
  #untilLook(): number {
    const wait = (this.#lost?.lookAt ?? 0) - this.#dependencies.clock.now();
    return wait > longestPauseMs ? 0 : Math.max(0, wait);
  }

  async #lookWhileAwaited(): Promise<void> {
    const stop = new AbortController();
    this.#looking = stop;
    while (!stop.signal.aborted && this.#isLookedFor()) {
      try {
        await this.#dependencies.clock.sleep(this.#untilLook(), stop.signal);
      } catch {
        return;
      }
      if (this.#isLookedFor()) await this.lookAgain();
    }
    if (this.#looking === stop) this.#looking = null;
  }

  #accepted(): void {
    this.#creditsRefused = false;
    this.#limit = null;
    this.#pausedUntil = 0;
    for (const ending of this.#endings.values()) ending.abort();
    this.#endings.clear();
  }

  #refused(failure: CopilotFailure): void {
    if (failure.tokensRefused)
      void this.#tellAt('tokens', this.#dependencies.clock.now() + (failure.retryAfterSeconds ?? 0) * 1000);
    if (failure.status !== 402 && failure.status !== 429) return;
    const kind = limitOf(failure);
    if (kind === 'credits') this.#creditsRefused = true;
    const now = this.#dependencies.clock.now();
    if (!isOfAccount(kind)) {
      const pause = (failure.retryAfterSeconds ?? 0) * 1000;
      if (!limitsOfAll.has(kind) || pause < shortPauseMs) return;
      this.#pausedUntil = now + pause;
      void this.#tellAt('pause', this.#pausedUntil);
      return;
    }
    const windows = this.#dependencies.usageWindows();
    const resetsAt =
      kind === 'weekly' ? windows.weekly?.resetsAt : kind === 'session' ? windows.session?.resetsAt : null;
    const reset = resetsAt ? Date.parse(resetsAt) : Number.NaN;
    const wait = failure.retryAfterSeconds === null ? unknownLimitMs : failure.retryAfterSeconds * 1000;
    this.#limit = { kind, until: reset > now ? reset : now + wait };
    void this.#tellAt('limit', this.#limit.until);
  }

  /** What holds until then is over, and what depends on it is looked at again. */
  async #tellAt(what: 'limit' | 'pause' | 'tokens', until: number): Promise<void> {
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

function pauseAfter(looks: number): number {
  return pausesMs[looks] ?? longestPauseMs;
}

/** False for a limit of a single model, a client or the service. */
function isOfAccount(kind: LimitKind): kind is Limit['kind'] {
  return kind === 'weekly' || kind === 'session' || kind === 'account';
}
