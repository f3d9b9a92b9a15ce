import type { CopilotRuntime } from '../account/sdk/copilot-runtime.ts';
import type { RuntimeState } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import { t } from '../language/translate.ts';
import { type FetchProgress, PackageError } from '../packages/package.ts';

interface RuntimeFetchDependencies {
  runtime: Pick<CopilotRuntime, 'package' | 'installed' | 'fetch'>;
  changed(): void;
}

/** Told at most so often while it is fetched, by share of the whole. */
const steps = 100;

/** Whether GitHub's runtime is on this machine, and how it gets here when a person asks for it. */
export class RuntimeFetch {
  readonly #dependencies: RuntimeFetchDependencies;
  #isHere = false;
  #problem: Problem | null = null;
  #progress: FetchProgress | null = null;
  #fetching: { done: Promise<void>; abort: AbortController } | null = null;

  constructor(dependencies: RuntimeFetchDependencies) {
    this.#dependencies = dependencies;
  }

  /** State at the last look. */
  state(): RuntimeState {
    const wanted = this.#dependencies.runtime.package;
    if (wanted === null) {
      return {
        kind: 'unavailable',
        text: t(
          'Jumpseat doesn’t have GitHub’s runtime for this system: it fetches only packages whose files it knows.',
        ),
        remedy: t('Sign in as VS Code: "jumpseat login --way vscode".'),
      };
    }
    if (this.#progress !== null) return { kind: 'fetching', ...this.#progress };
    const { version, bytes } = wanted;
    if (this.#isHere) return { kind: 'ready', version };
    return { kind: 'absent', version, bytes, problem: this.#problem };
  }

  /** Looks whether it is installed: another process may have fetched it. */
  async look(): Promise<RuntimeState> {
    const isHere = (await this.#dependencies.runtime.installed()) !== null;
    if (isHere !== this.#isHere) {
      this.#isHere = isHere;
      this.#dependencies.changed();
    }
    return this.state();
  }

  /** Once at a time. Rejects with `PackageError`, or with an `AbortError` when it was ended. */
  fetch(): Promise<void> {
    if (this.#fetching === null) {
      const abort = new AbortController();
      const done = this.#fetch(abort.signal).finally(() => {
        this.#fetching = null;
        this.#progress = null;
        this.#dependencies.changed();
      });
      this.#fetching = { done, abort };
    }
    return this.#fetching.done;
  }

  cancel(): void {
    this.#fetching?.abort.abort();
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { runtime } = this.#dependencies;
    const state = this.state();
    if (state.kind === 'unavailable') throw new PackageError('refused', state.text, state.remedy);
    this.#problem = null;
    this.#note({ received: 0, total: runtime.package?.bytes ?? 0 });
    try {
      await runtime.fetch(signal, (progress) => this.#note(progress));
      this.#isHere = (await runtime.installed()) !== null;
    } catch (error) {
      if (error instanceof PackageError) {
        this.#problem = { code: `fetch-${error.kind}`, text: error.message, remedy: error.remedy };
      }
      throw error;
    }
  }

  #note(progress: FetchProgress): void {
    const share = ({ received, total }: FetchProgress) => Math.floor((received / Math.max(1, total)) * steps);
    const isNews = this.#progress === null || share(progress) !== share(this.#progress);
    this.#progress = progress;
    if (isNews) this.#dependencies.changed();
  }
}
