import type { LinesFor, PlaceLines, Shell } from '../../app/api/setup.ts';
import { shellOf } from '../../app/claude-code/env-snippet.ts';
import { t } from '../../app/language/translate.ts';
import type { Work } from '../../app/words/quit.ts';
import type { LinesOf } from '../sessions/session-lines.ts';

/** What the tray's menu consists of: its actions, those that copy included, and the facts that it shows. */

export type TrayAction =
  | 'sign-in'
  | 'copy-code'
  | 'cancel-sign-in'
  | 'sign-out'
  | 'proxy-on'
  | 'proxy-off'
  | 'retry-port'
  | 'free-port'
  | 'retry'
  | 'usage'
  | 'billing'
  | 'allow-overage'
  | 'refuse-overage'
  | 'open-github'
  | 'plans'
  | 'open-folder'
  | CopyAction
  | 'setup'
  | 'undo-setup'
  | 'open'
  | 'settings'
  | 'way'
  | OfAccount
  | OfSession
  | 'session-new'
  | 'sessions-stop'
  | 'open-at-login'
  | 'install-command'
  | 'update'
  | 'stay'
  | 'stay-on'
  | 'quit';

const ofAccount = ['use-account', 'copy-code'] as const;

/** Entries with the id of one of the person's accounts. */
type OfAccount = `${(typeof ofAccount)[number]}-${string}`;

const ofSession = ['session-open', 'session-line'] as const;

/** Entries with the id of a session: it is opened, or what goes on with it in a terminal is copied. */
type OfSession = `${(typeof ofSession)[number]}-${string}`;

/**
 * `action: null` is a line that cannot be clicked; with `checked` it is a box that can be ticked. Ids are stable: tests
 * and scripts find an entry by them.
 */
export type TrayEntry =
  | { id: string; label: string; action: TrayAction | null; checked?: boolean }
  | { id: string; label: string; items: readonly TrayEntry[] }
  | 'separator';

/** What the menu shows besides the state of the app. */
export interface TrayFacts extends LinesOf {
  /** Requests to show as running; what is over in a moment is not shown. */
  running: number;
  /** The figure that the person has pinned: `2,002 credits left`; null if there is none. */
  figure: string | null;
  /** The person's own shell. */
  shell: CopyShell;
  /** Claude Code's settings.json holds our keys. */
  isSetup: boolean;
  /** Whether Jumpseat starts with the session; null if that is not ours to choose. */
  openAtLogin: boolean | null;
  /** The command `jumpseat` can be put into the PATH. */
  offersCommand: boolean;
  /** The version that a restart would bring. */
  update: string | null;
  /** What the end waits for; null if it was not asked to wait. */
  quits: Work | null;
  /** What the proxy waits for to be turned off; null if it was not asked to wait. */
  turnsOff: Work | null;
}

/** What is to be done with which of the person's own accounts; null if it is about none of them. */
export function readOfAccount(action: TrayAction): { does: (typeof ofAccount)[number]; id: string } | null {
  const does = ofAccount.find((one) => action.startsWith(`${one}-`));
  return does === undefined ? null : { does, id: action.slice(does.length + 1) };
}

/** What is to be done with which session; null if it is about none. */
export function readOfSession(action: TrayAction): { does: (typeof ofSession)[number]; id: string } | null {
  const does = ofSession.find((one) => action.startsWith(`${one}-`));
  return does === undefined ? null : { does, id: action.slice(does.length + 1) };
}

export function line(id: string, label: string): TrayEntry {
  return { id, label, action: null };
}

/** An entry whose action has the name of its id. */
export function entry<Action extends TrayAction>(
  id: Action,
  label: string,
): Exclude<TrayEntry, string> & { action: Action } {
  return { id, label, action: id };
}

/** The shell that a person chose, else their own, as the menu names it: zsh reads what bash reads. */
export function ownCopyShell(
  chosen: Shell | null,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): CopyShell {
  const shell = chosen ?? shellOf(env, platform);
  return shell === 'zsh' ? 'bash' : shell;
}

/** A shell as the menu names it: zsh reads what bash reads. */
export type CopyShell = Exclude<Shell, 'zsh'>;

/** What is copied, and for which shell where that matters. */
type CopyAction =
  | `copy-${CopyShell}`
  | `copy-openai-${CopyShell}`
  | `copy-codex-${CopyShell}`
  | 'copy-codex-config'
  | 'copy-vscode'
  | 'copy-zed'
  | `copy-zed-key-${CopyShell}`
  | 'copy-form'
  | `copy-mcp-${CopyShell}`
  | 'copy-mcp-codex'
  | 'copy-mcp-zed'
  | 'copy-acp'
  | 'copy-acp-zed'
  | 'copy-acp-jetbrains'
  | `copy-${PlaceLines}`;

/** The action that copies these lines. */
export function copyAction(what: LinesFor, shell: Shell): CopyAction {
  const named = shell === 'zsh' ? 'bash' : shell;
  switch (what) {
    case 'claude-code':
      return `copy-${named}`;
    case 'openai':
      return `copy-openai-${named}`;
    case 'codex':
      return `copy-codex-${named}`;
    case 'codex-config':
      return 'copy-codex-config';
    case 'vscode':
      return 'copy-vscode';
    case 'zed-key':
      return `copy-zed-key-${named}`;
    case 'mcp':
      return `copy-mcp-${named}`;
    case 'mcp-codex':
      return 'copy-mcp-codex';
    case 'mcp-zed':
      return 'copy-mcp-zed';
    case 'zed':
    case 'form':
    case 'acp':
    case 'acp-zed':
    case 'acp-jetbrains':
    case 'docker':
    case 'devcontainer':
    case 'wsl':
    case 'ssh':
      return `copy-${what}`;
  }
}

const shells: readonly CopyShell[] = ['bash', 'fish', 'powershell', 'cmd', 'json'];
const kinds: readonly LinesFor[] = [
  ...(['claude-code', 'openai', 'codex', 'codex-config', 'vscode', 'zed', 'zed-key', 'form'] as const),
  ...(['mcp', 'mcp-codex', 'mcp-zed'] as const),
  ...(['acp', 'acp-zed', 'acp-jetbrains'] as const),
  ...(['docker', 'devcontainer', 'wsl', 'ssh'] as const),
];

/** Copy actions; if the shell doesn't matter, the first one is used. */
const copies: ReadonlyMap<string, { what: LinesFor; shell: CopyShell }> = new Map(
  kinds.flatMap((what) => shells.toReversed().map((shell) => [copyAction(what, shell), { what, shell }] as const)),
);

/** What an action copies; null if it copies no lines. */
export function copyOf(action: string): { what: LinesFor; shell: CopyShell } | null {
  return copies.get(action) ?? null;
}

export function isCopyAction(action: string): action is CopyAction {
  return copies.has(action);
}

/** A shell or a file, as the menu names it. */
export function shellName(shell: CopyShell): string {
  switch (shell) {
    case 'bash':
      return t('bash or zsh');
    case 'fish':
      return 'fish';
    case 'powershell':
      return 'PowerShell';
    case 'cmd':
      return t('Command Prompt');
    case 'json':
      return 'settings.json';
  }
}

const copyShells: readonly CopyShell[] = ['bash', 'fish', 'powershell', 'cmd', 'json'];

export function clientEntries({ shell, isSetup }: TrayFacts): TrayEntry[] {
  const ordered = [shell, ...copyShells.filter((other) => other !== shell)];
  return [
    'separator',
    {
      id: 'copy',
      label: t('Copy lines for Claude Code'),
      items: ordered.map((name) => entry(`copy-${name}`, shellName(name))),
    },
    isSetup ? entry('undo-setup', t('Undo Claude Code setup…')) : entry('setup', t('Set up Claude Code…')),
    { id: 'copy-openai', label: t('Copy lines for OpenAI clients'), items: openaiClients(ordered) },
    { id: 'copy-mcp', label: t('Copy MCP server'), items: mcpClients(ordered) },
  ];
}

/** Web search for clients of MCP: a command for Claude Code, files for the others. */
function mcpClients([own = 'bash']: readonly CopyShell[]): TrayEntry[] {
  return [
    {
      id: 'copy-mcp-own',
      label: t('{program}: command for {shell}', { program: 'Claude Code', shell: shellName(own) }),
      action: `copy-mcp-${own}`,
    },
    entry('copy-mcp-codex', 'Codex: config.toml'),
    entry('copy-mcp-zed', 'Zed: settings.json'),
  ];
}

/**
 * The variables for each shell, the person's own first; Codex and VS Code read files, and Codex its key from the shell.
 */
function openaiClients(ordered: readonly CopyShell[]): TrayEntry[] {
  const terminals = ordered.filter((shell) => shell !== 'json');
  const own = terminals[0] ?? 'bash';
  return [
    ...terminals.map((shell) => entry(`copy-openai-${shell}`, shellName(shell))),
    'separator',
    entry('copy-codex-config', 'Codex: config.toml'),
    {
      id: 'copy-codex',
      label: t('{program}: key for {shell}', { program: 'Codex', shell: shellName(own) }),
      action: `copy-codex-${own}`,
    },
    entry('copy-vscode', 'VS Code: chatLanguageModels.json'),
  ];
}
