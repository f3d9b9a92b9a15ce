import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRunning } from '../settings/is-running.ts';

/** Far longer than a write takes: a process that has the id by now is another one than the one that wrote it. */
const longestWriteMs = 60_000;

/** A name beside `path` for a file that takes its place when it is whole. */
export function temporaryBeside(path: string): string {
  return `${path}.jumpseat-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Takes away what a process that was killed left beside `path`: files that `temporaryBeside` named, of a process that
 * runs no more. They hold what was to be written, the local key among it. Never rejects.
 */
export async function sweepLeftOvers(path: string): Promise<void> {
  const folder = dirname(path);
  const stem = `${basename(path)}.jumpseat-`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(stem)) continue;
    const pid = /^([1-9]\d{0,9})-[0-9a-f]{8}$/.exec(name.slice(stem.length))?.[1];
    if (pid === undefined) continue;
    const file = join(folder, name);
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile()) continue;
    if (isRunning(Number(pid)) && Date.now() - found.mtimeMs < longestWriteMs) continue;
    await rm(file, { force: true }).catch(() => undefined);
  }
}
