import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { claudeCodeVariables } from './env-snippet.ts';
import { otherServiceSwitches } from './leading-variables.ts';
import { claudeSettingsPath, managedSettingsFiles, shownPath } from './settings-file.ts';
import { readEnv } from './settings-text.ts';
import { keyOf } from './setup/read-setup.ts';

/** A variable that may lead Claude Code elsewhere. Names and places only, never a value. */
export interface ShellVariable {
  name: string;
  /** Null if it is set in the environment of this process, by a file that was not found. */
  file: string | null;
  line: number | null;
  /**
   * `harmless`: settings.json wins over it once set up. `remains`: it still applies, and Claude Code works. `stronger`:
   * it wins over ANTHROPIC_BASE_URL, or is another address or key in a settings file that wins over the user's.
   */
  force: 'harmless' | 'remains' | 'stronger';
}

interface ShellSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  home?: string;
  platform?: NodeJS.Platform;
  /** Where the system's own files are: `/`. */
  root?: string;
  /** The project folder whose settings Claude Code would read too; null if there is none. */
  project?: string | null;
}

const overruled = new Set<string>([...claudeCodeVariables, 'CLAUDE_CODE_OAUTH_TOKEN']);

/** The variables that lead Claude Code to Jumpseat, for when the other lines aren't known. */
export function ownVariables(port: number, key: string | null): Record<string, string> {
  return { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ...(key !== null && { ANTHROPIC_AUTH_TOKEN: key }) };
}

const otherServices = new Set<string>(otherServiceSwitches);
const isRead = (name: string): boolean =>
  otherServices.has(name) || /^(ANTHROPIC_[A-Z0-9_]+|CLAUDE_CODE_OAUTH_TOKEN)$/.test(name);

/**
 * Variables that Claude Code reads and that are not what `variables` (our lines) say, first those of this process, then
 * lines of the shells' start files and of settings files that win over the user's. Files that are not there or cannot
 * be read are passed over.
 */
export async function findShellVariables(
  surroundings: ShellSurroundings,
  variables: Readonly<Record<string, string>> = {},
): Promise<ShellVariable[]> {
  const home = surroundings.home ?? homedir();
  const platform = surroundings.platform ?? process.platform;
  const lines = await linesOfFiles(
    startFiles(surroundings.env, home, platform, surroundings.root ?? '/'),
    home,
    variables,
  );
  const stronger = await strongerSettings(surroundings.project ?? null, platform);
  const users = claudeSettingsPath(surroundings.env, home);
  const settings = await linesOfSettings(
    stronger.filter((file) => file !== users),
    home,
    variables,
  );
  const named = new Set([...lines, ...settings].map(({ name }) => name));
  const inProcess = Object.entries(surroundings.env).flatMap(([name, value]): ShellVariable[] => {
    if (!isRead(name) || named.has(name) || isOurs(name, value ?? '', variables)) return [];
    return [{ name, file: null, line: null, force: forceOf(name) }];
  });
  return [...inProcess, ...lines, ...settings];
}

function forceOf(name: string): ShellVariable['force'] {
  if (otherServices.has(name)) return 'stronger';
  // ANTHROPIC_AUTH_TOKEN, which we set, is taken before a token of claude.ai.
  return overruled.has(name) ? 'harmless' : 'remains';
}

/** Set to our value, or switched off. Our key may have any label. */
function isOurs(name: string, value: string, variables: Readonly<Record<string, string>>): boolean {
  const own = variables[name];
  if (own !== undefined && own === value) return true;
  if (own !== undefined && name === 'ANTHROPIC_AUTH_TOKEN') return keyOf(own) === keyOf(value);
  return otherServices.has(name) && (value === '' || value === '0' || value.toLowerCase() === 'false');
}

async function linesOfFiles(
  patterns: readonly string[],
  home: string,
  variables: Readonly<Record<string, string>>,
): Promise<ShellVariable[]> {
  const found: ShellVariable[] = [];
  for (const file of (await Promise.all(patterns.map(expand))).flat()) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
      for (const { name, value } of assignmentsIn(line)) {
        if (!isRead(name) || isOurs(name, value, variables)) continue;
        found.push({ name, file: shownPath(file, home), line: index + 1, force: forceOf(name) });
      }
    }
  }
  return found;
}

/** Assignments of one line of bash, zsh, fish, csh, PowerShell or an environment file. Comments are none. */
export function assignmentsIn(line: string): { name: string; value: string }[] {
  if (/^\s*#/.test(line)) return [];
  const forms = [
    // NAME=value, export A=1 B=2, setx-like env files
    /(?:^|[\s;&])([A-Z][A-Z0-9_]*)=("[^"]*"|'[^']*'|[^\s;&#]*)/g,
    // set -gx NAME value, setenv NAME value
    /(?:^|[\s;&])(?:set\s+(?:-{1,2}[a-zA-Z-]+\s+)+|setenv\s+)([A-Z][A-Z0-9_]*)\s+("[^"]*"|'[^']*'|[^\s;&#]*)/g,
    /\$env:([A-Z][A-Z0-9_]*)\s*=\s*("[^"]*"|'[^']*'|[^\s;#]*)/gi,
    /SetEnvironmentVariable\(\s*["']([A-Z][A-Z0-9_]*)["']\s*,\s*("[^"]*"|'[^']*'|[^\s,)]*)/g,
  ];
  return forms.flatMap((form) =>
    [...line.matchAll(form)].map(([, name = '', value = '']) => ({
      name,
      value: value.replace(/^(["'])(.*)\1$/, '$2'),
    })),
  );
}

async function linesOfSettings(
  files: readonly string[],
  home: string,
  variables: Readonly<Record<string, string>>,
): Promise<ShellVariable[]> {
  const found: ShellVariable[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    try {
      for (const [name, { value, line }] of readEnv(text)) {
        if (!isRead(name) || isOurs(name, String(value), variables)) continue;
        const isElsewhere = name === 'ANTHROPIC_BASE_URL' || name === 'ANTHROPIC_AUTH_TOKEN' || otherServices.has(name);
        found.push({ name, file: shownPath(file, home), line, force: isElsewhere ? 'stronger' : 'remains' });
      }
    } catch {
      // A broken file sets nothing.
    }
  }
  return found;
}

/** Settings that Claude Code puts above the user's: the project's, and those of an administrator. */
async function strongerSettings(project: string | null, platform: NodeJS.Platform): Promise<string[]> {
  const own =
    project === null ? [] : ['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name));
  return [...(await managedSettingsFiles(platform)), ...own];
}

function startFiles(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform,
  root: string,
): string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const zsh = env.ZDOTDIR || home;
  if (platform === 'win32') {
    const documents = join(home, 'Documents');
    return ['PowerShell', 'WindowsPowerShell'].flatMap((folder) => [
      join(documents, folder, 'profile.ps1'),
      join(documents, folder, 'Microsoft.PowerShell_profile.ps1'),
    ]);
  }
  return [
    ...['.profile', '.bash_profile', '.bash_login', '.bashrc', '.bash_aliases', '.cshrc', '.tcshrc'].map((name) =>
      join(home, name),
    ),
    ...['.zshenv', '.zprofile', '.zshrc', '.zlogin'].map((name) => join(zsh, name)),
    join(config, 'fish', 'config.fish'),
    join(config, 'fish', 'conf.d', '*.fish'),
    join(config, 'powershell', 'profile.ps1'),
    join(config, 'powershell', 'Microsoft.PowerShell_profile.ps1'),
    join(config, 'environment.d', '*.conf'),
    join(home, '.pam_environment'),
    ...['environment', 'profile', 'profile.d/*.sh', 'bash.bashrc', 'zsh/zshenv', 'zshenv'].map((name) =>
      join(root, 'etc', name),
    ),
  ];
}

/** A `*` may stand in the file's name alone. */
async function expand(pattern: string): Promise<string[]> {
  const cut = pattern.lastIndexOf('*');
  if (cut < 0) return [pattern];
  const folder = pattern.slice(0, cut - 1);
  const end = pattern.slice(cut + 1);
  const inside = await readdir(folder).catch(() => []);
  return inside
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => join(folder, name));
}
