import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import { loginEntry } from '../app/adapters/paths.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the system keeps of macOS's and Windows's login items. */
interface SystemLoginItem {
  read(): boolean;
  write(on: boolean): void;
}

export interface LoginItemDependencies {
  platform: NodeJS.Platform;
  env: Environment;
  /** The program and what it needs to start Jumpseat, without `--hidden`. */
  command: readonly string[];
  system: SystemLoginItem;
  userHome?: string;
}

/** Electron's login items; nothing on Linux. */
export function systemLoginItem(electron: {
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}): SystemLoginItem {
  // Windows tells items apart by their arguments; macOS has none, and starts of its login items show no window anyway.
  const args = ['--hidden'];
  return {
    read: () => electron.getLoginItemSettings({ args }).openAtLogin,
    write: (on) => electron.setLoginItemSettings({ openAtLogin: on, args }),
  };
}

/** Whether Jumpseat starts with the session, hidden. The system holds the truth: a person may change it there. */
export interface LoginItem {
  /** False in a Flatpak or Snap, whose own settings decide. */
  isAvailable: boolean;
  read(): boolean;
  write(on: boolean): void;
  /** Corrects at each start what was written for a program that has moved. Returns true if it did. */
  remedy(): boolean;
}

export function loginItem(dependencies: LoginItemDependencies): LoginItem {
  const { platform, env, command, system } = dependencies;
  if (platform !== 'linux') {
    return { isAvailable: true, read: () => system.read(), write: (on) => system.write(on), remedy: () => false };
  }
  const file = loginEntry(env, dependencies.userHome ?? homedir());
  const entry = desktopEntry(command);
  const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const write = () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, entry, { mode: 0o644 });
  };
  return {
    isAvailable: !isSandboxed(env),
    read: () => {
      const found = text();
      return found !== null && !isSwitchedOff(found);
    },
    write: (on) => {
      if (isSandboxed(env)) return;
      if (on) write();
      else rmSync(file, { force: true });
    },
    remedy: () => {
      const found = isSandboxed(env) ? null : text();
      if (found === null || isSwitchedOff(found) || execOf(found) === execOf(entry)) return false;
      write();
      return true;
    },
  };
}

const trustMs = 30_000;

/**
 * The same, asked of the system now and then only: a menu is made anew with every request. `changed`: it was written
 * from here.
 */
export function rememberedLoginItem(item: LoginItem, now: () => number, changed: () => void): LoginItem {
  let known: { value: boolean; at: number } | null = null;
  return {
    isAvailable: item.isAvailable,
    read: () => {
      if (known === null || Math.abs(now() - known.at) > trustMs) known = { value: readable(item), at: now() };
      return known.value;
    },
    write: (on) => {
      known = null;
      item.write(on);
      changed();
    },
    remedy: () => item.remedy(),
  };
}

function readable(item: LoginItem): boolean {
  try {
    return item.read();
  } catch {
    return false;
  }
}

/**
 * What starts this program again: the AppImage as a file, else the executable, with its script where that is not our
 * own.
 */
export function startCommand(env: Environment, execPath: string, script: string | null): string[] {
  if (env.APPIMAGE && isAbsolute(env.APPIMAGE)) return [env.APPIMAGE];
  return script === null ? [execPath] : [execPath, script];
}

function isSandboxed(env: Environment): boolean {
  return Boolean(env.FLATPAK_ID || env.SNAP);
}

export function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Jumpseat',
    'Comment=Claude Code on your GitHub Copilot subscription',
    `Exec=${[...command.map(quoted), '--hidden'].join(' ')}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * One argument of Exec. Two rules apply, one after the other: in quotes ", `, $ and \ are escaped with a backslash, and
 * in every value of the file a backslash is written as two. A percent sign alone would begin a field code.
 */
function quoted(argument: string): string {
  const inQuotes = argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes.replaceAll('\\', '\\\\')}"`;
}

function execOf(text: string): string | null {
  return /^Exec=(.*)$/m.exec(text)?.[1] ?? null;
}

/** A desktop's own settings switch an entry off by a line in it. */
function isSwitchedOff(text: string): boolean {
  return /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text);
}
