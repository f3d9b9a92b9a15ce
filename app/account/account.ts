import type { IncomingHttpHeaders } from 'node:http';
import type { AccountState, DeviceCode, Notice, Quota, SignInResult, UsageWindow } from '../api/account.ts';
import {
  type Clock,
  type Dialer,
  type HideSecret,
  type Log,
  type Redact,
  type Secrets,
  SecretsError,
} from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { AccountError, signInAgain, storedForOthers, tokensRefusedId } from './account-error.ts';
import type { Access, Admission } from './admission.ts';
import { defaultClientId, defaultScope, runDeviceFlow } from './device-flow.ts';
import { tokenProblem } from './github-token.ts';
import { defaultIdentity, type Identity } from './identity.ts';
import { QuotaHeaders } from './quota-headers.ts';
import { SharedAccess, tokensRefused } from './shared-access.ts';
import { hostsInWords, readStored, storedToken } from './stored-token.ts';
import type { CopilotUser } from './user.ts';
import { vscodeAdmission } from './vscode-admission.ts';

export interface AccountDependencies {
  dialer: Dialer;
  clock: Clock;
  secrets: Secrets;
  log: Log;
  github: GithubAddresses;
  clientId?: string;
  scope?: string;
  /** `JUMPSEAT_GITHUB_TOKEN`: used instead of the stored one, never stored. */
  githubToken?: string | null;
  identity?: Identity;
  hideSecret: HideSecret;
  redact: Redact;
}

/**
 * One GitHub token and all that hangs on it. Whoever waits for something of it checks afterwards that it is still the
 * one.
 */
interface Session {
  readonly githubToken: string;
  /** Who gave the token; it is shown to nobody else. */
  readonly github: GithubAddresses;
  readonly admission: Admission;
  readonly shared: SharedAccess;
  readonly quotaHeaders: QuotaHeaders;
  user: CopilotUser | null;
  /** Why there is no Copilot token, in words for a person. */
  notice: Notice | null;
  reading: Promise<void> | null;
}

const storeReadEveryMs = 1000;

/** Who is signed in, with the one Copilot token that all requests share. */
export class Account {
  readonly #dependencies: AccountDependencies;
  readonly #identity: Identity;
  readonly #fixed: boolean;
  readonly #listeners = new Set<() => void>();
  #github: GithubAddresses;
  #session: Session | null = null;
  /** The sign-in that is waiting for the person. */
  #flow: AbortController | null = null;
  #code: DeviceCode | null = null;
  /** Changes with every sign-out: what began before it may not end after it. */
  #generation = 0;
  /** A token that was signed out here; a store that could not delete it does not bring it back. */
  #dropped: string | null = null;
  #storeWrites: Promise<unknown> = Promise.resolve();
  #storeReading: Promise<void> | null = null;
  #storeReadAt = Number.NEGATIVE_INFINITY;
  #storeProblem: AccountError | null = null;
  /** A sign-in is stored, and it is for other hosts. */
  #why: { text: string; mend: string } | null = null;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#github = dependencies.github;
    this.#identity = dependencies.identity ?? defaultIdentity;
    const given = dependencies.githubToken?.trim();
    this.#fixed = Boolean(given);
    if (given) this.#session = this.#open(given);
  }

  /**
   * Reads the stored token, also when another process has signed in or out. Never throws: a store that is missing or
   * locked is said by `token()`.
   */
  load(): Promise<void> {
    if (this.#fixed) return Promise.resolve();
    this.#storeReading ??= this.#readStore();
    return this.#storeReading;
  }

  state(): AccountState {
    if (this.#code) return { kind: 'signing-in', code: this.#code };
    const session = this.#session;
    if (!session) return { kind: 'signed-out', ...(this.#why && { why: this.#why }) };
    const access = session.shared.last();
    return {
      kind: 'signed-in',
      login: session.user?.login ?? null,
      plan: session.user?.plan ?? null,
      sku: access?.sku ?? session.user?.sku ?? null,
      apiHost: access?.apiBase.host ?? null,
      token: access && { mintedAt: access.obtainedAt, usableUntil: access.usableUntil },
      notice: session.shared.isRefused() ? noticeOf(tokensRefused()) : session.notice,
    };
  }

  /** The newest of what GitHub said about the account and what Copilot's answers said. */
  quota(): Quota | null {
    const session = this.#session;
    if (!session) return null;
    return session.quotaHeaders.applyTo(session.user?.quota ?? null, session.user?.hasQuota ?? null);
  }

  usageWindows(): { session: UsageWindow | null; weekly: UsageWindow | null } {
    return this.#session?.quotaHeaders.windows() ?? { session: null, weekly: null };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * One device flow to its end; another one that is still waiting ends as `cancelled`. The old account stays in use
   * until the new token is stored, and for good when it comes to nothing. Never rejects.
   */
  async signIn(shown: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult> {
    if (this.#fixed) {
      return {
        kind: 'failed',
        text: 'The GitHub token comes from JUMPSEAT_GITHUB_TOKEN.',
        mend: 'Unset JUMPSEAT_GITHUB_TOKEN to sign in here.',
      };
    }
    this.#flow?.abort();
    this.#endFlow();
    const flow = new AbortController();
    this.#flow = flow;
    const generation = this.#generation;
    const github = this.#github;
    try {
      const end = await runDeviceFlow(
        {
          ...this.#dependencies,
          github,
          clientId: this.#dependencies.clientId ?? defaultClientId,
          scope: this.#dependencies.scope ?? defaultScope,
        },
        (code) => {
          this.#code = code;
          this.#changed();
          shown(code);
        },
        signal ? AbortSignal.any([signal, flow.signal]) : flow.signal,
      );
      if (end.kind !== 'granted') return end;
      this.#flow = null;
      return await this.#complete({ githubToken: end.githubToken, github }, generation);
    } finally {
      if (this.#flow === flow || this.#flow === null) this.#endFlow();
    }
  }

  /**
   * Forgets the account here and in the store. Rejects with `SecretsError` when the store keeps it; here it is gone all
   * the same.
   */
  async signOut(): Promise<void> {
    this.#generation += 1;
    this.#dropped = this.#session?.githubToken ?? null;
    this.#why = null;
    this.#flow?.abort();
    this.#endFlow();
    this.#install(null);
    await this.#write(() => this.#dependencies.secrets.delete('github-token'));
  }

  /**
   * From now on another GitHub is asked. Who was signed in is not any more, and a sign-in that waits ends as
   * `cancelled`; what the new host once gave is taken up again. Not for a token from outside, which comes with its
   * host.
   */
  async moveTo(github: GithubAddresses): Promise<void> {
    const { web, api } = this.#github;
    if (this.#fixed || (github.web.href === web.href && github.api.href === api.href)) return;
    this.#github = github;
    this.#generation += 1;
    this.#flow?.abort();
    this.#endFlow();
    this.#install(null);
    this.#storeReading = null;
    await this.load();
  }

  /**
   * Moves the store while nothing is written to it. `move` gets the entry of the token that is in use, where it comes
   * from a sign-in; rejects as it does.
   */
  async moveStore(move: (entry: string | null) => Promise<void>): Promise<void> {
    await this.#write(() => move(this.#fixed || this.#session === null ? null : entryOf(this.#session)));
    this.#storeProblem = null;
  }

  /** The store could not be read when it was looked at last. */
  isStoreUnreadable(): boolean {
    return this.#storeProblem !== null;
  }

  /** What lets requests in when it is there and needs no refresh, without waiting. */
  current(): Access | null {
    return this.#session?.shared.current() ?? null;
  }

  /** What everybody's requests share, obtained or refreshed when need be. Rejects with `AccountError`. */
  token(): Promise<Access> {
    const session = this.#session;
    if (!session) return this.#tokenOfStore();
    const current = session.shared.current();
    return current ? Promise.resolve(current) : this.#tokenOf(session);
  }

  /**
   * Copilot refused exactly this: the next `token()` obtains another, unless a newer one is there already. After two
   * refusals with 401 in a row it is an `AccountError` for a while.
   */
  refuse(access: Access, status = 401): void {
    this.#session?.shared.refuse(access, status);
  }

  /** Copilot gave a good answer. */
  accepted(): void {
    this.#session?.shared.accepted();
  }

  /**
   * Asks GitHub for login, plan and quota; at most one request at a time, and a failure keeps what was known. Never
   * rejects.
   */
  readUser(): Promise<void> {
    const session = this.#session;
    if (!session) return Promise.resolve();
    session.reading ??= this.#readUser(session);
    return session.reading;
  }

  /** Takes quota and usage windows from any answer of Copilot. */
  noteHeaders(headers: IncomingHttpHeaders): void {
    if (this.#session?.quotaHeaders.note(headers, this.#dependencies.clock.now())) this.#changed();
  }

  async #tokenOf(session: Session): Promise<Access> {
    try {
      return await session.shared.get();
    } catch (error) {
      if (this.#session !== session) {
        if (this.#session) return this.token();
        throw signedOut();
      }
      if (isDoubtful(error) && (await this.#adoptNewerSignIn(session))) {
        return this.token();
      }
      throw error;
    }
  }

  /**
   * Nobody is signed in here, but another process may have signed in meanwhile: the store is looked at, once a second
   * at most.
   */
  async #tokenOfStore(): Promise<Access> {
    await this.#lookAtStore();
    if (this.#session) return this.token();
    throw this.#storeProblem ?? signedOut(this.#why);
  }

  /** Another process may have signed in anew since this token was read. */
  async #adoptNewerSignIn(session: Session): Promise<boolean> {
    if (this.#fixed) return false;
    await this.#lookAtStore();
    return this.#session !== null && this.#session !== session;
  }

  #lookAtStore(): Promise<void> {
    if (this.#fixed) return Promise.resolve();
    const since = this.#dependencies.clock.ticks() - this.#storeReadAt;
    if (!this.#storeReading && since < storeReadEveryMs) return Promise.resolve();
    return this.load();
  }

  async #readStore(): Promise<void> {
    const generation = this.#generation;
    const before = this.#session;
    try {
      const entry = readStored(this.#github, await this.#dependencies.secrets.get('github-token'));
      const stored = entry.kind === 'token' ? entry.token : null;
      if (generation !== this.#generation || this.#session !== before) return;
      this.#storeProblem = null;
      this.#noteOthers(entry.kind === 'other-hosts' ? entry.storedFor : null);
      if (!stored) this.#install(null);
      else if (stored !== this.#dropped && stored !== before?.githubToken) this.#install(this.#open(stored));
    } catch (error) {
      this.#storeProblem = storeTrouble(error);
    } finally {
      this.#storeReadAt = this.#dependencies.clock.ticks();
      this.#storeReading = null;
    }
  }

  #noteOthers(storedFor: string | null): void {
    const why = storedFor === null ? null : storedForOthers(storedFor, hostsInWords(this.#github));
    if (why?.text === this.#why?.text) return;
    this.#why = why;
    this.#changed();
  }

  async #complete(granted: Pick<Session, 'githubToken' | 'github'>, generation: number): Promise<SignInResult> {
    try {
      await this.#write(() => this.#dependencies.secrets.set('github-token', entryOf(granted)));
    } catch (error) {
      const trouble = storeTrouble(error);
      return { kind: 'failed', text: `The sign-in could not be stored. ${trouble.message}`, mend: trouble.mend };
    }
    if (generation !== this.#generation) return { kind: 'cancelled' };
    this.#dropped = null;
    this.#storeProblem = null;
    this.#why = null;
    if (!this.#flow) this.#code = null;
    const session = this.#open(granted.githubToken);
    this.#install(session);
    await Promise.all([this.readUser(), this.token().catch(() => undefined)]);
    return { kind: 'signed-in', login: session.user?.login ?? null };
  }

  #endFlow(): void {
    this.#flow = null;
    if (!this.#code) return;
    this.#code = null;
    this.#changed();
  }

  #open(githubToken: string): Session {
    const { clock, log, dialer, hideSecret, redact } = this.#dependencies;
    hideSecret(githubToken, 'kept');
    const github = this.#github;
    const problem = tokenProblem(githubToken);
    const notice = problem && { id: 'unusable-token', title: 'This token cannot work', message: problem, url: null };
    const admission = vscodeAdmission(
      { dialer, clock, github, identity: this.#identity, redact, hideSecret },
      githubToken,
    );
    const obtain = async () => {
      if (notice) throw new AccountError('refused', notice.message, signInAgain, { notice });
      return await admission.obtain();
    };
    const session: Session = {
      githubToken,
      github,
      admission,
      shared: new SharedAccess({
        obtain: () => this.#noting(session, obtain),
        clock,
        log,
        changed: () => this.#session === session && this.#changed(),
      }),
      quotaHeaders: new QuotaHeaders(),
      user: null,
      notice: notice || null,
      reading: null,
    };
    return session;
  }

  /** Obtains access, and says what came of it in the state. */
  async #noting(session: Session, obtain: () => Promise<Access>): Promise<Access> {
    try {
      const access = await obtain();
      session.notice = null;
      return access;
    } catch (error) {
      if (error instanceof AccountError) {
        const { kind, status, host, code } = error;
        this.#dependencies.log.write('warn', 'token.mint-failed', {
          kind,
          status,
          host,
          code: error.notice?.id ?? code,
        });
      }
      if (error instanceof AccountError && error.kind === 'refused' && this.#session === session) {
        session.notice = noticeOf(error);
        this.#changed();
      }
      throw error;
    }
  }

  #install(session: Session | null): void {
    if (this.#session === session) return;
    this.#session?.shared.close();
    this.#session = session;
    this.#changed();
  }

  async #readUser(session: Session): Promise<void> {
    const { log } = this.#dependencies;
    try {
      const user = await session.admission.readUser();
      if (this.#session !== session) return;
      session.user = user;
      this.#changed();
    } catch (error) {
      log.write('warn', 'account.user-not-read', { reason: error instanceof Error ? error.message : 'unknown' });
    } finally {
      session.reading = null;
    }
  }

  /** One write at a time, in the order they were asked for. */
  #write(work: () => Promise<void>): Promise<void> {
    const done = this.#storeWrites.then(work, work);
    this.#storeWrites = done.catch(() => undefined);
    return done;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function entryOf({ github, githubToken }: Pick<Session, 'github' | 'githubToken'>): string {
  return storedToken(github, githubToken);
}

function signedOut(why: { text: string; mend: string } | null = null): AccountError {
  return new AccountError(
    'signed-out',
    why?.text ?? 'Not signed in to GitHub.',
    why?.mend ?? 'Click the tray icon and sign in, or run "jumpseat login".',
  );
}

function storeTrouble(error: unknown): AccountError {
  if (error instanceof SecretsError) return new AccountError('broken', error.message, error.mend);
  return new AccountError(
    'broken',
    'The place where the GitHub token is kept could not be used.',
    'Run "jumpseat doctor"; it says what is wrong with the keychain.',
  );
}

/** Another sign-in might do better. */
function isDoubtful(error: unknown): boolean {
  return error instanceof AccountError && (error.kind === 'refused' || error.kind === 'tokens-refused');
}

function noticeOf(error: AccountError): Notice {
  if (error.notice) return error.notice;
  if (error.kind === 'tokens-refused') {
    const { message, mend } = error;
    return { id: tokensRefusedId, title: 'Copilot refuses its tokens', message: `${message} ${mend}`, url: null };
  }
  const title = error.status === 401 ? 'Sign in again' : 'No Copilot for this sign-in';
  return {
    id: error.status === 401 ? 'sign-in-refused' : 'no-copilot-token',
    title,
    message: error.message,
    url: null,
  };
}
