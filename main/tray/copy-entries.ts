import { t } from '../../app/language/translate.ts';
import { type CopyShell, entry, type TrayEntry, type TrayFacts } from './tray-entry.ts';

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
