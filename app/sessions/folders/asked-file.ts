import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { AskedFile } from '../../api/session-surroundings.ts';
import { leadsAway } from './leads-away.ts';

/** Of a larger file nothing is read. */
export const largestAskedFile = 1_000_000;

/** A file that a question names, before it is read. */
export interface FoundFile {
  /** As the question names it, made absolute. */
  path: string;
  /** With its links followed. */
  real: string;
  isOutside: boolean;
  state: Exclude<AskedFile['state'], 'not-text'>;
  /** Null: it isn't there, or is no file that may be looked at. */
  stats: BigIntStats | null;
}

/**
 * Finds a file that a question names, links and all; nothing of it is read. A path that leads to another machine is not
 * followed.
 */
export async function findAskedFile(
  path: string,
  cwd: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<FoundFile> {
  const named = resolve(cwd, path);
  if (leadsAway(path, platform) && !isBelowAny([cwd, ...folders], named)) {
    return { path: named, real: named, isOutside: true, state: 'unreadable', stats: null };
  }
  const roots = await Promise.all([cwd, ...folders].map((folder) => realpath(folder).catch(() => folder)));
  const real = await realPath(named).catch(() => null);
  if (real === null) {
    return { path: named, real: named, isOutside: !isBelowAny(roots, named), state: 'unreadable', stats: null };
  }
  const found = { path: named, real, isOutside: !isBelowAny(roots, real) };
  const stats = await lstat(real, { bigint: true }).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    const isMissing = stats.code === 'ENOENT' || stats.code === 'ENOTDIR';
    return { ...found, state: isMissing ? 'missing' : 'unreadable', stats: null };
  }
  if (!stats.isFile()) return { ...found, state: 'not-a-file', stats };
  return { ...found, state: stats.size > largestAskedFile ? 'too-large' : 'there', stats };
}

/** Also of what isn't there yet: its folder's links are followed, and a link that leads nowhere is. */
async function realPath(path: string, depth = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || depth > 100 || dirname(path) === path) throw error;
  }
  const target = await readlink(path).catch(() => null);
  if (target !== null) return realPath(resolve(dirname(path), target), depth + 1);
  return join(await realPath(dirname(path), depth + 1), path.slice(dirname(path).length).replace(/^[\\/]/, ''));
}

function isBelowAny(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const below = relative(root, path);
    return !isAbsolute(below) && below.split(/[\\/]/, 1)[0] !== '..';
  });
}

/**
 * The text of a file that was found, as many bytes as it had then; null: it is no text. Rejects where it is another
 * file by now, or may not be read. What is no plain file is never opened: a device may do something by that.
 */
export async function readAskedFile({ real, stats }: FoundFile): Promise<string | null> {
  if (stats === null || !stats.isFile() || stats.size > largestAskedFile) throw new Error('It is no file to be read.');
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(real, flags);
  try {
    const now = await file.stat({ bigint: true });
    if (!now.isFile() || now.ino !== stats.ino || now.dev !== stats.dev) throw new Error('It is another file now.');
    const bytes = Buffer.alloc(Number(stats.size));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return textOf(bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}

/** With line feeds alone, as agents read it. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}
