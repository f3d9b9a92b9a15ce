import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Variables = Readonly<Record<string, string | undefined>>;

/** How this Jumpseat came onto the machine: by its own folder, which has its package.json. */
export type Installation =
  /** In /opt, by the package manager whose command removes it. */
  | { kind: 'package'; removedBy: string }
  /** Unpacked from the tar.gz. */
  | { kind: 'folder'; folder: string }
  /** On macOS and Windows. `command`: the file that macOS' PATH may have a link to. */
  | { kind: 'app'; folder: string; command: string | null; removedBy: string }
  /** `npx`: npm's cache. */
  | { kind: 'npm' | 'npx'; name: string }
  /** A clone. */
  | { kind: 'source'; folder: string };

/** `app/adapters/` and `dist/cli/` lie equally deep. */
const ownFolder = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** @param isThere whether a file of the system is there */
export function installation(folder = ownFolder, isThere = existsSync): Installation {
  const parts = folder.replaceAll('\\', '/');
  const [, bundle] = /^(.*\.app)\/Contents\/Resources\/cli$/.exec(parts) ?? [];
  if (bundle !== undefined)
    return {
      ...{ kind: 'app', folder, command: `${bundle}/Contents/Resources/bin/jumpseat` },
      removedBy: `move ${bundle} to the Trash`,
    };
  if (/^[A-Za-z]:.*\/resources\/cli$/.test(parts))
    return {
      // The installer puts it into the Path.
      ...{ kind: 'app', folder, command: null },
      removedBy: 'Settings → Apps → Installed apps → Jumpseat → Uninstall',
    };
  if (parts.endsWith('/resources/cli')) {
    const app = dirname(dirname(folder));
    if (app !== '/opt/Jumpseat') return { kind: 'folder', folder: app };
    if (isThere('/var/lib/dpkg/info/jumpseat.list')) return { kind: 'package', removedBy: 'sudo apt purge jumpseat' };
    const program = isThere('/usr/bin/zypper') ? 'zypper' : 'dnf';
    return { kind: 'package', removedBy: `sudo ${program} remove jumpseat` };
  }
  const inNpm = /\/node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(parts)?.[1];
  if (inNpm === undefined) return { kind: 'source', folder };
  return { kind: parts.includes('/_npx/') ? 'npx' : 'npm', name: inNpm };
}

/** Whether a terminal finds the command by its name. */
export function isInPath({ PATH = '' }: Variables): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, 'jumpseat')));
}

/**
 * The same word by word for another program, which starts it in any folder.
 * @param node the Node that runs it
 */
export function lastingCommand(
  env: Variables,
  installed: Installation = installation(),
  node = process.execPath,
): readonly string[] {
  switch (installed.kind) {
    case 'source':
    case 'app':
      // On Windows no program starts a .cmd without a shell; and on macOS the link may be gone.
      return [node, join(installed.folder, 'dist', 'cli', 'jumpseat.js')];
    case 'npx':
      return ['npx', installed.name];
    case 'folder':
      return [isInPath(env) ? 'jumpseat' : join(installed.folder, 'bin', 'jumpseat')];
    default:
      return ['jumpseat'];
  }
}

/**
 * The command beside a tray app, which itself runs on Electron. Undefined: it brings none that stays where it is.
 * @param resources where the packed app has its files; null: it runs from this clone
 */
export function commandBesideTray(env: Variables, resources: string | null): readonly string[] | undefined {
  // What an AppImage holds has another path at each start, and none once it has ended.
  if (env.APPIMAGE) return undefined;
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  if (resources === null) return lastingCommand(env, installation(), join(ownFolder, 'node_modules/node/bin', node));
  const folder = join(resources, 'cli');
  return lastingCommand(env, installation(folder), join(folder, node));
}
