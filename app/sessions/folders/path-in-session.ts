import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { PathInSession } from '../../api/session-surroundings.ts';
import { leadsAway } from './leads-away.ts';

/** What a person wanted to see of a session isn't there. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError';
  readonly code = 'file-gone';
  readonly mend = 'Look at the folder.';
}

/**
 * A file or folder that a session names, links and all, and whether it lies below one of the session's folders. Rejects
 * with `FileGoneError`. One of another machine is not looked at before the person said that it may be.
 * @param path absolute, or relative to the first folder
 */
export async function pathInSession(
  path: string,
  folders: readonly [string, ...string[]],
  platform: NodeJS.Platform = process.platform,
): Promise<PathInSession> {
  const named = resolve(folders[0], path);
  if (leadsAway(path, platform) && !folders.some((folder) => isBelow(folder, named))) {
    // Whatever it is: nothing of it is run.
    return { path: named, isOutside: true, isFolder: false, isExecutable: true };
  }
  const real = await realpath(named).catch(() => null);
  const found = real === null ? null : await stat(real).catch(() => null);
  if (real === null || found === null) {
    throw new FileGoneError(`${named} isn’t there any more.`);
  }
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const isOutside = !roots.some((root) => root !== null && isBelow(root, real));
  const isFolder = found.isDirectory();
  return { path: real, isOutside, isFolder, isExecutable: !isFolder && (found.mode & 0o111) !== 0 };
}

function isBelow(root: string, path: string): boolean {
  const below = relative(root, path);
  return !isAbsolute(below) && below.split(/[\\/]/, 1)[0] !== '..';
}
