import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { NamedPath, PathInSession } from '../../api/session-surroundings.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import { CodedError } from '../../ports.ts';
import { isWithin } from '../../settings/files.ts';

/** Paths that a person or an agent names: what is there, and whether it is of this machine and of the session. */

/**
 * What a path leads to. What may not be looked at counts as a file: the agent that reads it says so.
 * @param path absolute, or relative to `cwd`
 */
export async function namedPath(
  path: string,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Promise<NamedPath> {
  if (leadsAway(path, platform)) return 'file';
  try {
    return (await stat(resolve(cwd, path))).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'file';
  }
}

/**
 * A path of another machine. It is not looked at by itself: on Windows that alone would hand the person's sign-in to
 * that machine.
 */
export function leadsAway(path: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return /^[\\/]{2}/.test(path);
  return platform === 'darwin' && /^\/(net|Network)\//.test(path);
}

/**
 * A file or folder that a session names, links and all, and whether it lies below one of the session's folders. Rejects
 * where it is not there. One of another machine is not looked at before the person said that it may be.
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
    throw new CodedError('file-gone', t('{named} isn’t there.', { named }), t('Look at the folder.'));
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

/** Path with its links resolved. Rejects where there is no such folder. */
export async function realFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new CodedError('folder-gone', t('{path} is no folder.', { path }), t('Choose another folder.'));
  }
  return realpath(path);
}

/** How long a look holds, in ms. */
const heldMs = 30_000;
/** A disk that does not answer holds no list up, in ms. */
const waitedMs = 100;
/** More would leave Node's pool to a disk that does not answer. */
const atOnce = 3;

/** Folders of sessions that no longer exist. A folder of another machine is not checked, and counts as existing. */
export class GoneFolders {
  readonly #clock: Clock;
  readonly #looks = new Map<string, { at: number; isGone: boolean }>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #limit = pLimit(atOnce);
  readonly #platform: NodeJS.Platform;

  constructor(clock: Clock, platform: NodeJS.Platform = process.platform) {
    this.#clock = clock;
    this.#platform = platform;
  }

  /** Folders known to exist; one that couldn't be checked in time counts as existing. */
  async among(folders: Iterable<string>): Promise<ReadonlySet<string>> {
    const all = [...new Set(folders)];
    const now = this.#clock.now();
    const due = all.filter((folder) => now - (this.#looks.get(folder)?.at ?? Number.NEGATIVE_INFINITY) >= heldMs);
    if (due.length > 0) {
      const over = new AbortController();
      const looked = Promise.all(due.map((folder) => this.#look(folder)));
      const late = this.#clock.sleep(waitedMs, over.signal).catch(() => undefined);
      await Promise.race([looked, late]);
      over.abort();
    }
    return new Set(all.filter((folder) => this.#looks.get(folder)?.isGone === true));
  }

  /** Something happened to this folder, and to all in it: what was seen before holds no longer. */
  forget(changed: string): void {
    for (const folder of [...this.#looks.keys()]) if (isWithin(folder, changed)) this.#looks.delete(folder);
  }

  #look(folder: string): Promise<void> {
    const looking = this.#looking.get(folder) ?? this.#limit(() => this.#find(folder));
    this.#looking.set(folder, looking);
    return looking.finally(() => this.#looking.delete(folder));
  }

  async #find(folder: string): Promise<void> {
    const isGone =
      !leadsAway(folder, this.#platform) && (await stat(folder).then((found) => !found.isDirectory(), isMissing));
    this.#looks.set(folder, { at: this.#clock.now(), isGone });
  }
}

/** A folder that may not be looked at counts as there. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
