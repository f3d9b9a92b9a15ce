import type { Notice } from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Clock, Dialer, HideSecret, Log, Redact } from '../ports.ts';
import { type GithubAddresses, isLoopback } from '../settings/github-addresses.ts';
import { type Access, type Admission, SharedAccess } from './access.ts';
import { AccountError, isTakenBack, noticeOf, type SignInPlace, signInAgain, takenBackHelp } from './account-error.ts';
import { type Credential, tokenProblem, wayOf } from './credential.ts';
import { QuotaHeaders } from './quota-headers.ts';
import type { AutoAnswer, RuntimeAnswer, RuntimeCredential } from './sdk/endpoint.ts';
import { sdkAdmission } from './sdk-admission.ts';
import type { CopilotUser } from './user.ts';
import { vscodeAdmission } from './vscode-admission.ts';
import type { Identity } from './vscode-identity.ts';

/** The way through GitHub's runtime, as far as other rooms provide it. */
export interface RuntimeWay {
  /** Starts the runtime, asks it for an endpoint and ends it. */
  ask(credential: RuntimeCredential): Promise<RuntimeAnswer>;
  /** The same for a model that GitHub chooses; see `askAuto`. */
  auto(githubToken: string): Promise<AutoAnswer>;
  /** Client id of the person's own OAuth app; null if they have none. */
  clientId(): string | null;
  /** Where the Copilot CLI keeps its sign-in. */
  copilotHome(): string;
}

/**
 * One credential and all that hangs on it. What waits for something of it checks afterwards that it is still the
 * one.
 */
export interface Session {
  readonly credential: Credential;
  /** The GitHub that gave the token, which is shown to no other. */
  readonly github: GithubAddresses;
  readonly admission: Admission;
  readonly shared: SharedAccess;
  readonly quotaHeaders: QuotaHeaders;
  user: CopilotUser | null;
  /** Why there is no access, in words for a person. */
  notice: Notice | null;
  reading: Promise<void> | null;
}

export interface SessionDependencies {
  dialer: Dialer;
  clock: Clock;
  log: Log;
  hideSecret: HideSecret;
  redact: Redact;
  /** VS Code's, as the settings have it. */
  identity: Identity;
  runtime: RuntimeWay | null;
  place(): SignInPlace;
  changed(session: Session): void;
}

/** GitHub is not asked before the access is wanted. */
export function openSession(
  dependencies: SessionDependencies,
  credential: Credential,
  github: GithubAddresses,
): Session {
  const { clock, log, hideSecret, place, changed } = dependencies;
  const { kind, token } = credential;
  if (token !== null) hideSecret(token, 'kept');
  const problem = kind === 'copilot-login' || token === null ? null : tokenProblem(token, kind);
  const notice = problem && { id: 'unusable-token', title: t('This token cannot work'), message: problem, url: null };
  const admission = admissionOf(dependencies, credential, github);
  const obtain = async (): Promise<Access> => {
    try {
      if (notice) throw new AccountError('refused', notice.message, signInAgain(place()), { notice });
      const access = await admission.obtain();
      // The runtime names it; whatever else is used is known here before it is.
      if (kind === 'copilot-login') hideSecret(access.authorization.replace(/^\S+\s+/u, ''), 'kept');
      session.notice = null;
      return access;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      noteRefusal(session, error, dependencies);
      // Which command signs in again depends on what was signed in with.
      throw isTakenBack(error)
        ? new AccountError(error.kind, error.message, takenBackHelp(kind, place()), error)
        : error;
    }
  };
  const session: Session = {
    credential,
    github,
    admission,
    shared: new SharedAccess({ way: wayOf(kind), obtain, clock, log, place, changed: () => changed(session) }),
    quotaHeaders: new QuotaHeaders(),
    user: null,
    notice: notice || null,
    reading: null,
  };
  return session;
}

function noteRefusal(session: Session, error: AccountError, { log, changed }: SessionDependencies): void {
  const { kind, status, host, code } = error;
  log.write('warn', 'token.mint-failed', { kind, status, host, code: error.notice?.id ?? code });
  if (kind !== 'refused') return;
  session.notice = noticeOf(error);
  changed(session);
}

/** Host of a company; null for github.com, or a stand-in on this machine, which the runtime gets in another way. */
function companyHost(web: URL): string | null {
  return web.host === 'github.com' || isLoopback(web.hostname) ? null : web.host;
}

function admissionOf(dependencies: SessionDependencies, credential: Credential, github: GithubAddresses): Admission {
  const { clock, runtime, place } = dependencies;
  const { kind, token } = credential;
  if (kind === 'vscode') return vscodeAdmission({ ...dependencies, github }, token ?? '');
  const asked = (way: RuntimeWay): RuntimeCredential =>
    token === null
      ? { kind: 'stored-sign-in', copilotHome: way.copilotHome() }
      : { kind: 'token', token, host: companyHost(github.web) };
  const usable = (): RuntimeWay => {
    if (runtime === null)
      throw new AccountError('broken', t('GitHub’s runtime can’t be used here.'), t('Update Jumpseat.'));
    return runtime;
  };
  return sdkAdmission({
    ...{ clock, place },
    ask: () => usable().ask(asked(usable())),
    askAuto: (githubToken) => usable().auto(githubToken),
  });
}
