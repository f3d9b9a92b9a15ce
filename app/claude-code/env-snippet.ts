import type { shells } from '../api/names.ts';
import { asShellWord } from '../api/shell.ts';
import { t } from '../language/translate.ts';
import { type PromptLimits, smallModels } from './context-windows.ts';

/**
 * What Claude Code has to be told to work through Jumpseat. The names and their order are part of the contract with the
 * outside; `assignment` below writes each shell's form, `api/shell.ts` quotes values.
 */
export interface ClaudeCodeModels {
  /** The newest enabled of the family, as this account's catalog has it; null if it has none. */
  opus: string | null;
  sonnet: string | null;
  haiku: string | null;
}

export interface EnvEntry {
  name: string;
  value: string;
}

/** Every name that Jumpseat may write, in the order of the lines. */
export const claudeCodeVariables = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_GATEWAY_HINT_HEADERS',
  'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY',
  'CLAUDE_CODE_ATTRIBUTION_HEADER',
  'CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
] as const;

const families = [
  { family: 'opus', name: 'ANTHROPIC_DEFAULT_OPUS_MODEL' },
  { family: 'sonnet', name: 'ANTHROPIC_DEFAULT_SONNET_MODEL' },
  { family: 'haiku', name: 'ANTHROPIC_DEFAULT_HAIKU_MODEL' },
] as const;

/**
 * The lines for Claude Code. `ANTHROPIC_API_KEY` is empty on purpose: an old key in the shell would be asked about and
 * sent. Prompt suggestions are off: each is a request after an answer, without being asked for, and some releases send
 * it so that it can't be told from a prompt. A family that the account lacks gets no entry; `environmentNotes` says so.
 */
export function claudeCodeEnvironment(input: {
  baseUrl: string;
  /** The local key without its label. */
  key: string;
  label: string;
  models: ClaudeCodeModels;
}): EnvEntry[] {
  return [
    { name: 'ANTHROPIC_BASE_URL', value: input.baseUrl },
    { name: 'ANTHROPIC_AUTH_TOKEN', value: `${input.key}.${input.label}` },
    { name: 'ANTHROPIC_API_KEY', value: '' },
    { name: 'CLAUDE_CODE_GATEWAY_HINT_HEADERS', value: '1' },
    { name: 'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY', value: '1' },
    { name: 'CLAUDE_CODE_ATTRIBUTION_HEADER', value: '0' },
    { name: 'CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION', value: 'false' },
    ...families.flatMap(({ family, name }) => {
      const model = input.models[family];
      return model === null ? [] : [{ name, value: model }];
    }),
  ];
}

/** What a person should know about the lines, in sentences without any character that a shell gives a meaning to. */
export function environmentNotes(
  variables: Readonly<Record<string, string>>,
  promptLimits: PromptLimits = {},
  haikuNote: string | null = null,
): string[] {
  const named = families.flatMap(({ name }) => variables[name] || []);
  const small = smallModels(named, promptLimits);
  return [...missingModels(variables, haikuNote), ...(small === null ? [] : [small])];
}

/**
 * The families that the lines do not name.
 * @param haikuNote what stands in for a haiku that the account lacks; null if it has one, or nothing is known
 */
export function missingModels(variables: Readonly<Record<string, string>>, haikuNote: string | null = null): string[] {
  const missing = families.filter(({ name }) => !variables[name]);
  if (missing.length > 0 && missing.length < families.length) {
    const names = missing.map(({ family }) => family).join(' or ');
    const left = t('This account has no enabled {names} model, so that line is left out.', { names });
    return haikuNote === null ? [left] : [left, haikuNote];
  }
  if (haikuNote !== null) return [haikuNote];
  return missing.length === 0
    ? []
    : [t('The models of this account are not known now, so the lines that name models are left out.')];
}

/**
 * For a settings file, which has to work without a person looking at it: where the account has no haiku, Claude Code's
 * small tasks (titles, summaries) would get error 404, so they are given the sonnet, and that is said.
 */
export function withStandIns(variables: Readonly<Record<string, string>>): {
  variables: Record<string, string>;
  notes: string[];
} {
  const sonnet = variables.ANTHROPIC_DEFAULT_SONNET_MODEL;
  if (variables.ANTHROPIC_DEFAULT_HAIKU_MODEL || !sonnet) return { variables: { ...variables }, notes: [] };
  return {
    variables: { ...variables, ANTHROPIC_DEFAULT_HAIKU_MODEL: sonnet },
    notes: [t('This account has no enabled haiku model, so Claude Code’s small tasks run on {sonnet}.', { sonnet })],
  };
}

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
      return `export ${name}=${asShellWord(value, shell)}`;
    case 'fish':
      return `set -gx ${name} ${value === '' ? "''" : asShellWord(value, shell)}`;
    case 'powershell':
      return `$env:${name} = ${asShellWord(value, shell)}`;
    case 'cmd':
      // Inside quotes only these have a meaning left, and none of them can be written for prompt and batch file alike.
      if (/["%!\r\n]/.test(value)) throw unwritable(name, shell);
      return `set "${name}=${value}"`;
  }
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
