import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import type { Access, Admission } from './access.ts';
import { AccountError, type AccountErrorKind, type SignInPlace, vscodeInstead } from './account-error.ts';
import type { AutoAnswer, ProviderEndpoint, RuntimeAnswer } from './sdk/endpoint.ts';
import type { RuntimeFailure } from './sdk/failure.ts';
import { type CopilotUser, readUser } from './user.ts';

interface SdkAdmissionDependencies {
  clock: Clock;
  place(): SignInPlace;
  /** Starts GitHub's runtime, asks it for an endpoint and ends it. */
  ask(): Promise<RuntimeAnswer>;
  /** Asks it, with a GitHub token of github.com, for a model that GitHub chooses. */
  askAuto(githubToken: string): Promise<AutoAnswer>;
}

/**
 * As GitHub's own runtime says: it is asked with a credential of the person's, and names address, bearer and headers.
 * Nothing expires; it is asked again when Copilot refuses what it said. After a failure requests don't start it again
 * for a while; who asks for the account by hand does.
 */
export function sdkAdmission(dependencies: SdkAdmissionDependencies): Admission {
  /** User of the last endpoint, until it is asked for. */
  let user: CopilotUser | null = null;
  let asking: Promise<ProviderEndpoint> | null = null;
  let last: ProviderEndpoint | null = null;
  const pause = new AskPause(dependencies.clock);

  const ask = async (): Promise<ProviderEndpoint> => {
    try {
      const answer = await dependencies.ask();
      if (!answer.ok) {
        const failure = accountError(answer.failure, dependencies.place());
        if (!notStarted.has(answer.failure.kind)) pause.failed(failure);
        throw failure;
      }
      pause.succeeded();
      user = userOf(answer.endpoint, dependencies.clock.now());
      last = answer.endpoint;
      return answer.endpoint;
    } finally {
      asking = null;
    }
  };
  const asked = (): Promise<ProviderEndpoint> => {
    asking ??= ask();
    return asking;
  };

  return {
    async obtain() {
      const standing = asking === null ? pause.standing() : null;
      if (standing !== null) throw standing;
      return accessOf(await asked(), dependencies);
    },
    async readUser() {
      if (user === null || asking !== null) await asked();
      const read = user;
      user = null;
      if (read === null) throw new Error('GitHub’s runtime reported nothing about the account');
      return read;
    },
    auto: {
      // The runtime shows the token to github.com's Copilot for it, whatever the host: a company's must not get there.
      isOpen: () => last?.host === 'github.com',
      async choose() {
        const endpoint = last;
        if (endpoint?.host !== 'github.com') return null;
        const answer = await dependencies.askAuto(githubTokenOf(endpoint, dependencies.place));
        if (!answer.ok) throw accountError(answer.failure, dependencies.place());
        return answer.session;
      },
    },
  };
}

/** Failures before a process was started: the next request tries again once it is fetched. */
const notStarted: ReadonlySet<RuntimeFailure['kind']> = new Set(['missing', 'not-executable', 'altered']);

/** The runtime gives the GitHub token itself as the bearer. */
function githubTokenOf(endpoint: ProviderEndpoint, place: () => SignInPlace): string {
  return authorizationOf(endpoint, place).replace(/^\S+\s+/u, '');
}

function authorizationOf({ headers }: ProviderEndpoint, place: () => SignInPlace): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  if (found !== undefined) return found;
  throw new AccountError(
    'broken',
    t('GitHub’s runtime returned no credential for Copilot.'),
    sentences(t('Update Jumpseat.'), vscodeInstead(place())),
    { code: 'unreadable' },
  );
}

function accessOf(endpoint: ProviderEndpoint, { clock, place }: SdkAdmissionDependencies): Access {
  const { baseUrl, headers, user } = endpoint;
  const authorization = authorizationOf(endpoint, place);
  const entries = Object.entries(headers);
  const always = Object.fromEntries(entries.filter(([name]) => !ofOneRequest.has(name.toLowerCase())));
  const ofOpenai = Object.fromEntries(
    entries.filter(([name]) => !['authorization', ...replaced].includes(name.toLowerCase())),
  );
  return {
    apiBase: baseUrl,
    authorization,
    identity: (path) => (path === '/chat/completions' || path === '/responses' ? ofOpenai : always),
    obtainedAt: clock.now(),
    usableUntil: null,
    sku: typeof user?.access_type_sku === 'string' ? user.access_type_sku : null,
  };
}

/** Said of every request as it is: who started it, and which prompt it belongs to. */
const replaced = ['x-initiator', 'x-interaction-id'];

/** The runtime adds these to the headers of OpenAI's two formats alone. */
const ofOneRequest = new Set(['authorization', ...replaced, 'content-type', 'accept', 'openai-intent']);

function userOf({ login, plan, user }: ProviderEndpoint, now: number): CopilotUser {
  const read = readUser(user ?? {}, now);
  return { ...read, login: read.login ?? login, plan: read.plan ?? plan };
}

function accountError({ kind, message, remedy, status }: RuntimeFailure, place: SignInPlace): AccountError {
  return new AccountError(errorKindOf(kind), message, `${remedy} ${vscodeInstead(place)}`, {
    status,
    code: kind === 'offline' ? null : kind,
  });
}

function errorKindOf(kind: RuntimeFailure['kind']): AccountErrorKind {
  switch (kind) {
    case 'not-signed-in':
    case 'token-refused':
    case 'no-copilot':
      return 'refused';
    case 'offline':
      return 'network';
    default:
      return 'broken';
  }
}

/** After the first failure in a row; twice as long after each further one. */
const shortestMs = 1_000;
const longestMs = 30_000;

/**
 * The pause after a question that failed and costs a new process each time: until it is over, the failure stands for
 * every request.
 */
class AskPause {
  readonly #clock: Clock;
  #failure: AccountError | null = null;
  #inARow = 0;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The failure that still holds, with the remaining wait; null if it may be asked. */
  standing(): AccountError | null {
    const leftMs = this.#until - this.#clock.ticks();
    if (this.#failure === null || leftMs <= 0) return null;
    const { kind, message, remedy, status, code } = this.#failure;
    return new AccountError(kind, message, remedy, { status, code, retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  failed(failure: AccountError): void {
    const pauseMs = Math.min(shortestMs * 2 ** this.#inARow, longestMs);
    this.#failure = failure;
    this.#inARow += 1;
    this.#until = this.#clock.ticks() + pauseMs;
  }

  succeeded(): void {
    this.#failure = null;
    this.#inARow = 0;
  }
}
