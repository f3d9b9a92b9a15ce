import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Paths } from '../ports.ts';

/** The folder of the app cannot be had. `message` says which and why, `remedy` what to do. */
export class PathsError extends Error {
  override readonly name = 'PathsError';
  readonly remedy: string;
  // A `RemedyError` would bring more code: the status line, which has to start fast, loads this file.
  constructor(message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.remedy = remedy;
  }
}

interface PathsSurroundings {
  platform?: NodeJS.Platform;
  userHome?: string;
}

/**
 * Where our files are: `JUMPSEAT_HOME`, else the platform's folder for application data. Makes the folder (only for
 * this user) when it is missing; throws `PathsError` when it cannot be made.
 */
export function nodePaths(
  env: Readonly<Record<string, string | undefined>>,
  surroundings: PathsSurroundings = {},
): Paths {
  const paths = pathsOf(env, surroundings);
  makeFolder(paths.home);
  return paths;
}

/** The same for who only looks: nothing is made. */
export function pathsOf(
  env: Readonly<Record<string, string | undefined>>,
  surroundings: PathsSurroundings = {},
): Paths {
  const { platform = process.platform, userHome = homedir() } = surroundings;
  const home = homeFolder(env, platform, userHome);
  return {
    home,
    settings: join(home, 'settings.json'),
    history: join(home, 'history.db'),
    sessions: join(home, 'sessions.db'),
    transcripts: join(home, 'transcripts.db'),
    logs: join(home, 'logs'),
    lock: join(home, 'lock'),
    backups: join(home, 'backups'),
    cache: cacheFolder(env, platform, userHome),
  };
}

export function homeFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  userHome: string,
): string {
  if (env.JUMPSEAT_HOME) return resolve(env.JUMPSEAT_HOME);
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'Jumpseat');
  if (platform === 'win32') return join(env.APPDATA || join(userHome, 'AppData', 'Roaming'), 'Jumpseat');
  // The XDG specification: a relative path is to be ignored.
  const data = env.XDG_DATA_HOME;
  return join(data && isAbsolute(data) ? data : join(userHome, '.local', 'share'), 'jumpseat');
}

/** Below `JUMPSEAT_HOME` where that is set, so that everything of one Jumpseat is in one folder. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  userHome: string,
): string {
  if (env.JUMPSEAT_HOME) return join(resolve(env.JUMPSEAT_HOME), 'cache');
  if (platform === 'darwin') return join(userHome, 'Library', 'Caches', 'Jumpseat');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(userHome, 'AppData', 'Local'), 'Jumpseat', 'Cache');
  const cache = env.XDG_CACHE_HOME;
  return join(cache && isAbsolute(cache) ? cache : join(userHome, '.cache'), 'jumpseat');
}

/** On macOS: the link to the command of the app, in a folder of every shell's PATH. */
export const commandLinkPlace = '/usr/local/bin/jumpseat';

/** True for the command in a Jumpseat.app, wherever that is. */
export function isCommandOfApp(path: string): boolean {
  return /\.app\/Contents\/Resources\/bin\/jumpseat$/.test(path);
}

/** On Linux: the file that starts the tray app with the session. */
export function loginEntry(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const config = env.XDG_CONFIG_HOME;
  // The XDG specification: a relative path is to be ignored.
  const folder = config && isAbsolute(config) ? config : join(userHome, '.config');
  return join(folder, 'autostart', 'app.jumpseat.Jumpseat.desktop');
}

function makeFolder(home: string): void {
  const remedy = 'Make its parent writable for your user, or name another folder with JUMPSEAT_HOME.';
  try {
    makeWithParents(home);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PathsError(`The folder ${home} can’t be made: ${why}.`, remedy, { cause: error });
  }
  if (!statSync(home).isDirectory()) throw new PathsError(`${home} is not a folder.`, remedy);
}

/** Makes folders one by one: `recursive` never ends where `/proc` says that an existing parent is missing. */
function makeWithParents(folder: string): void {
  if (existsSync(folder)) return;
  makeWithParents(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
