import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { TarHeader } from 'modern-tar';
import { unpackTar } from 'modern-tar/fs';

/** What is inside is no package that may be unpacked. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
}

/**
 * Unpacks a package into a folder without its first level, which npm names `package`. Rejects with `UnpackError` for
 * anything but plain files below that folder, and with what the system says where it cannot be written.
 */
export async function unpackPackage(packed: string, into: string, signal: AbortSignal | undefined): Promise<void> {
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
