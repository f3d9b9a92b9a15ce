import type { LinesFor, Shell } from '../app/api/setup.ts';

/** A shell as the menu names it: zsh reads what bash reads. */
export type CopyShell = Exclude<Shell, 'zsh'>;

/** What is copied, and for which shell where that matters. */
export type CopyAction =
  | `copy-${CopyShell}`
  | `copy-openai-${CopyShell}`
  | `copy-codex-${CopyShell}`
  | 'copy-codex-config'
  | 'copy-vscode'
  | `copy-mcp-${CopyShell}`
  | 'copy-mcp-codex'
  | 'copy-mcp-zed'
  | 'copy-acp'
  | 'copy-acp-zed'
  | 'copy-acp-jetbrains';

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
    case 'mcp':
      return `copy-mcp-${named}`;
    case 'mcp-codex':
      return 'copy-mcp-codex';
    case 'mcp-zed':
      return 'copy-mcp-zed';
    case 'acp':
    case 'acp-zed':
    case 'acp-jetbrains':
      return `copy-${what}`;
  }
}

const shells: readonly CopyShell[] = ['bash', 'fish', 'powershell', 'cmd', 'json'];
const kinds: readonly LinesFor[] = [
  ...(['claude-code', 'openai', 'codex', 'codex-config', 'vscode'] as const),
  ...(['mcp', 'mcp-codex', 'mcp-zed'] as const),
  ...(['acp', 'acp-zed', 'acp-jetbrains'] as const),
];

/** Each by its action; where the shell does not matter the first stands for all. */
const copies: ReadonlyMap<string, { what: LinesFor; shell: CopyShell }> = new Map(
  kinds.flatMap((what) => shells.toReversed().map((shell) => [copyAction(what, shell), { what, shell }] as const)),
);

/** What an action copies; null where it copies no lines. */
export function copyOf(action: string): { what: LinesFor; shell: CopyShell } | null {
  return copies.get(action) ?? null;
}

export function isCopyAction(action: string): action is CopyAction {
  return copies.has(action);
}
