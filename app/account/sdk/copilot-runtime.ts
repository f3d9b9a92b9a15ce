import { join } from 'node:path';
import { configuredRegistry } from '../../packages/download.ts';
import { alteredProgram, type FetchProgress, installedPackage, type Package } from '../../packages/package.ts';
import type { Dialer, Paths } from '../../ports.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { RuntimeDependencies } from './ask-runtime.ts';
import type { AutoAnswer, RuntimeAnswer, RuntimeCredential } from './endpoint.ts';
import { failureInWords, type RuntimeFailure, RuntimeFault } from './failure.ts';
import { githubHost } from './runtime-environment.ts';
import { licensePackage, type RuntimePackage } from './runtime-package.ts';

interface CopilotRuntimeDependencies extends Omit<RuntimeDependencies, 'folder' | 'dialer'> {
  dialer: Dialer;
  paths: Pick<Paths, 'cache'>;
  /** Where npm's own settings of the person are. */
  userHome: string;
  /** Null if GitHub's runtime is not offered for this system. */
  runtime: RuntimePackage | null;
  /** Package with GitHub's licence. Default: the real one. */
  license?: Package;
}

/** GitHub's runtime on this machine: fetched on request, asked, and never left running. */
export class CopilotRuntime {
  readonly #dependencies: CopilotRuntimeDependencies;
  /** Looked at until it is found whole, as reading 100 MB takes a quarter of a second. */
  #looked: Promise<string | null> | null = null;
  /** A program of it is not what was fetched, so that it counts as not there. */
  #isDamaged = false;
  /** Resolves when all who asked before have ended. */
  #asked: Promise<void> = Promise.resolve();

  constructor(dependencies: CopilotRuntimeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Package to fetch; null if it is not offered for this system. */
  get package(): RuntimePackage['package'] | null {
    return this.#dependencies.runtime?.package ?? null;
  }

  /** Where it is on this machine; null if it has to be fetched first. */
  async installed(): Promise<string | null> {
    const { runtime } = this.#dependencies;
    return runtime === null || this.#isDamaged ? null : installedPackage(this.#packages, runtime.package);
  }

  /**
   * Fetches it where it is not here or was damaged, with GitHub's licence beside it. Rejects with `PackageError`, or
   * with the signal's reason.
   */
  async fetch(signal?: AbortSignal, onProgress?: (progress: FetchProgress) => void): Promise<void> {
    const { runtime, environment, userHome, dialer, license = licensePackage } = this.#dependencies;
    if (runtime === null) return;
    // Loaded when it is used, so that the start stays short; so is what asks.
    const { fetchPackage } = await import('../../packages/fetch-package.ts');
    const registry = await configuredRegistry(environment, userHome);
    const place = await installedPackage(this.#packages, runtime.package);
    const again = place !== null && (await alteredProgram(place, runtime.package)) !== null;
    const options = { folder: this.#packages, registry, dialer, ...(signal === undefined ? {} : { signal }) };
    const text = join(await fetchPackage(license, options), 'LICENSE.md');
    await fetchPackage(runtime.package, {
      ...options,
      again,
      beside: { 'LICENSE.md': text },
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    this.#looked = null;
    this.#isDamaged = false;
  }

  /** Rejects only with the signal's reason. */
  async ask(credential: RuntimeCredential, signal?: AbortSignal): Promise<RuntimeAnswer> {
    const place = await this.#place(credential);
    if (typeof place !== 'string') return { ok: false, failure: place };
    const question = { runtimePath: place, credential, ...(signal === undefined ? {} : { signal }) };
    const { askEndpoint } = await import('./ask-endpoint.ts');
    return this.#inTurn(signal, () => askEndpoint(this.#asking, question));
  }

  /** For an account of github.com alone; see `askAuto`. Rejects only with the signal's reason. */
  async auto(token: string, signal?: AbortSignal): Promise<AutoAnswer> {
    const credential = { kind: 'token', token, host: null } as const;
    const place = await this.#place(credential);
    if (typeof place !== 'string') return { ok: false, failure: place };
    const question = { runtimePath: place, credential, ...(signal === undefined ? {} : { signal }) };
    const { askAuto } = await import('./ask-endpoint.ts');
    return this.#inTurn(signal, () => askAuto(this.#asking, question));
  }

  /** What the runtime notes of an account it would take for that of another one which is asked for meanwhile. */
  async #inTurn<Answer>(signal: AbortSignal | undefined, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#asked;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked = before.then(() => promise);
    try {
      await unlessAborted(before, signal);
      return await ask();
    } finally {
      resolve();
    }
  }

  /** The program, looked at before it is started for the first time. */
  async #place(credential: RuntimeCredential): Promise<string | RuntimeFailure> {
    const { runtime } = this.#dependencies;
    const failed = (fault: RuntimeFault) => failureInWords(fault, githubHost(credential));
    const place = runtime === null ? null : await installedPackage(this.#packages, runtime.package);
    if (runtime === null || place === null) return failed(new RuntimeFault('missing'));
    this.#looked ??= alteredProgram(place, runtime.package);
    const altered = await this.#looked;
    this.#isDamaged = altered !== null;
    if (altered === null) return join(place, runtime.program);
    this.#looked = null;
    return failed(new RuntimeFault('altered', altered));
  }

  get #packages(): string {
    return join(this.#dependencies.paths.cache, 'packages');
  }

  get #asking(): RuntimeDependencies {
    return { ...this.#dependencies, folder: join(this.#dependencies.paths.cache, 'copilot-runtime') };
  }
}
