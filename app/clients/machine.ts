import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Where a person's files are. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Where the files of the system are; its root unless given. */
  root?: string;
}

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

export function inFolder({ platform }: Pick<Machine, 'platform'>, ...parts: string[]): string {
  return pathsOf(platform).join(...parts);
}

export function inHome({ platform, home }: Pick<Machine, 'platform' | 'home'>, ...parts: string[]): string {
  return pathsOf(platform).join(home, ...parts);
}

/** `~/.config`, which some programs use on every system. */
export function inConfig(machine: Machine, ...parts: string[]): string {
  return inFolder(machine, machine.env.XDG_CONFIG_HOME || inHome(machine, '.config'), ...parts);
}

/** A file that belongs to the system or to an organization. */
export function inSystem({ root = '' }: Pick<Machine, 'root'>, path: string): string {
  return root + path;
}

export function codexFolder({ env, ...machine }: Machine): string {
  return env.CODEX_HOME || inHome(machine, '.codex');
}

/** It reads both; a person's comments are in the second. */
export function opencodeFile(machine: Machine): string {
  const withComments = inConfig(machine, 'opencode', 'opencode.jsonc');
  return existsSync(withComments) ? withComments : inConfig(machine, 'opencode', 'opencode.json');
}

export function crushFile(machine: Machine): string {
  return machine.platform === 'win32'
    ? inHome(machine, 'AppData', 'Local', 'crush', 'crush.json')
    : inConfig(machine, 'crush', 'crush.json');
}

export function gooseFolder(machine: Machine): string {
  const root = machine.env.GOOSE_PATH_ROOT ?? '';
  if (pathsOf(machine.platform).isAbsolute(root)) return inFolder(machine, root, 'config');
  return machine.platform === 'win32'
    ? inFolder(machine, roaming(machine), 'Block', 'goose', 'config')
    : inConfig(machine, 'goose');
}

export function zedSettings(machine: Machine): string {
  if (machine.platform === 'win32') return inFolder(machine, roaming(machine), 'Zed', 'settings.json');
  return machine.platform === 'darwin'
    ? inHome(machine, '.config', 'zed', 'settings.json')
    : inConfig(machine, 'zed', 'settings.json');
}

export function vscodeUser(machine: Machine): string {
  if (machine.platform === 'win32') return inFolder(machine, roaming(machine), 'Code', 'User');
  return machine.platform === 'darwin'
    ? inHome(machine, 'Library', 'Application Support', 'Code', 'User')
    : inConfig(machine, 'Code', 'User');
}

export function roaming(machine: Machine): string {
  return machine.env.APPDATA || inHome(machine, 'AppData', 'Roaming');
}
