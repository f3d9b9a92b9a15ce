import type { Account } from '../account/account.ts';
import { signInHelp } from '../account/account-error.ts';
import { wayOf } from '../account/credential.ts';
import type { CredentialKind, DeviceCode, SignInRequest, SignInResult } from '../api/account.ts';
import type { AnswersTo, App } from '../api/app.ts';
import type { Problem } from '../api/call.ts';
import type { signInCalls } from '../api/calls/accounts.ts';
import { t } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import type { Settings, SettingsStore } from '../settings/settings.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import type { RuntimeFetch } from './runtime-fetch.ts';

/** Note of a sign-in for other processes of the folder, without a secret. */
export interface KeptSignIn {
  login(): string | null;
  signedInAt(): number | null;
  /** Kind of the sign-in; null if there is none on the way that is chosen. */
  credential(): CredentialKind | null;
  keep(account: { login: string | null; signedInAt: number } | null, credential: CredentialKind | null): Promise<void>;
}

interface SignInsDependencies {
  account: Account;
  readonly secrets: Pick<KeptSecrets, 'try' | 'state'>;
  settings: SettingsStore;
  kept: KeptSignIn;
  clock: Clock;
  log: Log;
  /** The token comes from the environment: the store is not needed. */
  isTokenFromOutside: boolean;
  /** Asks everything anew. */
  refresh(): Promise<void>;
  /** Called when another account is signed in, or none: what was learned with the last one no longer holds. */
  accountChanged(): void;
}

/** Sign-ins and sign-outs, here and in other processes of the same folder. */
export class SignIns {
  readonly #dependencies: SignInsDependencies;
  #running: AbortController | null = null;
  /** When the account was signed in that this process knows of; in the settings another one is another process's. */
  #hint: number | null;
  /** The way that the settings named last. */
  #chosen: CredentialKind | null;

  constructor(dependencies: SignInsDependencies) {
    this.#dependencies = dependencies;
    this.#hint = dependencies.kept.signedInAt();
    this.#chosen = dependencies.kept.credential();
  }

  /** Runs one sign-in to its end: the way that is asked for, or the one in use. */
  async signIn(shown: (code: DeviceCode) => void, signal?: AbortSignal, given?: SignInRequest): Promise<SignInResult> {
    const { policyProblem } = this.#dependencies.settings;
    // It may forbid this way in, or this host.
    if (policyProblem !== null) return { kind: 'failed', text: policyProblem.message, remedy: policyProblem.remedy };
    const request = given ?? this.#again();
    if ('text' in request) return request;
    const { account, secrets, isTokenFromOutside, refresh, accountChanged, clock } = this.#dependencies;
    const mine = new AbortController();
    this.#running = mine;
    // Before the sign-in, so that its token can be kept afterwards.
    const wasUnreadable = account.isStoreUnreadable();
    const problem = isTokenFromOutside ? null : await secrets.try();
    if (problem !== null) {
      if (this.#running === mine) this.#running = null;
      return { kind: 'no-storage', text: problem.text, remedy: problem.remedy };
    }
    // What was unlocked held a sign-in: no other one is needed.
    if (wasUnreadable && account.state().kind === 'signed-in' && request.kind === account.admission().credential) {
      await refresh();
      const read = account.state();
      return { kind: 'signed-in', login: read.kind === 'signed-in' ? read.login : null };
    }
    const result = await account.signIn(shown, signal ? AbortSignal.any([signal, mine.signal]) : mine.signal, request);
    if (this.#running === mine) this.#running = null;
    if (result.kind === 'signed-in') {
      accountChanged();
      await this.#tell({ login: result.login, signedInAt: clock.now() });
      // Nothing could be asked before the settings said which account to use.
      if (result.login === null) return this.#signedInAtLast();
    }
    return result;
  }

  async #signedInAtLast(): Promise<SignInResult> {
    const { account, clock } = this.#dependencies;
    await account.readUser();
    const state = account.state();
    const login = state.kind === 'signed-in' ? state.login : null;
    if (login !== null) await this.#tell({ login, signedInAt: clock.now() });
    return { kind: 'signed-in', login };
  }

  /** The way in use, once more; another way is never gone by itself. */
  #again(): SignInRequest | Extract<SignInResult, { kind: 'failed' }> {
    const { account, secrets, settings } = this.#dependencies;
    const { credential } = account.admission();
    if (credential === null && settings.current().githubClientId !== null) return { kind: 'own-app' };
    if (credential !== null && credential !== 'token') return { kind: credential };
    return {
      kind: 'failed',
      text:
        credential === null ? t('It isn’t chosen yet how to sign in.') : t('This sign-in is a token that you made.'),
      remedy: signInHelp(credential, secrets.state),
    };
  }

  /** Changes to the sign-in stored for a way. False, with the way unchanged, if there is none or GitHub refuses it. */
  async use(kind: CredentialKind): Promise<boolean> {
    const { account, accountChanged, clock } = this.#dependencies;
    if (!(await account.use(kind))) return false;
    accountChanged();
    await account.readUser();
    const state = account.state();
    await this.#tell({ login: state.kind === 'signed-in' ? state.login : null, signedInAt: clock.now() });
    return true;
  }

  cancel(): void {
    this.#running?.abort();
  }

  async signOut(): Promise<void> {
    try {
      await this.#dependencies.account.signOut();
    } finally {
      this.#dependencies.accountChanged();
      await this.#tell(null);
    }
  }

  /** Called when another GitHub host was chosen: an old token that can't be deleted is sent to no other host. */
  async leaveHost(): Promise<void> {
    if (this.#dependencies.account.state().kind !== 'signed-out') return;
    await this.signOut().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown';
      this.#dependencies.log.write('warn', 'github.token-not-deleted', { reason });
    });
  }

  /** Called when another process may have signed in or out. */
  follow(): void {
    const { account, kept, accountChanged } = this.#dependencies;
    const chosen = kept.credential();
    const now = kept.signedInAt();
    if (now !== null && now !== this.#hint) account.allowAgain();
    if (chosen !== this.#chosen) {
      this.#chosen = chosen;
      this.#hint = now;
      void account.follow(chosen);
      accountChanged();
      return;
    }
    if (now === this.#hint) return;
    const before = this.#hint;
    this.#hint = now;
    if (now === null && before !== null) account.leave();
    else void account.load();
    accountChanged();
  }

  /** Tells other processes of this folder, without a secret, of a sign-in or sign-out. */
  async #tell(account: { login: string | null; signedInAt: number } | null): Promise<void> {
    const { kept, log } = this.#dependencies;
    const { credential } = this.#dependencies.account.admission();
    this.#hint = account?.signedInAt ?? null;
    this.#chosen = credential;
    try {
      await kept.keep(account, credential);
    } catch (error) {
      log.write('warn', 'account.hint-not-kept', { reason: error instanceof Error ? error.message : 'unknown' });
    }
  }
}

/** Kind of the sign-in, by the settings; null if the way is chosen and has no sign-in yet. */
export function chosenCredential({
  admission,
  sdkCredential,
}: Pick<Settings, 'admission' | 'sdkCredential'>): CredentialKind | null {
  return admission === 'vscode' ? 'vscode' : sdkCredential;
}

/** A token from outside signs in as VS Code, whatever the settings say of the account in use: that is named. */
export function wayFromOutside(
  githubToken: string | null,
  { admission, accounts, accountInUse }: Pick<Settings, 'admission' | 'accounts' | 'accountInUse'>,
): Problem[] {
  const credential = accounts.find(({ id }) => id === accountInUse)?.signIn?.credential;
  const way = credential == null ? admission : wayOf(credential);
  if (!githubToken || way === 'vscode') return [];
  return [
    {
      code: 'way-from-outside',
      text: t('JUMPSEAT_GITHUB_TOKEN signs in as VS Code; settings.json is set to GitHub’s Copilot SDK.'),
      remedy: t('Unset it to go through the SDK, or choose the sign-in as VS Code in the settings.'),
    },
  ];
}

export function signInAnswers(given: {
  /** Sign-ins of the account in use. */
  signIns(): SignIns;
  secrets: KeptSecrets;
  runtime: RuntimeFetch;
  cancelAll(): void;
}): AnswersTo<typeof signInCalls> & Pick<App, 'trySecrets' | 'runtime'> {
  const { signIns, secrets, runtime, cancelAll } = given;
  return {
    localKey: () => secrets.key(),
    trySecrets: () => secrets.try(),
    runtime: () => runtime.look(),
    signIn: (shown = () => {}, signal) => signIns().signIn(shown, signal),
    signInWith: (request, shown = () => {}, signal) => signIns().signIn(shown, signal, request),
    chooseCredential: (kind) => signIns().use(kind),
    fetchRuntime: () => runtime.fetch(),
    cancelFetch: () => runtime.cancel(),
    cancelSignIn: () => cancelAll(),
    signOut: () => signIns().signOut(),
    replaceKey: () => secrets.replaceKey(),
    moveSecrets: (to) => secrets.move(to),
  };
}
