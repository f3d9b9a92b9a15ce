import { renderEnvironment, type Shell } from '../claude-code/env-snippet.ts';
import { type Door, labelledKey } from './client-model.ts';
import { codexKeyVariable } from './codex.ts';

/** What the server is called in every client's settings. */
export const mcpName = 'jumpseat';

export function mcpAddress({ baseUrl }: Pick<Door, 'baseUrl'>): string {
  return `${baseUrl}/mcp`;
}

/**
 * Claude Code puts a variable's value in by itself, each time it connects: so the key stands neither in a command nor
 * in the file that it writes. For a variable of its own, as ANTHROPIC_AUTH_TOKEN, it does not (seen with 2.1.328).
 */
const keyVariable = 'JUMPSEAT_MCP_KEY';
const authorization = `Bearer \${${keyVariable}}`;

/**
 * The key for the shell, and the command that adds the server to Claude Code for good; as JSON a `.mcp.json`, which a
 * project may share.
 */
export function claudeCodeMcp(door: Door, shell: Shell): string {
  const url = mcpAddress(door);
  if (shell === 'json')
    return json({ mcpServers: { jumpseat: { type: 'http', url, headers: { Authorization: authorization } } } });
  // In these quotes no shell puts a value in.
  const quote = shell === 'cmd' ? '"' : "'";
  const header = `${quote}Authorization: ${authorization}${quote}`;
  const key = renderEnvironment([{ name: keyVariable, value: labelledKey(door) }], shell);
  return `${key}claude mcp add --scope user --transport http jumpseat ${url} --header ${header}\n`;
}

/** A table for `~/.codex/config.toml`. Codex takes a key from a variable alone: the one of its lines for the shell. */
export function codexMcp(door: Pick<Door, 'baseUrl'>): string {
  return [
    '# ~/.codex/config.toml, anywhere below its first [table]:',
    '[mcp_servers.jumpseat]',
    `url = ${JSON.stringify(mcpAddress(door))}`,
    `bearer_token_env_var = ${JSON.stringify(codexKeyVariable)}`,
    '',
  ].join('\n');
}

/** For Zed's settings.json (zed.dev/docs/ai/mcp), which expands no variables: it contains the key. */
export function zedMcp(door: Door): string {
  const headers = { Authorization: `Bearer ${labelledKey(door)}` };
  return json({ context_servers: { jumpseat: { url: mcpAddress(door), headers } } });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
