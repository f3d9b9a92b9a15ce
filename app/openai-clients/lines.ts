import type { LinesFor } from '../api/setup.ts';
import { renderEnvironment, type Shell } from '../claude-code/render-env.ts';
import type { ClientModel } from './client-model.ts';
import { codexConfig, codexEnvironment } from './codex.ts';
import { editorCommand, jetbrainsAgent, zedAgent } from './editors.ts';
import { type Door, openaiEnvironment } from './environment.ts';
import { claudeCodeMcp, codexMcp, zedMcp } from './mcp.ts';
import { vscodeModels } from './vscode.ts';

export type OpenaiLines = Exclude<LinesFor, 'claude-code'>;

/** The client's name in the log, unless a person gives another. */
export const openaiLabels: Readonly<Record<OpenaiLines, string>> = {
  openai: 'openai',
  codex: 'codex',
  'codex-config': 'codex',
  vscode: 'vscode',
  mcp: 'claude-code',
  'mcp-codex': 'codex',
  'mcp-zed': 'zed',
  acp: 'acp',
  'acp-zed': 'acp',
  'acp-jetbrains': 'acp',
};

/** The lines name models, and none are known. */
export class NoModelsError extends Error {
  override readonly name = 'NoModelsError';
  readonly mend = 'Sign in, or wait until Copilot can be reached, then copy again.';
  constructor() {
    super('The models of this account are not known now.');
  }
}

/** For people to look at. */
export function withoutKey(lines: string, key: string): string {
  return lines.replaceAll(key, '••••••••');
}

/**
 * What a person pastes for a client of OpenAI's APIs, or of the MCP server. `models`: those of the account that can be
 * asked for; empty while they are not known. Throws `NoModelsError`.
 */
export function openaiLines(
  lines: OpenaiLines,
  given: { door: Door; models: readonly ClientModel[]; shell: Shell },
): string {
  const { door, models, shell } = given;
  switch (lines) {
    case 'openai':
      return rendered(openaiEnvironment(door), shell);
    case 'codex':
      return rendered(codexEnvironment(door), shell);
    case 'codex-config':
      return codexConfig(door, models);
    case 'vscode':
      if (models.length === 0) throw new NoModelsError();
      return vscodeModels(door, models);
    case 'mcp':
      return claudeCodeMcp(door, shell);
    case 'mcp-codex':
      return codexMcp(door);
    case 'mcp-zed':
      return zedMcp(door);
    case 'acp':
      return editorCommand;
    case 'acp-zed':
      return zedAgent();
    case 'acp-jetbrains':
      return jetbrainsAgent();
  }
}

/** As JSON the variables alone: `env` around them is Claude Code's own. */
function rendered(entries: Parameters<typeof renderEnvironment>[0], shell: Shell): string {
  if (shell !== 'json') return renderEnvironment(entries, shell);
  return `${JSON.stringify(Object.fromEntries(entries.map(({ name, value }) => [name, value])), null, 2)}\n`;
}
