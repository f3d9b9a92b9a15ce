import type { Clock, Log } from '../ports.ts';
import { AccountError, signInAgain } from './account-error.ts';
import type { CopilotToken } from './mint.ts';

export type { CopilotToken } from './mint.ts';

const refreshBeforeMs = 5 * 60_000;
const leastUseMs = 60_000;
const pauseAfterFailedRefreshMs = 30_000;
/** After two refusals in a row GitHub is not asked for so long. */
export const pauseAfterRefusalsMs = 30_000;

/**
 * The Copilot token of one GitHub token, shared by all callers: one mint in flight, which no caller can cancel. There
 * are no timers: every call looks at the wall clock, so that a machine may sleep past an expiry.
 *
 * One of these lives as long as its credential; signing out or in makes another, so that a mint that ends late
 * finds nobody to give its token to.
 */
export class SharedToken {
  readonly #mint: () => Promise<CopilotToken>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed: () => void;
  #token: CopilotToken | null = null;
  #minting: Promise<CopilotToken> | null = null;
  #closed = false;
  /** After a refresh that failed while the token still works: not before this time again. */
  #noRefreshBefore = 0;
  /** Tokens that Copilot answered with 401, one after the other, with no success in between. */
  #refusals = 0;
  #lastRefusalAt = 0;

  constructor(parts: { mint: () => Promise<CopilotToken>; clock: Clock; log: Log; changed: () => void }) {
    this.#mint = parts.mint;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#changed = parts.changed;
  }

  /** The token when there is one that needs no refresh. The way of nearly every request. */
  current(): CopilotToken | null {
    const token = this.#token;
    return token && isFresh(token, this.#clock.now()) ? token : null;
  }

  /** The token as last minted, whatever its age. */
  last(): CopilotToken | null {
    return this.#token;
  }

  /** Rejects with `AccountError`. */
  get(): Promise<CopilotToken> {
    const token = this.#token;
    const now = this.#clock.now();
    if (token && (isFresh(token, now) || (now < this.#noRefreshBefore && isUsable(token, now)))) {
      return Promise.resolve(token);
    }
    const wait = this.#pauseLeft(now);
    if (wait > 0) return Promise.reject(tokensRefused(Math.ceil(wait / 1000)));
    this.#minting ??= this.#run();
    return this.#minting;
  }

  /**
   * Copilot refused exactly this token: the next `get` mints, unless a newer one is there.
   * @param status of the refusal. Only 401 says that the sign-in itself is in doubt.
   */
  refuse(token: CopilotToken, status: number): void {
    if (this.#token !== token) return;
    this.#token = null;
    this.#noRefreshBefore = 0;
    if (status === 401) {
      this.#refusals += 1;
      this.#lastRefusalAt = this.#clock.now();
    }
    this.#changed();
  }

  /** Copilot accepted it. */
  accepted(): void {
    if (this.#refusals === 0) return;
    this.#refusals = 0;
    this.#changed();
  }

  /** Two were refused in a row, and the next one is not asked for yet. */
  isRefused(): boolean {
    return this.#pauseLeft(this.#clock.now()) > 0;
  }

  /** ms; a clock that was put back makes it no longer. */
  #pauseLeft(now: number): number {
    const since = now - this.#lastRefusalAt;
    return this.#refusals >= 2 && since >= 0 ? Math.max(0, pauseAfterRefusalsMs - since) : 0;
  }

  /** The credential is gone: nothing is kept from now on. */
  close(): void {
    this.#closed = true;
    this.#token = null;
  }

  async #run(): Promise<CopilotToken> {
    const old = this.#token;
    try {
      const token = await this.#mint();
      if (this.#closed) throw new AccountError('signed-out', 'The account was signed out meanwhile.', signInAgain);
      this.#token = token;
      this.#noRefreshBefore = 0;
      this.#log.write('info', 'token.minted', { host: token.apiBase.host, usableUntil: token.usableUntil });
      this.#changed();
      return token;
    } catch (error) {
      if (old && this.#token === old && !this.#closed && this.#mayWait(error, old)) return old;
      throw error;
    } finally {
      this.#minting = null;
    }
  }

  /** A refresh ahead of time that meets trouble in passing leaves the old token in use until its real end. */
  #mayWait(error: unknown, old: CopilotToken): boolean {
    if (!(error instanceof AccountError) || error.kind === 'refused' || error.kind === 'signed-out') return false;
    const now = this.#clock.now();
    if (!isUsable(old, now)) return false;
    this.#noRefreshBefore = now + Math.max(pauseAfterFailedRefreshMs, (error.retryAfterSeconds ?? 0) * 1000);
    this.#log.write('warn', 'token.refresh-failed', { kind: error.kind, status: error.status });
    return true;
  }
}

export function tokensRefused(retryAfterSeconds: number | null = null): AccountError {
  return new AccountError(
    'tokens-refused',
    'Copilot refuses the tokens that GitHub gives out just now.',
    'Your sign-in is kept, and the next request tries again.',
    { status: 401, retryAfterSeconds },
  );
}

/** Fresh until 5 minutes before its end, yet for a minute at least. A clock that was put back makes it stale. */
function isFresh(token: CopilotToken, now: number): boolean {
  const staleAt = Math.max(token.usableUntil - refreshBeforeMs, token.mintedAt + leastUseMs);
  return now >= token.mintedAt && now < staleAt;
}

function isUsable(token: CopilotToken, now: number): boolean {
  return now >= token.mintedAt && now < token.usableUntil;
}
