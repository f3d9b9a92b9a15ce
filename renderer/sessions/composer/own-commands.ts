import type { SessionCommand } from '../../../app/api/session-surroundings.ts';

/** Commands that Jumpseat answers itself; the agent never sees them. */
export const ownCommandNames = ['cost', 'clear', 'model', 'permissions', 'fork', 'rename'] as const;
export type OwnCommand = (typeof ownCommandNames)[number];

const says: Readonly<Record<OwnCommand, string>> = {
  cost: 'Credits of this session by turn',
  clear: 'Go on in a new session; this one stays in the list',
  model: 'Choose the model',
  permissions: 'Choose what is done without asking',
  fork: 'Go on in a copy of this session',
  rename: 'Give this session another title',
};

export const ownCommands: readonly SessionCommand[] = ownCommandNames.map((name) => ({
  name,
  description: says[name],
  hint: name === 'rename' ? '[title]' : null,
  isSkill: false,
  origin: { kind: 'jumpseat', name: null, path: null },
}));

export function isOwn(name: string): name is OwnCommand {
  return ownCommandNames.some((own) => own === name);
}

/** Of Claude Code, and of use in its terminal alone. */
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

export function needsTerminal(name: string): boolean {
  return terminalCommands.has(name);
}
