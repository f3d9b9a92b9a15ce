import type { DeviceCode, SignInRequest, SignInResult } from '../api/account.ts';
import { t } from '../language/translate.ts';
import type { Clock, Dialer, HideSecret, Log } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { type Credential, tokenProblem } from './credential.ts';
import { defaultClientId, defaultScope, runDeviceFlow } from './device-flow.ts';
import type { RuntimeWay } from './session.ts';

interface SignInAttemptsDependencies {
  dialer: Dialer;
  clock: Clock;
  log: Log;
  runtime?: Pick<RuntimeWay, 'clientId'>;
  clientId?: string;
  scope?: string;
  hideSecret: HideSecret;
  /** There is a code for the person, or none any more. */
  changed(): void;
  /** A credential was given: it is to be stored and used, as long as the attempt is wanted. */
  complete(credential: Credential, attempt: Attempt): Promise<SignInResult>;
}

/** One sign-in under way. */
export interface Attempt {
  readonly github: GithubAddresses;
  readonly signal: AbortSignal | undefined;
  /** False if it was left, or if there was a sign-out or another sign-in since. */
  isWanted(): boolean;
  isSignedOut(): boolean;
}

/** The sign-ins to one account: the one that began last counts, and none that began before a sign-out. */
export class SignInAttempts {
  readonly #dependencies: SignInAttemptsDependencies;
  /** The sign-in that is waiting for the person. */
  #flow: AbortController | null = null;
  #code: DeviceCode | null = null;
  #generation = 0;
  /** The sign-in that began last: an earlier one, of whatever kind, may not end after it began. */
  #last: symbol | null = null;

  constructor(dependencies: SignInAttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Code to enter at GitHub; null if no sign-in waits. */
  get code(): DeviceCode | null {
    return this.#code;
  }

  /** Changes with every `endAll`: what began before it may not end after it. */
  get generation(): number {
    return this.#generation;
  }

  /** Signed out, or gone over to another host or way. */
  endAll(): void {
    this.#generation += 1;
    this.#flow?.abort();
    this.#endFlow();
  }

  /** The code has done its work, unless another sign-in waits by now. */
  codeIsUsed(): void {
    if (!this.#flow) this.#code = null;
  }

  /** Runs a sign-in to its end. An earlier one that still waits ends as `cancelled`. */
  async run(
    request: SignInRequest,
    github: GithubAddresses,
    shown: (code: DeviceCode) => void,
    signal: AbortSignal | undefined,
  ): Promise<SignInResult> {
    this.#flow?.abort();
    this.#endFlow();
    const attempt = this.#begin(github, signal);
    const { complete, hideSecret } = this.#dependencies;
    switch (request.kind) {
      case 'copilot-login':
        return complete({ kind: 'copilot-login', token: null }, attempt);
      case 'token': {
        const token = request.token.trim();
        hideSecret(token, 'kept');
        const problem = tokenProblem(token, 'token');
        if (problem !== null) return { kind: 'failed', text: problem, remedy: t('Nothing was stored.') };
        return complete({ kind: 'token', token }, attempt);
      }
      default: {
        const { kind } = request;
        const app = this.#appOf(kind);
        if ('text' in app) return app;
        return this.#runFlow(app.clientId, shown, attempt, (token) => complete({ kind, token }, attempt));
      }
    }
  }

  #begin(github: GithubAddresses, signal: AbortSignal | undefined): Attempt {
    const mine = Symbol();
    this.#last = mine;
    const generation = this.#generation;
    const isWanted = (): boolean => generation === this.#generation && this.#last === mine && signal?.aborted !== true;
    return { github, signal, isWanted, isSignedOut: () => generation !== this.#generation };
  }

  /** The app that asks for the sign-in. */
  #appOf(kind: 'vscode' | 'own-app'): { clientId: string } | Extract<SignInResult, { kind: 'failed' }> {
    const own = this.#dependencies.clientId ?? defaultClientId;
    if (kind === 'vscode') return { clientId: own };
    const clientId = this.#dependencies.runtime?.clientId() ?? null;
    if (clientId !== null && clientId !== defaultClientId) return { clientId };
    return {
      kind: 'failed',
      text:
        clientId === null
          ? t('This sign-in needs your own OAuth app, and githubClientId is not set.')
          : t(
              'The client id in the settings is that of VS Code’s app, whose tokens are never used as another program.',
            ),
      remedy: t(
        'Make one at github.com/settings/developers with the device flow on, and set githubClientId to its client id.',
      ),
    };
  }

  async #runFlow(
    clientId: string,
    shown: (code: DeviceCode) => void,
    { github, signal }: Attempt,
    complete: (token: string) => Promise<SignInResult>,
  ): Promise<SignInResult> {
    const flow = new AbortController();
    this.#flow = flow;
    try {
      const end = await runDeviceFlow(
        { ...this.#dependencies, github, clientId, scope: this.#dependencies.scope ?? defaultScope },
        (code) => {
          this.#code = code;
          this.#dependencies.changed();
          shown(code);
        },
        signal ? AbortSignal.any([signal, flow.signal]) : flow.signal,
      );
      if (end.kind !== 'granted') return end;
      this.#flow = null;
      return await complete(end.githubToken);
    } finally {
      if (this.#flow === flow || this.#flow === null) this.#endFlow();
    }
  }

  #endFlow(): void {
    this.#flow = null;
    if (!this.#code) return;
    this.#code = null;
    this.#dependencies.changed();
  }
}
