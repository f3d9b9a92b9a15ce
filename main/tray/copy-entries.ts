import { type CopyShell, entry, type TrayEntry, type TrayFacts } from './tray-entry.ts';

export const shellNames: Readonly<Record<CopyShell, string>> = {
  bash: 'bash or zsh',
  fish: 'fish',
  powershell: 'PowerShell',
  cmd: 'Command Prompt',
  json: 'settings.json',
};

const copyShells: readonly CopyShell[] = ['bash', 'fish', 'powershell', 'cmd', 'json'];

export function clientEntries({ shell, isSetup }: TrayFacts): TrayEntry[] {
  const ordered = [shell, ...copyShells.filter((other) => other !== shell)];
  return [
    'separator',
    {
      id: 'copy',
      label: 'Copy lines for Claude Code',
      items: ordered.map((name) => entry(`copy-${name}`, shellNames[name])),
    },
    isSetup ? entry('undo-setup', 'Undo Claude Code setup…') : entry('setup', 'Set up Claude Code…'),
    { id: 'copy-openai', label: 'Copy lines for OpenAI clients', items: openaiClients(ordered) },
    { id: 'copy-mcp', label: 'Copy MCP server', items: mcpClients(ordered) },
  ];
}

/** Web search for clients of MCP: a command for Claude Code, files for the others. */
function mcpClients([own = 'bash']: readonly CopyShell[]): TrayEntry[] {
  return [
    { id: 'copy-mcp-own', label: `Claude Code: command for ${shellNames[own]}`, action: `copy-mcp-${own}` },
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
    ...terminals.map((shell) => entry(`copy-openai-${shell}`, shellNames[shell])),
    'separator',
    entry('copy-codex-config', 'Codex: config.toml'),
    { id: 'copy-codex', label: `Codex: key for ${shellNames[own]}`, action: `copy-codex-${own}` },
    entry('copy-vscode', 'VS Code: chatLanguageModels.json'),
  ];
}
