import { existsSync } from 'node:fs';
import { type Message, msg } from '../language/messages.ts';
import { inConfig, inFolder, inHome, inSystem, type Machine, roaming } from './machine.ts';
import { type ClientFile, type ClientModel, type Entry, labelledKey } from './program.ts';

/*
 * Claude Desktop's third inference, as its own "Apply Changes" writes it. Its folder is that of its data with
 * `-3p` behind it (on Windows in %LOCALAPPDATA%), or CLAUDE_USER_DATA_DIR as it stands. Read in sources of others, and
 * not tried in a real one: lidge-jun/opencodex, src/claude/desktop-3p-paths.ts, has the program's own function for the
 * folder; farion1231/cc-switch, src-tauri/src/claude_desktop_config.rs, writes the same four files; the fields are in
 * docs.litellm.ai/docs/proxy/client_setup/claude_desktop.
 */

/** It takes ids of this form alone. The same on each machine: a second setup finds the first. */
const id = '6a756d70-7365-4174-8000-000000004180';

/** It takes names of Claude's families alone, and drops the whole list for another. */
const claude = /^claude-(?:opus|sonnet|haiku|fable)-/;

const configuration: ClientFile = {
  path: (machine) => inFolder(machine, library(machine), `${id}.json`),
  format: 'json',
  isOwnFile: true,
  entries: ({ door, models }) => {
    const offered = models.filter((model) => claude.test(model.id));
    return [
      { at: ['inferenceProvider'], value: 'gateway' },
      { at: ['inferenceGatewayBaseUrl'], value: door.baseUrl },
      { at: ['inferenceGatewayApiKey'], value: labelledKey(door) },
      { at: ['inferenceGatewayAuthScheme'], value: 'bearer' },
      // Without a list it asks for the models itself.
      ...(offered.length === 0 ? [] : [{ at: ['inferenceModels'], value: offered.map(inferenceModel) }]),
    ];
  },
};

/** As Anthropic spells the name. Without `supports1m` it assumes 200k tokens. */
function inferenceModel({ id: model, name, limits }: ClientModel): object {
  return {
    ...{ name: model.replaceAll('.', '-'), labelOverride: name },
    ...((limits.promptTokens ?? 0) > 500_000 && { supports1m: true }),
  };
}

/** Its list of configurations. The person's own stay in it, and the one in use before comes back. */
const applied: ClientFile = {
  path: (machine) => inFolder(machine, library(machine), '_meta.json'),
  format: 'json',
  entries: () => [
    { at: ['appliedId'], value: id, leads: 'name' },
    { at: ['entries', { id }], value: { id, name: 'Jumpseat' } },
  ],
};

const thirdParty: readonly Entry[] = [{ at: ['deploymentMode'], value: '3p', leads: 'choice' }];
const name = 'claude_desktop_config.json';
const config = (machine: Machine): string => inFolder(machine, inData(machine), name);

export const claudeDesktopModels = {
  files: [
    configuration,
    applied,
    { path: (machine: Machine) => inFolder(machine, inThirdParty(machine), name), format: 'json', entries: mode },
    { path: config, format: 'json', entries: mode },
  ],
  next: msg('Quit Claude Desktop and start it again. If it shows its sign-in, choose to go on with the gateway there.'),
} satisfies { files: readonly [ClientFile, ...ClientFile[]]; next: Message };

function mode(): Entry[] {
  return [...thirdParty];
}

/** modelcontextprotocol.io/docs/develop/connect-local-servers. It starts its servers itself, so no key is written. */
export const claudeDesktopServers = {
  path: config,
  format: 'json',
  entries: ({ command: [command = '', ...args], door }) => [
    { at: ['mcpServers', 'jumpseat'], value: { command, args: [...args, 'mcp', '--client', door.label] } },
  ],
  next: msg('Quit Claude Desktop and start it again.'),
} satisfies ClientFile & { next: Message };

/** On Windows an organization uses the registry, which isn't read here. */
export function claudeDesktopPolicy(machine: Machine): string | null {
  if (machine.platform !== 'darwin') return null;
  const path = inSystem(machine, '/Library/Managed Preferences/com.anthropic.claudefordesktop.plist');
  return existsSync(path) ? path : null;
}

function library(machine: Machine): string {
  return inFolder(machine, inThirdParty(machine), 'configLibrary');
}

function inThirdParty(machine: Machine): string {
  const { platform, env } = machine;
  if (env.CLAUDE_USER_DATA_DIR) return env.CLAUDE_USER_DATA_DIR;
  if (platform === 'win32')
    return inFolder(machine, env.LOCALAPPDATA || inHome(machine, 'AppData', 'Local'), 'Claude-3p');
  return `${inData(machine)}-3p`;
}

function inData(machine: Machine): string {
  if (machine.platform === 'win32') return inFolder(machine, roaming(machine), 'Claude');
  return machine.platform === 'darwin'
    ? inHome(machine, 'Library', 'Application Support', 'Claude')
    : inConfig(machine, 'Claude');
}
