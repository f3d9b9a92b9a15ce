import type { EnvEntry } from './env.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell', 'cmd', 'json'] as const;
export type Shell = (typeof shells)[number];

/** A value cannot be written in this shell so that it means itself. The message names the variable, never its value. */
export class UnwritableValueError extends Error {
  override readonly name = 'UnwritableValueError';
}

/**
 * The lines in the words of one shell, each ended with a line feed. Notes become comments, where the shell knows such a
 * thing. `json` is the form of Claude Code's settings.json.
 */
export function renderEnvironment(entries: readonly EnvEntry[], shell: Shell, notes: readonly string[] = []): string {
  if (shell === 'json') {
    return `${JSON.stringify({ env: Object.fromEntries(entries.map(({ name, value }) => [name, value])) }, null, 2)}\n`;
  }
  const lines = [...notes.map((note) => comment(shell, note)), ...entries.map((entry) => assignment(shell, entry))];
  return lines.map((line) => `${line}\n`).join('');
}

function comment(shell: Exclude<Shell, 'json'>, note: string): string {
  switch (shell) {
    case 'cmd':
      return `rem ${note}`;
    case 'zsh':
      // An interactive zsh takes `#` for a command unless told otherwise; the null command is understood everywhere.
      return `: '${note}'`;
    default:
      return `# ${note}`;
  }
}

function assignment(shell: Exclude<Shell, 'json'>, { name, value }: EnvEntry): string {
  if (value.includes('\0')) throw unwritable(name, shell);
  switch (shell) {
    case 'bash':
    case 'zsh':
      return `export ${name}=${value === '' || isPlain(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`;
    case 'fish':
      return `set -gx ${name} ${isPlain(value) ? value : `'${value.replace(/[\\']/g, '\\$&')}'`}`;
    case 'powershell':
      // PowerShell ends a quoted text at any of the typographic single quotes too.
      return `$env:${name} = '${value.replace(/['‘’‚‛]/g, '$&$&')}'`;
    case 'cmd':
      // Inside quotes only these have a meaning left, and none of them can be written for prompt and batch file alike.
      if (/["%!\r\n]/.test(value)) throw unwritable(name, shell);
      return `set "${name}=${value}"`;
  }
}

/** Characters that mean themselves, unquoted, in bash, zsh and fish. */
function isPlain(value: string): boolean {
  return /^[A-Za-z0-9_./:@+,-]+$/.test(value);
}

function unwritable(name: string, shell: Shell): UnwritableValueError {
  return new UnwritableValueError(`The value of ${name} cannot be written for ${shell}.`);
}

/** The shell of this process, for the default of `jumpseat env` and the first entry of the tray's menu. */
export function shellOf(env: Readonly<Record<string, string | undefined>>, platform: string): Exclude<Shell, 'json'> {
  const name =
    (env.SHELL ?? '')
      .split('/')
      .at(-1)
      ?.replace(/\.exe$/, '') ?? '';
  if (name === 'zsh' || name === 'fish' || name === 'bash') return name;
  if (name === 'pwsh') return 'powershell';
  if (platform === 'win32') return env.PSModulePath && !env.PROMPT ? 'powershell' : 'cmd';
  return 'bash';
}
