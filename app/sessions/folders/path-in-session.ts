import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { PathInSession } from '../../api/session-surroundings.ts';

/** What a person wanted to see of a session's folder isn't shown. */
export class NotInSessionError extends Error {
  override readonly name = 'NotInSessionError';
  readonly code: 'file-gone' | 'outside';
  readonly mend: string;
  constructor(code: 'file-gone' | 'outside', message: string, mend: string) {
    super(message);
    this.code = code;
    this.mend = mend;
  }
}

/**
 * A file or folder below one of a session's folders, links and all. Rejects with `NotInSessionError`.
 * @param path absolute, or relative to the first folder
 */
export async function pathInSession(path: string, folders: readonly [string, ...string[]]): Promise<PathInSession> {
  const named = resolve(folders[0], path);
  const real = await realpath(named).catch(() => null);
  const found = real === null ? null : await stat(real).catch(() => null);
  if (real === null || found === null) {
    throw new NotInSessionError('file-gone', `${named} isn’t there any more.`, 'Look at the folder.');
  }
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  if (!roots.some((root) => root !== null && isBelow(root, real))) {
    const mend = 'Open it with a program of yours.';
    throw new NotInSessionError('outside', `${real} is outside of this session’s folder.`, mend);
  }
  const isFolder = found.isDirectory();
  return { path: real, isFolder, isExecutable: !isFolder && (found.mode & 0o111) !== 0 };
}

function isBelow(root: string, path: string): boolean {
  const below = relative(root, path);
  return !isAbsolute(below) && below.split(/[\\/]/, 1)[0] !== '..';
}
