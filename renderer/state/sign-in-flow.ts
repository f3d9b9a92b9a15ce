import { createStore } from 'zustand/vanilla';
import type { SignInRequest, SignInResult } from '../../app/api/account.ts';
import { t } from '../../app/language/translate.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { go, home, type Route } from './routes.ts';
import type { WindowStore } from './window-state.ts';

type SignInStep =
  /** Nothing was asked for here; another front may be at it. */
  | { kind: 'idle' }
  /** From the question to GitHub until the end of the flow. The code itself is in the app's state. */
  | { kind: 'under-way' }
  | { kind: 'ended'; result: SignInResult };

/** One sign-in at a time, whichever view shows it; and where the person came from. */
export class SignInFlow {
  readonly store = createStore<{ step: SignInStep }>(() => ({ step: { kind: 'idle' } }));
  readonly #bridge: Bridge;
  readonly #window: WindowStore;
  #before: Route = home;
  #round = 0;
  /** The way that was asked for last, until it came to its end; null for the one in use. */
  #request: SignInRequest | null = null;

  constructor(dependencies: { bridge: Bridge; store: WindowStore }) {
    this.#bridge = dependencies.bridge;
    this.#window = dependencies.store;
  }

  /** Remembers the place to go back to. Returns the way to stop. */
  start(): () => void {
    return this.#window.subscribe(({ route }) => {
      if (route.place !== 'sign-in' && route.place !== 'welcome') this.#before = route;
    });
  }

  /**
   * Asks for a code, for the way in use or for another one. One that is out already goes on being waited for.
   */
  readonly begin = async (request: SignInRequest | null = this.#request): Promise<void> => {
    const { signIn, signInWith } = this.#bridge;
    const isUnderWay = this.store.getState().step.kind === 'under-way';
    if (isUnderWay && request === this.#request) return;
    this.#round += 1;
    const round = this.#round;
    // Another way needs another code.
    if (isUnderWay) await this.#bridge.cancelSignIn().catch(() => undefined);
    if (round !== this.#round) return;
    this.store.setState({ step: { kind: 'under-way' } });
    this.#request = request;
    const result = await (request === null ? signIn() : signInWith(request)).catch(
      (error: unknown): SignInResult => ({
        kind: 'failed',
        text: error instanceof Error ? error.message : String(error),
        remedy: error instanceof BridgeError ? error.remedy : t('Try again.'),
      }),
    );
    if (round !== this.#round) return;
    if (result.kind === 'signed-in') this.#request = null;
    this.store.setState({ step: { kind: 'ended', result } });
  };

  readonly cancel = (): void => {
    this.#round += 1;
    this.#request = null;
    this.store.setState({ step: { kind: 'idle' } });
    void this.#bridge.cancelSignIn();
  };

  /** What was said about the last one has been read. */
  readonly forget = (): void => {
    this.#request = null;
    if (this.store.getState().step.kind === 'ended') this.store.setState({ step: { kind: 'idle' } });
  };

  readonly goBack = (): void => {
    this.forget();
    go(this.#before);
  };
}
