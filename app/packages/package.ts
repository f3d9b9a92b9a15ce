import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { t } from '../language/translate.ts';
import { NetworkError, RemedyError } from '../ports.ts';

/** One version of a package of the npm registry, as it was chosen when Jumpseat was built. */
export interface Package {
  /** `@github/copilot-sdk-linux-x64` */
  name: string;
  version: string;
  /** `sha512-…` in base64, of the packed file. */
  integrity: string;
  /** Size of the packed file, shown before it is downloaded. */
  bytes: number;
  /** Files that are checked again before they are used, with the integrity of each; paths inside the package. */
  programs: Readonly<Record<string, string>>;
}

export interface FetchProgress {
  /** Bytes of the packed file. */
  received: number;
  total: number;
}

/** For people and for the log: `@github/copilot-sdk-linux-x64 1.0.14`. */
export function packageTitle({ name, version }: Pick<Package, 'name' | 'version'>): string {
  return `${name} ${version}`;
}

/**
 * - `registry`: the configured registry cannot be asked.
 * - `network`: no answer, or one that broke off. `refused`: the registry answered with an error.
 * - `altered`: the bytes are not the ones that were chosen.
 * - `unsigned`: no key that Jumpseat knows has signed them. `unusable`: they are what was signed, and did not work.
 * - `disk`: they cannot be written.
 */
type PackageErrorKind = 'registry' | 'network' | 'refused' | 'altered' | 'unsigned' | 'unusable' | 'disk';

/** A package was not fetched, and nothing of it is left. `message` says what happened and why, `remedy` what to do. */
export class PackageError extends RemedyError {
  override readonly name = 'PackageError';
  readonly kind: PackageErrorKind;
  constructor(kind: PackageErrorKind, message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, remedy, options);
    this.kind = kind;
  }
}

/** What happened while a registry was asked, for people. What is not of the network or of us is thrown as it came. */
export function asRegistryError(error: unknown, what: string, registry: URL): PackageError {
  if (error instanceof PackageError) return error;
  if (!(error instanceof NetworkError)) throw error;
  return new PackageError(
    'network',
    t('{what} couldn’t be fetched from {host}: {message}.', { what, host: registry.host, message: error.message }),
    t('Look at the connection, and at the proxy and the certificates if there are some, and try again.'),
    { cause: error },
  );
}

/** Folder with the versions of a package, below the folder of all packages. */
export function versionsFolder(folder: string, { name }: Pick<Package, 'name'>): string {
  return join(folder, name.replace(/^@/u, '').replace('/', '-'));
}

export function installedFolder(folder: string, wanted: Pick<Package, 'name' | 'version'>): string {
  return join(versionsFolder(folder, wanted), wanted.version);
}

/** Where this version is installed with each of its programs; null if it has to be fetched. Reads no program. */
export async function installedPackage(folder: string, wanted: Package): Promise<string | null> {
  const place = installedFolder(folder, wanted);
  for (const path of ['package.json', ...Object.keys(wanted.programs)]) {
    const found = await stat(join(place, path)).catch(() => null);
    if (!found?.isFile()) return null;
  }
  return place;
}

/** The first program whose bytes are not those that were chosen; null if all are. Reads each to its end. */
export async function alteredProgram(place: string, wanted: Package): Promise<string | null> {
  for (const [path, integrity] of Object.entries(wanted.programs)) {
    if ((await integrityOf(join(place, path), integrity)) !== integrity) return path;
  }
  return null;
}

/** Lets go of the other versions. What is in use stays until the next time, where the system insists. */
export async function removeOtherVersions(folder: string, wanted: Pick<Package, 'name' | 'version'>): Promise<void> {
  const versions = versionsFolder(folder, wanted);
  for (const entry of await readdir(versions, { withFileTypes: true }).catch(() => [])) {
    if (entry.name === wanted.version || !(await mayGo(versions, entry.name))) continue;
    await rm(join(versions, entry.name), { recursive: true, force: true }).catch(() => undefined);
  }
}

export const partPrefix = '.part-';
const partIsStaleAfterMs = 24 * 60 * 60_000;

/** What is being fetched now stays; what a killed process left behind goes. */
async function mayGo(versions: string, name: string): Promise<boolean> {
  if (!name.startsWith(partPrefix)) return true;
  const found = await stat(join(versions, name)).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > partIsStaleAfterMs;
}

/** Versions of a package that are here, whole or not. */
export async function keptVersions(folder: string, of: Pick<Package, 'name'>): Promise<string[]> {
  const entries = await readdir(versionsFolder(folder, of), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(partPrefix)).map(({ name }) => name);
}

/** Hash of the same kind as the one compared with: `sha512-…` or `sha256-…`. */
async function integrityOf(file: string, wanted: string): Promise<string | null> {
  return hashOf(file, wanted.startsWith('sha256-') ? 'sha256' : 'sha512');
}

/** `sha256-…` in base64; null if it can't be read. */
export async function hashOf(file: string, algorithm: 'sha256' | 'sha512'): Promise<string | null> {
  const hash = createHash(algorithm);
  try {
    await pipeline(createReadStream(file), hash);
  } catch {
    return null;
  }
  return `${algorithm}-${hash.digest('base64')}`;
}
