import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { TarHeader } from 'modern-tar';
import { unpackTar } from 'modern-tar/fs';
import { t } from '../language/translate.ts';
import { type Dialer, NetworkError } from '../ports.ts';
import { openPacked } from './download.ts';
import {
  alteredProgram,
  asRegistryError,
  type FetchProgress,
  installedFolder,
  installedPackage,
  type Package,
  PackageError,
  packageTitle,
  partPrefix,
  removeOtherVersions,
  versionsFolder,
} from './package.ts';

export interface FetchOptions {
  /** Folder of all packages. Created if missing, for this user alone. */
  folder: string;
  registry: URL;
  dialer: Dialer;
  signal?: AbortSignal;
  onProgress?(progress: FetchProgress): void;
  /** Replaces what is installed, although it looks whole. */
  again?: boolean;
  /** Files of this machine placed beside the package's own from the start, by their names there. */
  beside?: Readonly<Record<string, string>>;
  /** Looks at it before it is in its place, and may write beside its files. Where this rejects, nothing is left. */
  look?(unpacked: string): Promise<void>;
  /** Keeps other versions, because something may still run them. */
  keepOthers?: boolean;
}

/**
 * Fetches a package and installs it: first into a folder beside the final one, then by one rename, so that what is
 * there is whole. Other versions go. Rejects with `PackageError`, or with the signal's reason when aborted; then
 * nothing is left.
 * @returns the folder that holds the package's files
 */
export async function fetchPackage(wanted: Package, options: FetchOptions): Promise<string> {
  const place = installedFolder(options.folder, wanted);
  if (!options.again && (await installedPackage(options.folder, wanted)) !== null) return place;
  let work: string | null = null;
  try {
    const versions = versionsFolder(options.folder, wanted);
    await mkdir(versions, { recursive: true, mode: 0o700 });
    work = await mkdtemp(join(versions, partPrefix));
    const packed = join(work, 'packed.tgz');
    await download(wanted, packed, options);
    const unpacked = join(work, 'unpacked');
    await unpackPackage(packed, unpacked, options.signal);
    for (const [name, file] of Object.entries(options.beside ?? {})) await copyFile(file, join(unpacked, name));
    await options.look?.(unpacked);
    options.signal?.throwIfAborted();
    await putInPlace(unpacked, work, options.folder, wanted);
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    throw asPackageError(error, wanted, options);
  } finally {
    if (work !== null) await rm(work, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
  if (!options.keepOthers) await removeOtherVersions(options.folder, wanted);
  return place;
}

async function download(wanted: Package, file: string, options: FetchOptions): Promise<void> {
  const response = await openPacked(wanted, options);
  const hash = createHash('sha512');
  let received = 0;
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > wanted.bytes) {
        done(altered(wanted, options.registry));
        return;
      }
      hash.update(chunk);
      options.onProgress?.({ received, total: wanted.bytes });
      done(null, chunk);
    },
  });
  const bytes = bytesOf(response, options.registry.host);
  await pipeline(bytes, look, createWriteStream(file, { mode: 0o600 }), { signal: options.signal });
  if (`sha512-${hash.digest('base64')}` !== wanted.integrity) throw altered(wanted, options.registry);
}

/** Reports a broken connection as such, and not as a fault of the disk. */
async function* bytesOf(response: IncomingMessage, host: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response) yield chunk;
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new NetworkError(host, 'ECONNRESET', 'the answer broke off', { cause: error });
  }
}

/** How often another process may be faster with what is not whole. */
const mostReplaced = 5;

/** What was there goes first: a folder is not replaced by a rename. */
async function putInPlace(unpacked: string, work: string, folder: string, wanted: Package): Promise<void> {
  const place = installedFolder(folder, wanted);
  for (let nth = 0; ; nth += 1) {
    await rename(place, join(work, `replaced-${nth}`)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    try {
      return await rename(unpacked, place);
    } catch (error) {
      // Windows says EPERM of a folder that is there.
      const isThere = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String(codeOf(error)));
      if (!isThere || nth === mostReplaced) throw error;
      // Another process has fetched the same, and was faster.
      const isWhole = (await installedPackage(folder, wanted)) !== null;
      if (isWhole && (await alteredProgram(place, wanted)) === null) return;
    }
  }
}

function asPackageError(error: unknown, wanted: Package, { folder, registry }: FetchOptions): PackageError {
  if (error instanceof PackageError) return error;
  const title = packageTitle(wanted);
  if (error instanceof NetworkError) return asRegistryError(error, title, registry);
  if (error instanceof UnpackError) {
    const remedy = t('Update Jumpseat, and report it if it happens again.');
    return new PackageError(
      'altered',
      t('{title} can’t be unpacked: {message}.', { title, message: error.message }),
      remedy,
      { cause: error },
    );
  }
  const why = error instanceof Error ? error.message : String(error);
  const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
  const message = isFull
    ? t('{title} wasn’t kept: there is no room left in {folder}.', { title, folder })
    : t('{title} can’t be kept in {folder}: {why}.', { title, folder, why });
  const remedy = isFull
    ? t('Free {size} there and try again.', { size: inMegabytes(wanted.bytes * 4) })
    : t('Make the folder writable for your user and try again.');
  return new PackageError('disk', message, remedy, { cause: error });
}

function altered(wanted: Package, registry: URL): PackageError {
  return new PackageError(
    'altered',
    t('{host} sent a wrong file for {title}, so it was deleted.', { host: registry.host, title: packageTitle(wanted) }),
    t('Look at which registry npm is configured with, or at a proxy that changes downloads, and try again.'),
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

/** What is inside is no package that may be unpacked. */
class UnpackError extends Error {
  override readonly name = 'UnpackError';
}

/**
 * Unpacks a package into a folder without its first level, which npm names `package`. Rejects with `UnpackError` for
 * anything but plain files below that folder, and with what the system says where it cannot be written.
 */
async function unpackPackage(packed: string, into: string, signal: AbortSignal | undefined): Promise<void> {
  const writer = unpackTar(into, { strict: true, map: plainFile, concurrency: 2, maxDepth: 32 });
  try {
    await pipeline(createReadStream(packed, { highWaterMark: 256 * 1024 }), createGunzip(), writer, { signal });
  } catch (error) {
    if (error instanceof UnpackError || signal?.aborted || isSystemError(error)) throw error;
    throw new UnpackError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Takes the first level off. Only the owner may write what is unpacked. */
function plainFile(header: TarHeader): TarHeader {
  const type = header.type ?? 'file';
  if (type !== 'file' && type !== 'directory') throw new UnpackError(`it holds a ${type}`);
  const parts = header.name.replace(/\/$/u, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/u.test(part))) {
    throw new UnpackError('it holds a path that leads out of it');
  }
  if (parts.length === 1 && type === 'file') throw new UnpackError('it holds a file beside its folder');
  const isOpen = type === 'directory' || ((header.mode ?? 0) & 0o111) !== 0;
  return { ...header, name: parts.slice(1).join('/'), mode: isOpen ? 0o755 : 0o644 };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
