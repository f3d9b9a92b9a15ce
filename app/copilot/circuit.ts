import type { LimitKind } from '../api/exchange.ts';
import type { Clock } from '../ports.ts';
import { type CopilotFailure, limitOf } from './failures.ts';

/**
 * Refusals in a row after which nothing is sent until the time that Copilot named. One alone may be chance, and the
 * client waits by itself.
 */
const refusalsThatOpen = 2;
/** While it is open, one request in so long a time goes through: a limit may end before its time. */
export const probeEveryMs = 60_000;

/** Limits of the account or of this client, whichever model is asked; any other is taken for the model's own. */
const limitsOfAll: ReadonlySet<LimitKind> = new Set(['account', 'client', 'blocked']);

interface Limited {
  /** The last refusal, for its code. */
  failure: CopilotFailure;
  refusals: number;
  refusedAt: number;
  until: number;
  probedAt: number;
}

/**
 * Stops asking Copilot again and again while it says "not before": that costs time, and looks like an attack. What is
 * held back is answered with Copilot's own refusal and the time that is left of it. Knows nothing of who asked: a
 * request that is held back was not accepted, and counts as before.
 */
export class Circuit {
  readonly #clock: Clock;
  /** Limits by model; `null`: all models. */
  readonly limits = new Map<string | null, Limited>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The refusal of a request that is held back; null if it goes. */
  enter(model: string): CopilotFailure | null {
    const now = this.#clock.now();
    const holding = [null, model].flatMap((key) => {
      const limited = this.limits.get(key);
      return limited !== undefined && holds(limited, now) ? [limited] : [];
    });
    const held = holding.find(({ probedAt }) => now - probedAt < probeEveryMs);
    if (held !== undefined) return stillRefused(held, now);
    for (const limited of holding) limited.probedAt = now;
    return null;
  }

  /** Called when another account is used: it has its own limits. */
  forget(): void {
    this.limits.clear();
  }

  /** Records how a sent request ended; `failure` is null for a good answer. Not called for a cancelled request. */
  ended(model: string, failure: CopilotFailure | null, sentAt: number): void {
    if (failure === null) {
      // What was sent before the refusal says nothing about the time after it.
      for (const key of [null, model])
        if ((this.limits.get(key)?.refusedAt ?? sentAt) <= sentAt) this.limits.delete(key);
      return;
    }
    const seconds = failure.retryAfterSeconds;
    if (failure.source !== 'copilot' || failure.status !== 429 || seconds === null || seconds <= 0) return;
    const key = limitsOfAll.has(limitOf(failure)) ? null : model;
    const now = this.#clock.now();
    const refusals = (this.limits.get(key)?.refusals ?? 0) + 1;
    this.limits.set(key, { failure, refusals, refusedAt: now, until: now + seconds * 1000, probedAt: now });
  }
}

/** A clock that was put back makes nothing hold longer. */
function holds({ refusals, refusedAt, until }: Limited, now: number): boolean {
  return refusals >= refusalsThatOpen && now >= refusedAt && now < until;
}

/** The refusal without its words, which may quote another request. */
function stillRefused({ failure, until }: Limited, now: number): CopilotFailure {
  return {
    ...failure,
    source: 'jumpseat',
    code: failure.code ?? 'held-back',
    message: '',
    notice: null,
    authorizeUrl: null,
    requestIds: [],
    retryAfterSeconds: Math.ceil((until - now) / 1000),
  };
}
