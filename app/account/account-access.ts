import type { IncomingHttpHeaders } from 'node:http';
import type { AccountState, Quota, UsageWindow } from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Clock, HideSecret, Log } from '../ports.ts';
import type { Access } from './access.ts';
import { AccountError, isDoubtful } from './account-error.ts';
import type { AutoSession } from './sdk/endpoint.ts';
import type { Session } from './session.ts';
import { defaultIdentity, type Identity } from './vscode-identity.ts';

export interface AccessDependencies {
  clock: Clock;
  log: Log;
  /** Why nothing may be sent with it now, though an account is signed in; null if it may. */
  withheld?: () => AccountError | null;
  identity?: Identity;
  hideSecret: HideSecret;
}

/** The part of an account that requests use: token, quota and user of the sign-in in use. */
export abstract class AccountAccess {
  /** The person's other accounts: what Copilot says of one counts for all of the same GitHub user. */
  others: readonly AccountAccess[] = [];
  protected session: Session | null = null;
  protected readonly identity: Identity;
  readonly #dependencies: AccessDependencies;

  constructor(dependencies: AccessDependencies) {
    this.#dependencies = dependencies;
    this.identity = dependencies.identity ?? defaultIdentity;
  }

  abstract state(): AccountState;

  /** No account is signed in here: another process may have stored one meanwhile. */
  protected abstract tokenOfStore(): Promise<Access>;

  /** True if another process has signed in since this session was read. */
  protected abstract adoptNewerSignIn(session: Session): Promise<boolean>;

  protected abstract signedOut(): AccountError;

  protected abstract changed(): void;

  /**
   * The newest of what GitHub said about its user and what Copilot's answers said, whichever of the person's accounts
   * they were for.
   */
  quota(): Quota | null {
    let newest = this.#ownQuota();
    if (newest === null || this.others.length === 0) return newest;
    const login = this.login();
    for (const other of login === null ? [] : this.others) {
      const quota = other.login() === login ? other.#ownQuota() : null;
      if (quota !== null && quota.asOf > newest.asOf) newest = quota;
    }
    return newest;
  }

  protected login(): string | null {
    const state = this.state();
    return state.kind === 'signed-in' ? state.login : null;
  }

  #ownQuota(): Quota | null {
    const session = this.session;
    if (!session) return null;
    return session.quotaHeaders.applyTo(session.user?.quota ?? null, session.user?.hasQuota ?? null);
  }

  usageWindows(): { session: UsageWindow | null; weekly: UsageWindow | null } {
    return this.session?.quotaHeaders.windows() ?? { session: null, weekly: null };
  }

  /** The token, if there is one that needs no refresh; null otherwise. Never waits. */
  current(): Access | null {
    if (this.#dependencies.withheld?.()) return null;
    return this.session?.shared.current() ?? null;
  }

  /** The token that all requests share, fetched or refreshed if necessary. Rejects with `AccountError`. */
  token(): Promise<Access> {
    const withheld = this.#dependencies.withheld?.();
    if (withheld) return Promise.reject(withheld);
    const session = this.session;
    if (!session) return this.tokenOfStore();
    const current = session.shared.current();
    return current ? Promise.resolve(current) : this.#tokenOf(session);
  }

  /**
   * The GitHub token of VS Code's sign-in, for what Copilot's address offers to VS Code besides models (GitHub's MCP
   * server). It is shown to that address alone, which GitHub named for it. Rejects with `AccountError`.
   */
  async githubToken(): Promise<{ githubToken: string; apiBase: URL; userAgent: string }> {
    const { apiBase } = await this.token();
    const session = this.session;
    if (session?.shared.last()?.apiBase.href !== apiBase.href) throw this.signedOut();
    const { kind, token } = session.credential;
    if (kind !== 'vscode' || token === null)
      throw new AccountError('broken', t('This needs the sign-in of VS Code’s app.'), t('Sign in in that way.'));
    return { githubToken: token, apiBase, userAgent: this.identity.userAgent };
  }

  /** Whether GitHub may be asked to choose models (Auto). Known once there was an access. */
  servesAuto(): boolean {
    return this.session?.admission.auto?.isOpen() ?? false;
  }

  /** A model of GitHub's choice for one conversation; null if GitHub gave none. Rejects with `AccountError`. */
  async chooseAuto(): Promise<AutoSession | null> {
    await this.token();
    const session = this.session;
    const chosen = (await session?.admission.auto?.choose()) ?? null;
    if (session !== this.session) throw this.signedOut();
    if (chosen !== null) this.#dependencies.hideSecret(chosen.token, 'passing');
    return chosen;
  }

  /**
   * Copilot refused exactly this: the next `token()` obtains another, unless a newer one is there already. After two
   * refusals with 401 in a row it is an `AccountError` for a while.
   */
  refuse(access: Access, status = 401): void {
    this.session?.shared.refuse(access, status);
  }

  /** Copilot gave a good answer. */
  accepted(): void {
    this.session?.shared.accepted();
  }

  /**
   * Asks GitHub for login, plan and quota; at most one request at a time, and a failure keeps what was known. Never
   * rejects.
   */
  readUser(): Promise<void> {
    const session = this.session;
    if (!session || this.#dependencies.withheld?.()) return Promise.resolve();
    session.reading ??= this.#readUser(session);
    return session.reading;
  }

  /** Takes quota and usage windows from any answer of Copilot. */
  noteHeaders(headers: IncomingHttpHeaders): void {
    if (this.session?.quotaHeaders.note(headers, this.#dependencies.clock.now())) this.changed();
  }

  async #tokenOf(session: Session): Promise<Access> {
    try {
      return await session.shared.get();
    } catch (error) {
      if (this.session !== session) {
        if (this.session) return this.token();
        throw this.signedOut();
      }
      if (isDoubtful(error) && (await this.adoptNewerSignIn(session))) {
        return this.token();
      }
      throw error;
    }
  }

  async #readUser(session: Session): Promise<void> {
    const { log } = this.#dependencies;
    try {
      const user = await session.admission.readUser();
      if (this.session !== session) return;
      session.user = user;
      this.changed();
    } catch (error) {
      log.write('warn', 'account.user-not-read', { reason: error instanceof Error ? error.message : 'unknown' });
    } finally {
      session.reading = null;
    }
  }
}
