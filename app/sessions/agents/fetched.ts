import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../language/translate.ts';
import { configuredRegistry } from '../../packages/download.ts';
import {
  alteredProgram,
  installedPackage,
  keptVersions,
  type Package,
  packageTitle,
  removeOtherVersions,
  versionsFolder,
} from '../../packages/package.ts';
import type { Dialer, Paths } from '../../ports.ts';
import { AgentError, type FetchedSoFar } from './agent.ts';

interface FetchedDependencies {
  dialer: Dialer;
  paths: Pick<Paths, 'cache'>;
  /** Jumpseat's own environment, and where npm's settings of the person are. */
  environment: Readonly<Record<string, string | undefined>>;
  userHome: string;
}

interface FetchOptions {
  signal?: AbortSignal;
  onProgress?(progress: FetchedSoFar): void;
  /** Looks at each before it is in its place. Where this rejects, nothing of that one is left. */
  look?(fetched: Package, unpacked: string): Promise<void>;
  /** Keeps other versions until `tidy`. */
  keepOthers?: boolean;
}

/** The packages of agents on this machine. Fetched on request alone, and looked at before they are run. */
export class Fetched {
  readonly #dependencies: FetchedDependencies;
  /** Whether one is whole is looked at once: reading 370 MB takes a while. */
  readonly #altered = new Map<string, Promise<string | null>>();

  constructor(dependencies: FetchedDependencies) {
    this.#dependencies = dependencies;
  }

  /** Where it is; null if it has to be fetched. */
  placeOf(wanted: Package): Promise<string | null> {
    return installedPackage(this.#folder, wanted);
  }

  /** The path of a file inside, ready to be run. Rejects with `AgentError` where it is not what was fetched. */
  async program(wanted: Package, file: string): Promise<string> {
    const place = await this.placeOf(wanted);
    const title = packageTitle(wanted);
    if (place === null)
      throw new AgentError('unavailable', t('{title} is not here.', { title }), t('Let Jumpseat fetch it.'));
    const looked = this.#altered.get(title) ?? alteredProgram(place, wanted);
    this.#altered.set(title, looked);
    const altered = await looked;
    if (altered === null) return join(place, file);
    this.#altered.delete(title);
    const message = t('{altered} of {title} isn’t what was fetched, so it is not run.', { altered, title });
    throw new AgentError('unavailable', message, t('Delete {place} and let Jumpseat fetch it again.', { place }));
  }

  /** Rejects with `PackageError`, or with the signal's reason; what was fetched before that stays. */
  async fetch(packages: readonly Package[], options: FetchOptions): Promise<void> {
    const { fetchPackage } = await import('../../packages/fetch-package.ts');
    const { registry, dialer } = await this.registry();
    const { look } = options;
    const total = packages.reduce((all, { bytes }) => all + bytes, 0);
    let before = 0;
    for (const wanted of packages) {
      const place = await this.placeOf(wanted);
      await fetchPackage(wanted, {
        ...{ folder: this.#folder, registry, dialer },
        again: place !== null && (await alteredProgram(place, wanted)) !== null,
        ...(options.signal && { signal: options.signal }),
        ...(options.keepOthers && { keepOthers: true }),
        ...(look && { look: (unpacked: string) => look(wanted, unpacked) }),
        onProgress: ({ received }) => options.onProgress?.({ received: before + received, total }),
      });
      this.#altered.delete(packageTitle(wanted));
      before += wanted.bytes;
      options.onProgress?.({ received: before, total });
    }
  }

  /** The registry of this machine. Rejects with `PackageError` where it can't be asked. */
  async registry(): Promise<{ registry: URL; dialer: Dialer }> {
    const { environment, userHome, dialer } = this.#dependencies;
    return { registry: await configuredRegistry(environment, userHome), dialer };
  }

  /** Versions that are here, whole or not. */
  versions(of: Pick<Package, 'name'>): Promise<string[]> {
    return keptVersions(this.#folder, of);
  }

  /** Lets go of the other versions. */
  async tidy(current: Package): Promise<void> {
    await removeOtherVersions(this.#folder, current);
  }

  /** Takes every version of it away, because a person asked for it. Rejects with `AgentError` where it is in use. */
  async remove(wanted: Package): Promise<void> {
    const place = versionsFolder(this.#folder, wanted);
    this.#altered.delete(packageTitle(wanted));
    try {
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = t('{title} couldn’t be removed: {why}.', { title: packageTitle(wanted), why });
      throw new AgentError(
        'unavailable',
        message,
        t('Unload the sessions that use it, or delete {place} yourself.', { place }),
      );
    }
  }

  get #folder(): string {
    return join(this.#dependencies.paths.cache, 'packages');
  }
}
