import { go } from 'fuzzysort';
import type { Origin, SessionCommand } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import type { Template } from '../templates/template-text.ts';

interface FoundCommands {
  commands: SessionCommand[];
  /** Skills and agents. */
  skills: SessionCommand[];
}

/** What fits what was typed after `/`, the best first; all of them where nothing was typed. `__` is for programs. */
export function findCommands(offered: readonly SessionCommand[], query: string): FoundCommands {
  const others = offered.filter(({ name }) => !isOwn(name) && !name.startsWith('__'));
  const all = [...others, ...ownCommands()].sort((one, other) => one.name.localeCompare(other.name));
  const found =
    query === ''
      ? all
      : go(query, all, { keys: ['name', 'description'], limit: 40, threshold: 0.3, scoreFn: byName }).map(
          ({ obj }) => obj,
        );
  return { commands: found.filter(({ isSkill }) => !isSkill), skills: found.filter(({ isSkill }) => isSkill) };
}

/** Templates that fit in the same way. */
export function findTemplates<Kept extends Pick<Template, 'text'> & { name: string }>(
  templates: readonly Kept[],
  query: string,
): readonly Kept[] {
  if (query === '') return templates;
  return go(query, templates, { keys: ['name', 'text'], limit: 12, threshold: 0.3, scoreFn: byName }).map(
    ({ obj }) => obj,
  );
}

/** Whether a command is from a file of the person’s or the folder’s. */
export function isOfFile({ kind }: Origin): boolean {
  return kind === 'user' || kind === 'project' || kind === 'local';
}

/** A name that fits comes before words of a description that do. */
function byName(result: ReadonlyArray<{ readonly score: number }>): number {
  return Math.max(result[0]?.score ?? 0, (result[1]?.score ?? 0) * 0.5);
}

/** What a message that begins with `/` is. `unknown` has the name that is nearest, where one is near. */
export type CommandMeaning =
  | { kind: 'words' }
  | { kind: 'offered' }
  | { kind: 'own'; command: OwnCommand; rest: string }
  | { kind: 'terminal'; name: string }
  | { kind: 'unknown'; name: string; nearest: string | null };

/** @param given.areAll the offered ones are all there are: only then another one is unknown */
export function readCommand(
  text: string,
  offered: readonly SessionCommand[],
  { areAll, agent }: { areAll: boolean; agent: Session['agent'] },
): CommandMeaning {
  const match = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const name = match?.[1];
  if (name === undefined) return { kind: 'words' };
  if (isOwn(name)) return { kind: 'own', command: name, rest: (match?.[2] ?? '').trim() };
  if (offered.some((command) => command.name === name)) return { kind: 'offered' };
  if (agent === 'claude' && needsTerminal(name)) return { kind: 'terminal', name };
  if (!areAll) return { kind: 'words' };
  return {
    kind: 'unknown',
    name,
    nearest: nearestTo(name, [...offered.map((command) => command.name), ...ownCommandNames]),
  };
}

/** Letters that may be wrong. */
const mostWrong = 3;

function nearestTo(name: string, names: readonly string[]): string | null {
  const near = names
    .map((known) => ({ known, wrong: lettersWrong(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, wrong }) => wrong <= mostWrong && wrong < known.length);
  return near.toSorted((one, other) => one.wrong - other.wrong)[0]?.known ?? null;
}

/** Letters to put in, take out or change (Levenshtein). */
function lettersWrong(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, against] of [...other].entries()) {
      const changed = (row[place] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Where a command is from: `Claude Code`, `.claude/commands`, the name of a plugin or server. */
export function originWords({ kind, name, path }: Origin, agent: string): string {
  switch (kind) {
    case 'agent':
      return agent;
    case 'jumpseat':
      return 'Jumpseat';
    case 'plugin':
    case 'server':
      return name ?? kind;
    case 'user':
      return placeOf(path) ?? t('Yours');
    case 'project':
    case 'local':
      return placeOf(path)?.replace(/^~\//, '') ?? t('This folder');
    case 'managed':
      return t('This machine');
    case 'added':
      return t('Added here');
    case 'front':
    case 'other':
      return name ?? agent;
  }
}

/** `~/.claude/skills`: the folder below the one of settings that a file lies in. */
function placeOf(path: string | null): string | null {
  const match = /(\.claude\/(?:commands|skills|agents))(?:\/|$)/.exec(path?.replaceAll('\\', '/') ?? '');
  return match?.[1] === undefined ? null : `~/${match[1]}`;
}

/** Commands that Jumpseat answers itself; the agent never sees them. */
const ownCommandNames = ['btw', 'cost', 'clear', 'model', 'permissions', 'fork', 'rename'] as const;
export type OwnCommand = (typeof ownCommandNames)[number];

const says: Readonly<Record<OwnCommand, Message>> = {
  btw: msg('Ask a side question: the conversation stays as it is'),
  cost: msg('Credits of this session by turn'),
  clear: msg('Go on in a new session; this one stays in the list'),
  model: msg('Choose the model'),
  permissions: msg('Choose what is done without asking'),
  fork: msg('Go on in a copy of this session'),
  rename: msg('Rename this session'),
};

const ownCommands = (): SessionCommand[] =>
  ownCommandNames.map((name) => ({
    name,
    description: translated(says[name]),
    hint: name === 'rename' ? '[title]' : name === 'btw' ? '[question]' : null,
    isSkill: false,
    origin: { kind: 'jumpseat', name: null, path: null },
  }));

export function isOwn(name: string): name is OwnCommand {
  return ownCommandNames.some((own) => own === name);
}

/** Commands of Claude Code that only its terminal can run. */
const terminalCommands: ReadonlySet<string> = new Set([
  ...[
    'add-dir',
    'agents',
    'bashes',
    'bug',
    'chrome',
    'config',
    'desktop',
    'doctor',
    'exit',
    'export',
    'feedback',
    'help',
  ],
  ...[
    'hooks',
    'ide',
    'install-github-app',
    'keybindings',
    'login',
    'logout',
    'mcp',
    'memory',
    'mobile',
    'output-style',
  ],
  ...['plugin', 'privacy-settings', 'quit', 'resume', 'rewind', 'sandbox', 'stats', 'status', 'statusline', 'tasks'],
  ...['terminal-setup', 'theme', 'upgrade', 'usage', 'vim'],
]);

function needsTerminal(name: string): boolean {
  return terminalCommands.has(name);
}
