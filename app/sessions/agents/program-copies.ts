import { join } from 'node:path';
import type { NewestFound } from '../../api/sessions.ts';
import { compareVersions } from '../../claude-code/version.ts';
import { t } from '../../language/translate.ts';
import {
  newestVersion,
  packedBytes,
  readSignedRecord,
  removeOtherRecords,
  requireSigned,
  type SignedVersion,
  type SigningKey,
  writeSignedRecord,
} from '../../packages/newest-version.ts';
import { hashOf, type Package, PackageError, packageTitle } from '../../packages/package.ts';
import type { FetchedSoFar } from './agent.ts';
import type { Fetched } from './fetched.ts';

/** A package, and the path of its program inside. */
export interface Build {
  package: Package;
  program: string;
}

export interface CopiesDependencies {
  /** What Jumpseat was built for, then what earlier ones were: the integrity of each is in the repository. */
  pins: readonly [Build, ...Build[]];
  oldest: string;
  /** Where the records of signed versions are: not in the folder of the copies. */
  records: string;
  fetched: Pick<Fetched, 'placeOf' | 'versions' | 'fetch' | 'tidy' | 'registry'>;
  /** Instead of npm's own. */
  keys?: readonly SigningKey[];
  /** What has to be here for `tryProgram`. */
  leader(): Promise<readonly Package[]>;
  /** Tries to run sessions with it: rejects with a sentence about why not. Sends no requests. */
  tryProgram(file: string, version: string, signal: AbortSignal | undefined): Promise<void>;
}

interface Newer {
  version: SignedVersion;
  bytes: number;
}

/**
 * The copies of a program that Jumpseat fetched: which one sessions run, and how a newer one takes its place. One that
 * Jumpseat was built for has its integrity in the repository; a newer one is signed by a key that is there.
 */
export class ProgramCopies {
  readonly #given: CopiesDependencies;
  /** What the registry had when it was asked last. */
  #found: Newer | null = null;

  constructor(given: CopiesDependencies) {
    this.#given = given;
  }

  /** The newest copy here whose integrity is verified; null if none is. */
  async inUse(): Promise<Build | null> {
    const { pins, oldest, fetched, keys, records } = this.#given;
    const [{ package: of, program }] = pins;
    const versions = (await fetched.versions(of))
      .filter((version) => plainVersion.test(version) && compareVersions(version, oldest) >= 0)
      .sort(compareVersions)
      .reverse();
    for (const version of versions) {
      const pinned = pins.find((pin) => pin.package.version === version);
      const wanted = { name: of.name, version };
      const signed = pinned ? null : await readSignedRecord(records, wanted, keys);
      const build = pinned ?? (signed === null ? null : { package: signed, program });
      if (build !== null && (await fetched.placeOf(build.package)) !== null) return build;
    }
    return null;
  }

  /** What could take the place of the one in use, as far as it is known without asking anybody. */
  async newer(): Promise<{ version: string; bytes: number } | null> {
    const inUse = await this.inUse();
    if (inUse === null) return null;
    const [{ package: pinned }] = this.#given.pins;
    const found = this.#found;
    if (found !== null && isNewer(found.version, inUse.package) && isNewer(found.version, pinned)) {
      return { version: found.version.version, bytes: found.bytes };
    }
    return isNewer(pinned, inUse.package) ? { version: pinned.version, bytes: pinned.bytes } : null;
  }

  /** Asks the registry for the newest version, because a person asked. Rejects with `PackageError`. */
  async look(signal?: AbortSignal): Promise<NewestFound> {
    const { pins, fetched, keys } = this.#given;
    const [{ package: pinned }] = pins;
    const options = { ...(await fetched.registry()), ...(signal && { signal }), ...(keys && { keys }) };
    const version = await newestVersion(pinned.name, options);
    const inUse = (await this.inUse())?.package ?? pinned;
    const newest = isNewer(pinned, inUse) ? pinned : inUse;
    this.#found = null;
    if (!isNewer(version, newest)) return { version: newest.version, isNewer: isNewer(newest, inUse) };
    requireSigned(version, options);
    this.#found = { version, bytes: await packedBytes(version, options) };
    return { version: version.version, isNewer: true };
  }

  /**
   * Fetches what `newer` names; the one in use stays until `tidy`. Rejects with `PackageError`, or with the signal's
   * reason: then the one before it is in use.
   */
  async update(options: { signal?: AbortSignal; onProgress?(progress: FetchedSoFar): void }): Promise<void> {
    const { pins, fetched, leader } = this.#given;
    const newer = await this.newer();
    if (newer === null) return;
    const [{ package: pinned }] = pins;
    const before = await leader();
    const found = this.#found;
    if (newer.version === pinned.version || found === null) {
      await fetched.fetch([...before, pinned], { ...options, keepOthers: true });
      return;
    }
    const { version, bytes } = found;
    const wanted = { name: version.name, version: version.version, integrity: version.integrity, bytes, programs: {} };
    await fetched.fetch([...before, wanted], {
      ...options,
      keepOthers: true,
      look: async (fetchedNow, unpacked) => {
        if (fetchedNow === wanted) await this.#takeIn(wanted, version, unpacked, options.signal);
      },
    });
    this.#found = null;
  }

  /** Lets go of the others. What runs one of them fails to start another process of it then. */
  async tidy(): Promise<void> {
    const inUse = await this.inUse();
    if (inUse === null) return;
    await this.#given.fetched.tidy(inUse.package);
    await removeOtherRecords(this.#given.records, inUse.package);
  }

  async #takeIn(wanted: Package, { signatures }: SignedVersion, unpacked: string, signal?: AbortSignal): Promise<void> {
    const { pins, records, tryProgram } = this.#given;
    const [{ program }] = pins;
    const file = join(unpacked, program);
    const hash = await hashOf(file, 'sha256');
    const title = packageTitle(wanted);
    const remedy = t('The one before it is still used. Wait for a newer Jumpseat, or for the next version.');
    if (hash === null) throw new PackageError('unusable', t('{title} holds no {program}.', { title, program }), remedy);
    try {
      await tryProgram(file, wanted.version, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new PackageError(
        'unusable',
        t('{title} was fetched and can’t lead sessions here: {why}', { title, why }),
        remedy,
        {
          cause: error,
        },
      );
    }
    await writeSignedRecord(records, { ...wanted, programs: { [program]: hash }, signatures });
  }
}

const plainVersion = /^\d+\.\d+\.\d+$/;

function isNewer(one: { version: string }, other: { version: string }): boolean {
  return compareVersions(one.version, other.version) > 0;
}
