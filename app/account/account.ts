import type {
  AccountState,
  AdmissionState,
  CredentialKind,
  DeviceCode,
  SignInRefusedId,
  SignInRequest,
  SignInResult,
} from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Dialer, Redact, SecretName, Secrets, Slot } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { type Access, copilotHeaders, tokensRefused } from './access.ts';
import { type AccessDependencies, AccountAccess } from './account-access.ts';
import {
  AccountError,
  noticeOf,
  type OutOfSeveral,
  type SignInPlace,
  signedOut,
  storedForOthers,
  storeHelp,
} from './account-error.ts';
import { type Credential, wayOf } from './credential.ts';
import { openSession, type RuntimeWay, type Session } from './session.ts';
import { type Attempt, SignInAttempts } from './sign-in-attempts.ts';
import { hostsInWords, keepSignIn, type Stored, storeTrouble, TokenStore } from './token-store.ts';
import type { Identity } from './vscode-identity.ts';

interface AccountDependencies extends AccessDependencies {
  /** Number among several accounts, used in the names of what it stores. */
  slot?: Slot;
  dialer: Dialer;
  secrets: Secrets;
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
  redact: Redact;
}

const storeReadEveryMs = 1000;

/** One sign-in: how it comes, is stored, and goes. What requests use of it is in `AccountAccess`. */
export class Account extends AccountAccess {
  readonly #dependencies: AccountDependencies;
  readonly #fixed: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #store: TokenStore;
  readonly #signIns: SignInAttempts;
  #kind: CredentialKind | null;
  #github: GithubAddresses;
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
    super(dependencies);
    this.#dependencies = dependencies;
    this.#github = dependencies.github;
    this.#store = new TokenStore(dependencies);
    this.#signIns = new SignInAttempts({
      ...dependencies,
      changed: () => this.changed(),
      complete: (credential, attempt) => this.#complete(credential, attempt),
    });
    const given = dependencies.githubToken?.trim();
    this.#fixed = Boolean(given);
    const { credential = 'vscode' } = dependencies;
    this.#kind = given ? 'vscode' : credential;
    if (given) this.session = this.#open({ kind: 'vscode', token: given });
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
    const isRestored = this.session !== null && this.session === this.#restored;
    const storedLogin = isRestored ? (this.#dependencies.storedLogin?.() ?? null) : null;
    return accountState(this.session, this.#signIns.code, this.#why, storedLogin);
  }

  /** Identity that requests use; the runtime's own state is not known here. */
  admission(): Omit<AdmissionState, 'runtime'> {
    return admissionState(this.#kind, this.session, this.identity);
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
    if (kind === this.#kind && this.session !== null) return true;
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
    this.#dropped = this.session?.credential.token ?? null;
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
      move(this.#fixed || this.session === null ? {} : this.#store.entriesOf(this.session)),
    );
    this.#storeProblem = null;
  }

  /** The store could not be read when it was looked at last. */
  isStoreUnreadable(): boolean {
    return this.#storeProblem !== null;
  }

  /**
   * No account is signed in here, but another process may have signed in meanwhile: the store is looked at, once a
   * second at most.
   */
  protected async tokenOfStore(): Promise<Access> {
    await this.#lookAtStore();
    if (this.session) return this.token();
    const problem = this.#storeProblem;
    if (problem === null) throw this.signedOut();
    throw new AccountError(problem.kind, problem.message, storeHelp(problem.remedy, this.#place()));
  }

  /** Another process may have signed in again since this token was read. */
  protected async adoptNewerSignIn(session: Session): Promise<boolean> {
    if (this.#fixed) return false;
    await this.#lookAtStore();
    return this.session !== null && this.session !== session;
  }

  #lookAtStore(): Promise<void> {
    if (this.#fixed) return Promise.resolve();
    const since = this.#dependencies.clock.ticks() - this.#storeReadAt;
    if (!this.#storeReading && since < storeReadEveryMs) return Promise.resolve();
    return this.load();
  }

  async #readStore(): Promise<void> {
    const { generation } = this.#signIns;
    const before = this.session;
    try {
      const stored = this.#kind === null ? noneStored : await this.#store.read(this.#kind, this.#github);
      if (generation !== this.#signIns.generation || this.session !== before) return;
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

  protected signedOut(): AccountError {
    return signedOut(this.#kind, this.#place(), this.#why, this.#dependencies.several?.());
  }

  #place(): SignInPlace {
    return this.#dependencies.place?.() ?? {};
  }

  #noteOthers(storedFor: string | null): void {
    const why = storedFor === null ? null : storedForOthers(storedFor, hostsInWords(this.#github), this.#place());
    if (why?.text === this.#why?.text) return;
    this.#why = why;
    this.changed();
  }

  async #complete(credential: Credential, attempt: Attempt): Promise<SignInResult> {
    const session = openSession(this.#sessionDependencies(), credential, attempt.github);
    // GitHub may give out the same token again.
    if (credential.token !== null && credential.token === this.session?.credential.token)
      session.user = this.session.user;
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
      identity: this.identity,
      runtime: this.#dependencies.runtime ?? null,
      place: () => this.#place(),
      changed: (session) => this.session === session && this.changed(),
    };
  }

  #install(session: Session | null): void {
    if (this.session === session) return;
    this.session?.shared.close();
    this.session = session;
    this.changed();
  }

  protected changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const noneStored: Stored = { kind: 'none' };

/** Why nobody is signed in though something is stored. */
interface StoredForOthers {
  text: string;
  remedy: string;
}

/**
 * An account as fronts are shown it. `code`: of a sign-in that waits for the person. `storedLogin`: whose sign-in it
 * is, as far as GitHub didn't say it in this run.
 */
function accountState(
  session: Session | null,
  code: DeviceCode | null,
  why: StoredForOthers | null,
  storedLogin: string | null,
): AccountState {
  if (code) return { kind: 'signing-in', code };
  if (!session) return { kind: 'signed-out', ...(why && { why }) };
  const access = session.shared.last();
  return {
    kind: 'signed-in',
    login: session.user?.login ?? storedLogin,
    plan: session.user?.plan ?? null,
    sku: access?.sku ?? session.user?.sku ?? null,
    apiHost: access?.apiBase.host ?? null,
    token: access && { mintedAt: access.obtainedAt, usableUntil: access.usableUntil },
    notice: session.shared.isRefused() ? noticeOf(tokensRefused(wayOf(session.credential.kind))) : session.notice,
  };
}

/** Identity that requests use; the runtime's own state is not known here. */
function admissionState(
  kind: CredentialKind | null,
  session: Session | null,
  identity: Identity,
): Omit<AdmissionState, 'runtime'> {
  const way = kind === null ? 'copilot-sdk' : wayOf(kind);
  const headers = way === 'vscode' ? copilotHeaders(identity) : (session?.shared.last()?.identity('/models') ?? null);
  const editor = headers?.['Editor-Version'];
  const integration = headers?.['Copilot-Integration-Id'];
  const kept = session?.shared.keptBecause() ?? null;
  return {
    way,
    credential: kind,
    sentAs: editor === undefined || integration === undefined ? null : { editor, integration },
    kept: kept && { code: 'last-endpoint', text: keptWords(kept.message), remedy: kept.remedy },
  };
}

function keptWords(why: string): string {
  return t('Copilot refused the endpoint, and no other was received: {why} The last working endpoint is used.', {
    why,
  });
}
