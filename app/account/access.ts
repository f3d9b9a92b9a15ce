import type { Way } from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import { AccountError, type SignInPlace, signInAgain } from './account-error.ts';
import type { AutoSession } from './sdk/endpoint.ts';
import type { CopilotUser } from './user.ts';
import type { Identity } from './vscode-identity.ts';

/** Access to Copilot for one request: the host, the bearer and the headers that name the program. */
export interface Access {
  /** Copilot's address for this bearer. Nothing of this goes to another host. */
  readonly apiBase: URL;
  /** The value of `Authorization`. */
  readonly authorization: string;
  /**
   * The headers that say which program asks, as they hold now, for a request to this path. They go out as they are: of
   * the other headers only those are sent that these do not name.
   */
  identity(path: string): Readonly<Record<string, string>>;
  /** ms since the epoch, by our clock. */
  readonly obtainedAt: number;
  /** Time by our clock; null: until Copilot refuses it. */
  readonly usableUntil: number | null;
  readonly sku: string | null;
}

/** The headers of an access by VS Code's own way. */
export function copilotHeaders(identity: Identity): Record<string, string> {
  return {
    'User-Agent': identity.userAgent,
    'Editor-Version': identity.editorVersion,
    'Editor-Plugin-Version': identity.pluginVersion,
    'Copilot-Integration-Id': identity.integrationId,
    'X-GitHub-Api-Version': identity.copilotApiVersion,
  };
}

/**
 * A way into Copilot with one credential: as whom, to which host, with which headers, until when, and how all of that
 * is got anew. What lies behind it is the same for every way.
 */
export interface Admission {
  /** Asks for it anew. Rejects with `AccountError`. */
  obtain(): Promise<Access>;
  /** Login, plan and quota. Rejects with an error whose message says why not. */
  readUser(): Promise<CopilotUser>;
  /** Null if GitHub is not asked to choose models on this way. */
  readonly auto: AutoDoor | null;
}

/** GitHub chooses the model of a conversation (Auto). */
interface AutoDoor {
  /** Known once access was obtained. */
  isOpen(): boolean;
  /** Null if GitHub gave none. Rejects with `AccountError`. */
  choose(): Promise<AutoSession | null>;
}

const refreshBeforeMs = 5 * 60_000;
const leastUseMs = 60_000;
const pauseAfterFailedRefreshMs = 30_000;
/** After two refusals in a row GitHub is not asked for so long. */
export const pauseAfterRefusalsMs = 30_000;

interface SharedAccessDependencies {
  way: Way;
  obtain(): Promise<Access>;
  clock: Clock;
  log: Log;
  place(): SignInPlace;
  changed(): void;
}

/**
 * The access of one credential, shared by all callers: it is obtained once at a time, which no caller can cancel. There
 * are no timers: every call looks at the wall clock, so that a machine may sleep past an expiry.
 *
 * One of these lives as long as its credential; signing out or in makes another, so that one that ends late finds
 * no caller to give its access to.
 */
export class SharedAccess {
  readonly #dependencies: SharedAccessDependencies;
  #access: Access | null = null;
  #obtaining: Promise<Access> | null = null;
  #closed = false;
  /** After a refresh that failed while the access still works: not before this time again. */
  #noRefreshBefore = 0;
  /** Accesses that Copilot answered with 401, one after the other, with no success in between. */
  #refusals = 0;
  #lastRefusalAt = 0;
  /** Access without an end that Copilot accepted before it refused it. */
  #lastGood: Access | null = null;
  #keptBecause: AccountError | null = null;

  constructor(dependencies: SharedAccessDependencies) {
    this.#dependencies = dependencies;
  }

  /** The access when there is one that needs no refresh. The way of nearly every request. */
  current(): Access | null {
    const access = this.#access;
    return access && isFresh(access, this.#dependencies.clock.now()) ? access : null;
  }

  /** The access as last obtained, whatever its age. */
  last(): Access | null {
    return this.#access;
  }

  /** Rejects with `AccountError`. */
  get(): Promise<Access> {
    const access = this.#access;
    const now = this.#dependencies.clock.now();
    if (access && (isFresh(access, now) || (now < this.#noRefreshBefore && isUsable(access, now)))) {
      return Promise.resolve(access);
    }
    const wait = this.#pauseLeft(now);
    if (wait > 0) return Promise.reject(tokensRefused(this.#dependencies.way, Math.ceil(wait / 1000)));
    this.#obtaining ??= this.#run();
    return this.#obtaining;
  }

  /**
   * Copilot refused exactly this access: the next `get` obtains another, unless a newer one is there.
   * @param status of the refusal. Only 401 says that the sign-in itself is in doubt.
   */
  refuse(access: Access, status: number): void {
    if (this.#access !== access) return;
    if (access.usableUntil === null) this.#lastGood = access;
    this.#access = null;
    this.#noRefreshBefore = 0;
    if (status === 401) {
      this.#refusals += 1;
      this.#lastRefusalAt = this.#dependencies.clock.now();
    }
    this.#dependencies.changed();
  }

  /** Copilot accepted it. */
  accepted(): void {
    if (this.#refusals === 0 && this.#keptBecause === null) return;
    this.#refusals = 0;
    this.#keptBecause = null;
    this.#dependencies.changed();
  }

  /** Two were refused in a row, and the next one is not asked for yet. */
  isRefused(): boolean {
    return this.#pauseLeft(this.#dependencies.clock.now()) > 0;
  }

  /** The last access is used although Copilot refused it, because this stood in the way of another one. */
  keptBecause(): AccountError | null {
    return this.#keptBecause;
  }

  /** ms; a clock that was put back makes it no longer. */
  #pauseLeft(now: number): number {
    const since = now - this.#lastRefusalAt;
    return this.#refusals >= 2 && since >= 0 ? Math.max(0, pauseAfterRefusalsMs - since) : 0;
  }

  /** The credential is gone: nothing is kept from now on. */
  close(): void {
    this.#closed = true;
    this.#access = null;
    this.#lastGood = null;
  }

  async #run(): Promise<Access> {
    const { obtain, log, place, changed } = this.#dependencies;
    const old = this.#access;
    try {
      const access = await obtain();
      if (this.#closed)
        throw new AccountError('signed-out', t('The account was signed out meanwhile.'), signInAgain(place()));
      this.#access = access;
      this.#noRefreshBefore = 0;
      this.#lastGood = null;
      this.#keptBecause = null;
      log.write('info', 'token.minted', { host: access.apiBase.host, usableUntil: access.usableUntil });
      changed();
      return access;
    } catch (error) {
      if (old && this.#access === old && !this.#closed && this.#mayWait(error, old)) return old;
      const kept = this.#closed ? null : this.#keepLastGood(error);
      if (kept) return kept;
      throw error;
    } finally {
      this.#obtaining = null;
    }
  }

  /**
   * No other access can be had, for a reason that says nothing about the sign-in: the one that worked before is tried
   * again, because what has no end may have been refused in passing.
   */
  #keepLastGood(error: unknown): Access | null {
    if (!(error instanceof AccountError) || error.kind === 'refused' || error.kind === 'signed-out') return null;
    const kept = this.#lastGood;
    if (kept === null) return null;
    this.#access = kept;
    this.#keptBecause = error;
    this.#dependencies.log.write('warn', 'token.last-kept', { kind: error.kind, code: error.code });
    this.#dependencies.changed();
    return kept;
  }

  /** A refresh ahead of time that meets trouble in passing leaves the old access in use until its real end. */
  #mayWait(error: unknown, old: Access): boolean {
    if (!(error instanceof AccountError) || error.kind === 'refused' || error.kind === 'signed-out') return false;
    const { clock, log } = this.#dependencies;
    const now = clock.now();
    if (!isUsable(old, now)) return false;
    this.#noRefreshBefore = now + Math.max(pauseAfterFailedRefreshMs, (error.retryAfterSeconds ?? 0) * 1000);
    log.write('warn', 'token.refresh-failed', { kind: error.kind, status: error.status });
    return true;
  }
}

export function tokensRefused(way: Way, retryAfterSeconds: number | null = null): AccountError {
  return new AccountError(
    'tokens-refused',
    way === 'vscode'
      ? t('Copilot refuses the tokens that GitHub currently issues.')
      : t('Copilot refuses the credential that GitHub’s runtime currently issues.'),
    t('You stay signed in, and the next request tries again.'),
    { status: 401, retryAfterSeconds },
  );
}

/** Fresh until 5 minutes before its end, yet for a minute at least. A clock that was put back makes it stale. */
function isFresh({ obtainedAt, usableUntil }: Access, now: number): boolean {
  if (usableUntil === null) return true;
  return now >= obtainedAt && now < Math.max(usableUntil - refreshBeforeMs, obtainedAt + leastUseMs);
}

function isUsable({ obtainedAt, usableUntil }: Access, now: number): boolean {
  return usableUntil === null || (now >= obtainedAt && now < usableUntil);
}
