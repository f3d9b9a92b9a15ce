import type { LmModel } from './models.ts';

/** What the person has said about the use of Copilot's models. `unknown`: not asked yet. */
export type ConsentState = 'unknown' | 'waiting' | 'given' | 'refused';

/** How long a request waits for the dialog; less than the wait for a first event, so that the refusal has a status. */
const withinMs = 25_000;

const atOnceMs = 1_000;

interface ConsentDependencies {
  /** True if this window, or an earlier one, remembers consent. */
  wasGiven: boolean;
  remember(given: boolean): void;
  changed(): void;
  /** For tests. */
  withinMs?: number;
}

/**
 * The consent that VS Code asks a person for, once for all models. VS Code does not tell whether it was given
 * (`canSendRequest` is always true), but a request that is cancelled before it begins ends at once where it was, and
 * shows the dialog where it wasn't; nothing is sent either way. The dialog stands in the window of this extension for
 * as long as it is not answered: all requests wait for the same one.
 */
export class Consent {
  readonly #dependencies: ConsentDependencies;
  #state: ConsentState;
  #asking: Promise<ConsentState> | null = null;
  /** Seen in this process, and not only remembered. */
  #isSure = false;

  constructor(dependencies: ConsentDependencies) {
    this.#dependencies = dependencies;
    this.#state = dependencies.wasGiven ? 'given' : 'unknown';
  }

  get state(): ConsentState {
    return this.#state;
  }

  /** A person asked for it: the dialog is shown, also after a refusal, and waited for. */
  ask(model: LmModel): Promise<ConsentState> {
    this.#asking ??= this.#ask(model).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /**
   * For a request. One refusal is an answer: no further request brings the dialog back. `waiting`: the person has not
   * answered it in time.
   */
  async forRequest(model: LmModel, signal: AbortSignal): Promise<ConsentState> {
    if (this.#isSure && this.#asking === null) return this.#state;
    if (this.#state === 'refused') return 'refused';
    const { withinMs: ms = withinMs } = this.#dependencies;
    let timer: NodeJS.Timeout | undefined;
    let left = (): void => undefined;
    const late = new Promise<ConsentState>((resolve, reject) => {
      timer = setTimeout(() => resolve('waiting'), ms);
      left = () => reject(signal.reason);
      if (signal.aborted) left();
      signal.addEventListener('abort', left, { once: true });
    });
    try {
      return await Promise.race([this.ask(model), late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', left);
    }
  }

  /** VS Code refused a request: it was taken back. */
  refused(): void {
    this.#becomes('refused');
  }

  async #ask(model: LmModel): Promise<ConsentState> {
    // Where it was given before, the answer comes at once; a dialog means that it was taken back.
    const waits = setTimeout(() => this.#show('waiting'), this.#state === 'given' ? atOnceMs : 0);
    try {
      await model.askConsent();
      this.#becomes('given');
    } catch (error) {
      // Any other end of a request that was cancelled before is none of the consent's: the request itself will tell.
      this.#becomes(isNoPermission(error) ? 'refused' : 'given');
    } finally {
      clearTimeout(waits);
    }
    return this.#state;
  }

  #becomes(state: 'given' | 'refused'): void {
    this.#isSure = true;
    this.#dependencies.remember(state === 'given');
    this.#show(state);
  }

  #show(state: ConsentState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#dependencies.changed();
  }
}

function isNoPermission(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NoPermissions';
}
