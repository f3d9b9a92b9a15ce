import type { IncomingHttpHeaders } from 'node:http';
import type {
  AccountState,
  AdmissionState,
  CredentialKind,
  DeviceCode,
  Quota,
  SignInRefusedId,
  SignInRequest,
  SignInResult,
  UsageWindow,
} from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Clock, Dialer, HideSecret, Log, Redact, SecretName, Secrets, Slot } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import type { Access } from './access.ts';
import {
  AccountError,
  isDoubtful,
  type OutOfSeveral,
  type SignInPlace,
  signedOut,
  storedForOthers,
  storeHelp,
} from './account-error.ts';
import { accountState, admissionState, type StoredForOthers } from './account-state.ts';
import type { Credential } from './credential.ts';
import type { AutoSession } from './sdk/endpoint.ts';
import { openSession, type RuntimeWay, type Session } from './session.ts';
import { type Attempt, SignInAttempts } from './sign-in-attempts.ts';
import { hostsInWords, keepSignIn, type Stored, storeTrouble, TokenStore } from './token-store.ts';
import { defaultIdentity, type Identity } from './vscode-identity.ts';

interface AccountDependencies {
  /** Number among several accounts, used in the names of what it stores. */
  slot?: Slot;
  dialer: Dialer;
  clock: Clock;
  secrets: Secrets;
  log: Log;
  github: GithubAddresses;
  /** Kind of the last sign-in; null on the way through GitHub's runtime without a sign-in. Absent: `vscode`. */
  credential?: CredentialKind | null;
  /** GitHub's runtime, and the app that people sign in to for it. */
  runtime?: RuntimeWay;
  clientId?: string;
  scope?: string;
  /** `JUMPSEAT_GITHUB_TOKEN`: used instead of the stored one, never stored. */
  githubToken?: string | null;
  /** The login saved with the stored sign-in; null if unknown. */
  storedLogin?: () => string | null;
  /** Where a terminal can store a sign-in. Left out: in the keychain. */
  place?: () => SignInPlace;
  /** Number and count if there are several accounts; otherwise null. */
  several?: () => OutOfSeveral | null;
  /** The person's other accounts: what Copilot says of one counts for all of the same GitHub user. */
  others?: () => readonly Account[];
  /** Why nothing may be sent with it now, though an account is signed in; null if it may. */
  withheld?: () => AccountError | null;
  identity?: Identity;
  hideSecret: HideSecret;
  redact: Redact;
}

const storeReadEveryMs = 1000;

/** One sign-in, with the access that all its requests share. */
export class Account {
  readonly #dependencies: AccountDependencies;
  readonly #identity: Identity;
  readonly #fixed: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #store: TokenStore;
  readonly #signIns: SignInAttempts;
  #kind: CredentialKind | null;
  #github: GithubAddresses;
  #session: Session | null = null;
  /** The session whose token was read from the store. */
  #restored: Session | null = null;
  /** A token that was signed out here; a store that could not delete it does not bring it back. */
  #dropped: string | null = null;
  #storeReading: Promise<void> | null = null;
  #storeReadAt = Number.NEGATIVE_INFINITY;
  #storeProblem: AccountError | null = null;
  /** A sign-in is stored, and it is for other hosts. */
  #why: StoredForOthers | null = null;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#github = dependencies.github;
    this.#identity = dependencies.identity ?? defaultIdentity;
    this.#store = new TokenStore(dependencies);
    this.#signIns = new SignInAttempts({
      ...dependencies,
      changed: () => this.#changed(),
      complete: (credential, attempt) => this.#complete(credential, attempt),
    });
    const given = dependencies.githubToken?.trim();
    this.#fixed = Boolean(given);
    const { credential = 'vscode' } = dependencies;
    this.#kind = given ? 'vscode' : credential;
    if (given) this.#session = this.#open({ kind: 'vscode', token: given });
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
    // A sign-in of this run may be another person's until GitHub has said whose it is.
    const isRestored = this.#session !== null && this.#session === this.#restored;
    const storedLogin = isRestored ? (this.#dependencies.storedLogin?.() ?? null) : null;
    return accountState(this.#session, this.#signIns.code, this.#why, storedLogin);
  }

  /**
   * The newest of what GitHub said about its user and what Copilot's answers said, whichever of the person's accounts
   * they were for.
   */
  quota(): Quota | null {
    let newest = this.#ownQuota();
    const others = this.#dependencies.others?.() ?? [];
    if (newest === null || others.length === 0) return newest;
    const login = this.#login();
    for (const other of login === null ? [] : others) {
      const quota = other.#login() === login ? other.#ownQuota() : null;
      if (quota !== null && quota.asOf > newest.asOf) newest = quota;
    }
    return newest;
  }

  #login(): string | null {
    const state = this.state();
    return state.kind === 'signed-in' ? state.login : null;
  }

  #ownQuota(): Quota | null {
    const session = this.#session;
    if (!session) return null;
    return session.quotaHeaders.applyTo(session.user?.quota ?? null, session.user?.hasQuota ?? null);
  }

  usageWindows(): { session: UsageWindow | null; weekly: UsageWindow | null } {
    return this.#session?.quotaHeaders.windows() ?? { session: null, weekly: null };
  }

  /** Identity that requests use; the runtime's own state is not known here. */
  admission(): Omit<AdmissionState, 'runtime'> {
    return admissionState(this.#kind, this.#session, this.#identity);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * One sign-in to its end; another one that is still waiting ends as `cancelled`. The old account stays in use until
   * the new one is stored, and for good when it comes to nothing. Never rejects.
   * @param shown gets the code of a device flow
   */
  async signIn(
    shown: (code: DeviceCode) => void,
    signal?: AbortSignal,
    request: SignInRequest = { kind: 'vscode' },
  ): Promise<SignInResult> {
    if (this.#fixed) {
      return {
        kind: 'failed',
        text: t('The GitHub token comes from JUMPSEAT_GITHUB_TOKEN.'),
        remedy: t('Unset JUMPSEAT_GITHUB_TOKEN to sign in here.'),
      };
    }
    return this.#signIns.run(request, this.#github, shown, signal);
  }

  /**
   * Goes over to what is stored for another way. False, with all as it was: nothing is stored, or GitHub has taken it
   * back; no request is sent with it before that is known. Rejects with `AccountError` where the store can't be read.
   */
  async use(kind: CredentialKind): Promise<boolean> {
    if (this.#fixed) return false;
    if (kind === this.#kind && this.#session !== null) return true;
    const { generation } = this.#signIns;
    const stored = await this.#store.read(kind, this.#github).catch((error: unknown) => {
      throw storeTrouble(error);
    });
    if (generation !== this.#signIns.generation || stored.kind !== 'credential') return false;
    const session = this.#open(stored.credential);
    if (!this.#dependencies.withheld?.()) await session.shared.get().catch(() => undefined);
    const isRefused = session.notice?.id === ('sign-in-refused' satisfies SignInRefusedId);
    if (isRefused || generation !== this.#signIns.generation) return false;
    this.#goOverTo(kind);
    this.#install(session);
    return true;
  }

  /** Called when another process has switched to another way, or to none: uses what is stored there. */
  async follow(kind: CredentialKind | null): Promise<void> {
    if (this.#fixed || kind === this.#kind) return;
    this.#goOverTo(kind);
    this.#install(null);
    await this.load();
  }

  #goOverTo(kind: CredentialKind | null): void {
    this.#kind = kind;
    this.#why = null;
    this.#signIns.endAll();
    this.#storeReading = null;
  }

  /**
   * Forgets the account of this way, here and in the store; what is stored for another way stays. Rejects with
   * `SecretsError` when the store keeps it; here it is gone all the same.
   */
  async signOut(): Promise<void> {
    this.leave();
    const name = this.#kind === null ? null : this.#store.nameOf(this.#kind);
    if (name === null) this.#kind = null;
    else await this.#store.delete(name);
  }

  /** Deletes what is stored of this account for every way. Rejects with `SecretsError` when the store keeps some. */
  async deleteAll(): Promise<void> {
    this.leave();
    for (const name of this.#store.names()) await this.#store.delete(name);
  }

  /** Called when another process has signed in: valid even if GitHub issued the token signed out here again. */
  allowAgain(): void {
    this.#dropped = null;
  }

  /** Called when another process has signed out: this sign-in is no longer used. That process deletes the data. */
  leave(): void {
    this.#dropped = this.#session?.credential.token ?? null;
    this.#why = null;
    this.#signIns.endAll();
    this.#install(null);
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
    this.#signIns.endAll();
    this.#install(null);
    this.#storeReading = null;
    await this.load();
  }

  /**
   * Moves the store while nothing is written to it. `move` gets the entry of the token that is in use, under its name,
   * where it comes from a sign-in; rejects as it does.
   */
  async moveStore(move: (held: Partial<Record<SecretName, string>>) => Promise<void>): Promise<void> {
    await this.#store.whileUnused(() =>
      move(this.#fixed || this.#session === null ? {} : this.#store.entriesOf(this.#session)),
    );
    this.#storeProblem = null;
  }

  /** The store could not be read when it was looked at last. */
  isStoreUnreadable(): boolean {
    return this.#storeProblem !== null;
  }

  /** What lets requests in when it is there and needs no refresh, without waiting. */
  current(): Access | null {
    if (this.#dependencies.withheld?.()) return null;
    return this.#session?.shared.current() ?? null;
  }

  /** What all requests share, obtained or refreshed when need be. Rejects with `AccountError`. */
  token(): Promise<Access> {
    const withheld = this.#dependencies.withheld?.();
    if (withheld) return Promise.reject(withheld);
    const session = this.#session;
    if (!session) return this.#tokenOfStore();
    const current = session.shared.current();
    return current ? Promise.resolve(current) : this.#tokenOf(session);
  }

  /**
   * The GitHub token of VS Code's sign-in, for what Copilot's address offers to VS Code besides models (GitHub's MCP
   * server). It is shown to that address alone, which GitHub named for it. Rejects with `AccountError`.
   */
  async githubToken(): Promise<{ githubToken: string; apiBase: URL; userAgent: string }> {
    const { apiBase } = await this.token();
    const session = this.#session;
    if (session?.shared.last()?.apiBase.href !== apiBase.href) throw this.#signedOut();
    const { kind, token } = session.credential;
    if (kind !== 'vscode' || token === null)
      throw new AccountError('broken', t('This needs the sign-in of VS Code’s app.'), t('Sign in in that way.'));
    return { githubToken: token, apiBase, userAgent: this.#identity.userAgent };
  }

  /** Whether GitHub may be asked to choose models (Auto). Known once there was an access. */
  servesAuto(): boolean {
    return this.#session?.admission.auto?.isOpen() ?? false;
  }

  /** A model of GitHub's choice for one conversation; null if GitHub gave none. Rejects with `AccountError`. */
  async chooseAuto(): Promise<AutoSession | null> {
    await this.token();
    const session = this.#session;
    const chosen = (await session?.admission.auto?.choose()) ?? null;
    if (session !== this.#session) throw this.#signedOut();
    if (chosen !== null) this.#dependencies.hideSecret(chosen.token, 'passing');
    return chosen;
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
    if (!session || this.#dependencies.withheld?.()) return Promise.resolve();
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
        throw this.#signedOut();
      }
      if (isDoubtful(error) && (await this.#adoptNewerSignIn(session))) {
        return this.token();
      }
      throw error;
    }
  }

  /**
   * No account is signed in here, but another process may have signed in meanwhile: the store is looked at, once a
   * second at most.
   */
  async #tokenOfStore(): Promise<Access> {
    await this.#lookAtStore();
    if (this.#session) return this.token();
    const problem = this.#storeProblem;
    if (problem === null) throw this.#signedOut();
    throw new AccountError(problem.kind, problem.message, storeHelp(problem.remedy, this.#place()));
  }

  /** Another process may have signed in again since this token was read. */
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
    const { generation } = this.#signIns;
    const before = this.#session;
    try {
      const stored = this.#kind === null ? noneStored : await this.#store.read(this.#kind, this.#github);
      if (generation !== this.#signIns.generation || this.#session !== before) return;
      this.#storeProblem = null;
      this.#noteOthers(stored.kind === 'other-hosts' ? stored.storedFor : null);
      if (stored.kind !== 'credential') return this.#install(null);
      const { credential } = stored;
      const isKnown = before !== null && before.credential.token === credential.token;
      if (!isKnown && (credential.token === null || credential.token !== this.#dropped)) {
        this.#restored = this.#open(credential);
        this.#install(this.#restored);
      }
    } catch (error) {
      this.#storeProblem = storeTrouble(error);
    } finally {
      this.#storeReadAt = this.#dependencies.clock.ticks();
      this.#storeReading = null;
    }
  }

  #signedOut(): AccountError {
    return signedOut(this.#kind, this.#place(), this.#why, this.#dependencies.several?.());
  }

  #place(): SignInPlace {
    return this.#dependencies.place?.() ?? {};
  }

  #noteOthers(storedFor: string | null): void {
    const why = storedFor === null ? null : storedForOthers(storedFor, hostsInWords(this.#github), this.#place());
    if (why?.text === this.#why?.text) return;
    this.#why = why;
    this.#changed();
  }

  async #complete(credential: Credential, attempt: Attempt): Promise<SignInResult> {
    const session = openSession(this.#sessionDependencies(), credential, attempt.github);
    // GitHub may give out the same token again.
    if (credential.token !== null && credential.token === this.#session?.credential.token)
      session.user = this.#session.user;
    const ended = await keepSignIn(this.#store, session, attempt);
    if (ended !== null) return ended;
    if (attempt.isSignedOut()) return { kind: 'cancelled' };
    this.#kind = credential.kind;
    this.#dropped = null;
    this.#storeProblem = null;
    this.#why = null;
    this.#signIns.codeIsUsed();
    this.#install(session);
    await Promise.all([this.readUser(), this.token().catch(() => undefined)]);
    return { kind: 'signed-in', login: session.user?.login ?? null };
  }

  #open(credential: Credential): Session {
    return openSession(this.#sessionDependencies(), credential, this.#github);
  }

  #sessionDependencies(): Parameters<typeof openSession>[0] {
    return {
      ...this.#dependencies,
      identity: this.#identity,
      runtime: this.#dependencies.runtime ?? null,
      place: () => this.#place(),
      changed: (session) => this.#session === session && this.#changed(),
    };
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

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const noneStored: Stored = { kind: 'none' };
