import { renderEnvironment, type Shell } from '../claude-code/env-snippet.ts';
import { codexKeyVariable } from './codex.ts';
import { crushFile, gooseFolder, inFolder, inHome, vscodeUser } from './machine.ts';
import { type ClientFile, type Door, labelledKey } from './program.ts';

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
const bearerOfVariable = `Bearer \${${keyVariable}}`;

/**
 * The key for the shell, and the command that adds the server to Claude Code for good; as JSON a `.mcp.json`, which a
 * project may share.
 */
export function claudeCodeMcp(door: Door, shell: Shell): string {
  const url = mcpAddress(door);
  if (shell === 'json')
    return json({ mcpServers: { jumpseat: { type: 'http', url, headers: { Authorization: bearerOfVariable } } } });
  // In these quotes no shell puts a value in.
  const quote = shell === 'cmd' ? '"' : "'";
  const header = `${quote}Authorization: ${bearerOfVariable}${quote}`;
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
  return json({ context_servers: { jumpseat: { url: mcpAddress(door), headers: authorization(door) } } });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** For programs that put no variable into their files. */
export function authorization(door: Door): Record<string, string> {
  return { Authorization: `Bearer ${labelledKey(door)}` };
}

/** docs.continue.dev/customize/deep-dives/mcp, and the pinned command of Continue. */
export const continueServers = {
  path: (machine) => inHome(machine, '.continue', 'config.yaml'),
  format: 'yaml',
  entries: ({ door }) => [
    ...Object.entries({ name: 'Local config', version: '1.0.0', schema: 'v1' }).map(([name, value]) => ({
      ...{ at: [name], value, isDefault: true },
    })),
    {
      at: ['mcpServers', { name: 'Jumpseat' }],
      value: {
        ...{ name: 'Jumpseat', type: 'streamable-http', url: mcpAddress(door) },
        requestOptions: { headers: authorization(door) },
      },
    },
  ],
} satisfies ClientFile;

/** Same shape as `cline mcp add` of the pinned Cline writes. */
export const clineServers = {
  path: (machine) => inHome(machine, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
  format: 'json',
  entries: ({ door }) => [
    {
      at: ['mcpServers', 'jumpseat'],
      value: { transport: { type: 'streamableHttp', url: mcpAddress(door), headers: authorization(door) } },
    },
  ],
} satisfies ClientFile;

/** The pinned Goose; block.github.io/goose/docs/guides/config-files, "Extensions Configuration". */
export const gooseServers = {
  path: (machine) => inFolder(machine, gooseFolder(machine), 'config.yaml'),
  format: 'yaml',
  entries: ({ door }) => [
    {
      at: ['extensions', 'jumpseat'],
      value: {
        ...{ enabled: true, type: 'streamable_http', name: 'jumpseat', description: 'Web search and pages' },
        ...{ uri: mcpAddress(door), headers: authorization(door), timeout: 300 },
      },
    },
  ],
} satisfies ClientFile;

/** github.com/charmbracelet/crush, README, "MCPs" */
export const crushServers = {
  path: crushFile,
  format: 'json',
  entries: ({ door }) => [
    { at: ['mcp', 'jumpseat'], value: { type: 'http', url: mcpAddress(door), headers: authorization(door) } },
  ],
} satisfies ClientFile;

/** code.visualstudio.com/docs/copilot/reference/mcp-configuration. Of the default profile. */
export const vscodeServers = {
  path: (machine) => inFolder(machine, vscodeUser(machine), 'mcp.json'),
  format: 'json',
  entries: ({ door }) => [
    { at: ['servers', 'jumpseat'], value: { type: 'http', url: mcpAddress(door), headers: authorization(door) } },
  ],
} satisfies ClientFile;

/** docs.roocode.com/features/mcp/using-mcp-in-roo. The folder is that of VS Code for this extension. */
export const rooServers = {
  path: (machine) => {
    const folder = inFolder(machine, vscodeUser(machine), 'globalStorage', 'rooveterinaryinc.roo-cline');
    return inFolder(machine, folder, 'settings', 'mcp_settings.json');
  },
  format: 'json',
  entries: ({ door }) => [
    {
      at: ['mcpServers', 'jumpseat'],
      value: { type: 'streamable-http', url: mcpAddress(door), headers: authorization(door) },
    },
  ],
} satisfies ClientFile;
