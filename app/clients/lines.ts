import { basename, dirname } from 'node:path';
import type { AnswersTo, App } from '../api/app.ts';
import type { lineCalls } from '../api/calls/setup.ts';
import { isPlaceLines, type LinesFor, type PlaceLines } from '../api/setup.ts';
import { asShellWord } from '../api/shell.ts';
import { type EnvEntry, renderEnvironment, type Shell } from '../claude-code/env-snippet.ts';
import { t } from '../language/translate.ts';
import { codexConfig, codexEnvironment } from './codex.ts';
import { editorCommand, jetbrainsAgent, vscodeModels, zedAgent, zedEnvironment, zedProvider } from './editors.ts';
import { claudeCodeMcp, codexMcp, zedMcp } from './mcp.ts';
import { type ClientModel, type Door, formValues, openaiEnvironment } from './program.ts';

type OpenaiLines = Exclude<LinesFor, 'claude-code' | PlaceLines>;

/** The client's name in the log, unless a person gives another. */
const openaiLabels: Readonly<Record<OpenaiLines, string>> = {
  openai: 'openai',
  codex: 'codex',
  'codex-config': 'codex',
  vscode: 'vscode',
  zed: 'zed',
  'zed-key': 'zed',
  form: 'other',
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
  readonly remedy = t('Sign in, or wait until Copilot can be reached, then copy again.');
  constructor() {
    super(t('The models of this account are not known now.'));
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
  given: { door: Door; models: readonly ClientModel[]; shell: Shell; command?: readonly string[] | undefined },
): string {
  const { door, models, shell, command = ['jumpseat'] } = given;
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
    case 'zed':
      if (models.length === 0) throw new NoModelsError();
      return zedProvider(door, models);
    case 'zed-key':
      return rendered(zedEnvironment(door), shell);
    case 'form':
      return formValues(door);
    case 'mcp':
      return claudeCodeMcp(door, shell);
    case 'mcp-codex':
      return codexMcp(door);
    case 'mcp-zed':
      return zedMcp(door);
    case 'acp':
      return editorCommand(command);
    case 'acp-zed':
      return zedAgent(command);
    case 'acp-jetbrains':
      return jetbrainsAgent(command);
  }
}

/** As JSON only the variables, because Claude Code has its own `env` around them. */
function rendered(entries: Parameters<typeof renderEnvironment>[0], shell: Shell): string {
  if (shell !== 'json') return renderEnvironment(entries, shell);
  return `${JSON.stringify(Object.fromEntries(entries.map(({ name, value }) => [name, value])), null, 2)}\n`;
}

interface LineAnswersDependencies {
  /** Where clients find the proxy, or would. */
  baseUrl(): Promise<string>;
  key(): Promise<string>;
  /** Models that a client can be sent to; none if they can't be read. */
  models(): Promise<ClientModel[]>;
  /** The lines for Claude Code under this label, and sentences about them. */
  claudeCode(label: string): Promise<{ variables: Record<string, string>; notes: string[] }>;
  places(): OwnPlaces;
  /** How this Jumpseat is started, word by word; `jumpseat` unless given. */
  command: readonly string[] | undefined;
  /** Whether the key works after the end of this process as well. */
  isKeyKept(): boolean;
  /** Lines for Claude Code were handed out, which a change of models makes old. */
  copied(): Promise<void>;
}

export function lineAnswers(dependencies: LineAnswersDependencies): AnswersTo<typeof lineCalls> {
  const { baseUrl, key, models, claudeCode, command, isKeyKept, copied, places } = dependencies;
  const lines: App['lines'] = async (shell, what, client) => {
    if (what === 'claude-code') {
      const { variables } = await claudeCode(client ?? 'claude-code');
      // The lines are good without the note.
      await copied().catch(() => undefined);
      return renderEnvironment(entriesOf(variables), shell);
    }
    if (isPlaceLines(what)) return placeLines(what, (await claudeCode(client ?? what)).variables, places());
    const offered = await models();
    const door = { baseUrl: await baseUrl(), key: await key(), label: client ?? openaiLabels[what] };
    return openaiLines(what, { door, models: offered, shell, command });
  };
  return {
    lines,
    shownLines: async (shell, what) => withoutKey(await lines(shell, what), await key()),
    printedLines: async (shell, what, client) => {
      if (what !== 'claude-code') {
        const notes = isPlaceLines(what) ? placeNotes(what, places()) : [];
        return { text: await lines(shell, what, client ?? undefined), notes, isKeyKept: isKeyKept() };
      }
      const { variables, notes } = await claudeCode(client ?? 'claude-code');
      const text = renderEnvironment(entriesOf(variables), shell, notes);
      // JSON has no comments.
      return { text, notes: shell === 'json' ? notes : [], isKeyKept: isKeyKept() };
    },
  };
}

function entriesOf(variables: Record<string, string>): EnvEntry[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

/** What a person copies so that clients in a container, in WSL or on another machine reach this Jumpseat. */

/** Where this Jumpseat can be reached. */
export interface OwnPlaces {
  /** The path of the socket that is open, or would be. */
  socket: string;
  isSocketOn: boolean;
  /** The address of this machine that WSL reaches; null: none is known. */
  wslAddress: string | null;
  platform: NodeJS.Platform;
}

/** Where the socket's folder is in a container. Not the socket alone: a new one has to be seen after a restart. */
const mounted = '/run/jumpseat';

/**
 * `variables`: those for Claude Code. The key among them is never printed: it comes from the shell that starts the
 * container, or goes over SSH into a file.
 */
export function placeLines(place: PlaceLines, variables: Record<string, string>, own: OwnPlaces): string {
  switch (place) {
    case 'docker':
      return dockerLines(variables, own);
    case 'devcontainer':
      return devcontainerLines(variables, own);
    case 'wsl':
      return wslLines(variables, own);
    case 'ssh':
      return sshLines(variables, own);
  }
}

/** What has to be so before these lines work. */
export function placeNotes(place: PlaceLines, own: OwnPlaces): string[] {
  if (place === 'wsl' || isDesktop(place, own)) return [];
  return own.isSocketOn
    ? []
    : [t('The socket is off. Turn it on in Settings → Proxy, or start Jumpseat with "jumpseat serve --socket".')];
}

/** Docker Desktop's machine can't open a socket of this one, but leads `host.docker.internal` to 127.0.0.1 here. */
function isDesktop(place: PlaceLines, { platform }: OwnPlaces): boolean {
  return place !== 'ssh' && platform !== 'linux';
}

const portIn = (variables: Record<string, string>): string => new URL(variables.ANTHROPIC_BASE_URL ?? '').port;

function inContainer(place: PlaceLines, variables: Record<string, string>, own: OwnPlaces): string {
  return isDesktop(place, own) ? `host.docker.internal:${portIn(variables)}` : `${mounted}/${basename(own.socket)}`;
}

function forwardCommand(variables: Record<string, string>): string {
  const port = portIn(variables);
  return port === '4180' ? 'jumpseat forward' : `jumpseat forward --port ${port}`;
}

function dockerLines(variables: Record<string, string>, own: OwnPlaces): string {
  const mount = `type=bind,source=${dirname(own.socket)},target=${mounted}`;
  const options = [
    ...(isDesktop('docker', own) ? [] : [`--mount ${asShellWord(mount, 'bash')}`]),
    `-e JUMPSEAT_SOCKET=${inContainer('docker', variables, own)}`,
    ...Object.keys(variables).map((name) => `-e ${name}`),
  ];
  return lines(
    '# Here: the container gets the key from the variables of this shell. Put your image in the place of IMAGE.',
    'eval "$(jumpseat env --client docker)"',
    `docker run -it --rm ${options.map((option) => `\\\n  ${option} `).join('')}\\\n  IMAGE`,
    '# In the container, where Jumpseat’s command has to be installed:',
    `${forwardCommand(variables)} &`,
    'jumpseat doctor',
    'claude',
  );
}

function devcontainerLines(variables: Record<string, string>, own: OwnPlaces): string {
  const { ANTHROPIC_AUTH_TOKEN: _key, ...plain } = variables;
  const value = {
    ...(isDesktop('devcontainer', own)
      ? {}
      : { mounts: [{ type: 'bind', source: dirname(own.socket), target: mounted }] }),
    containerEnv: { JUMPSEAT_SOCKET: inContainer('devcontainer', variables, own) },
    remoteEnv: { ...plain, ANTHROPIC_AUTH_TOKEN: '$' + '{localEnv:ANTHROPIC_AUTH_TOKEN}' },
    postStartCommand: `nohup ${forwardCommand(variables)} > /tmp/jumpseat-forward.log 2>&1 &`,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function wslLines(variables: Record<string, string>, { wslAddress }: OwnPlaces): string {
  const address = wslAddress ?? 'ADDRESS';
  return lines(
    '# Windows 11: in %UserProfile%\\.wslconfig. After "wsl --shutdown", 127.0.0.1 in WSL is that of Windows.',
    '[wsl2]',
    'networkingMode=mirrored',
    '# Then in WSL:',
    'eval "$(cmd.exe /c jumpseat env --client wsl --shell bash)"',
    'claude',
    `# Otherwise, on Windows${wslAddress === null ? ', with the address of “vEthernet (WSL)” that ipconfig shows' : ''}:`,
    `jumpseat serve --address ${address}`,
    '# and in WSL, behind the line above:',
    `export ANTHROPIC_BASE_URL=http://${address}:${portIn(variables)}`,
    'claude',
  );
}

function sshLines(variables: Record<string, string>, { socket, platform }: OwnPlaces): string {
  const port = portIn(variables);
  const tunnel = `ssh -R 127.0.0.1:${port}:127.0.0.1:${port} HOST`;
  const key =
    'jumpseat env --client ssh --shell bash | ssh HOST "umask 077; mkdir -p ~/.jumpseat; cat > ~/.jumpseat/env"';
  if (platform === 'win32')
    return lines(
      '# Here, with your machine in the place of HOST. Every user of HOST can reach the port: only the key protects it.',
      key,
      tunnel,
      '# There:',
      '. ~/.jumpseat/env',
      'claude',
    );
  return lines(
    '# Here, with your machine in the place of HOST. Only your user can open the socket there.',
    key,
    'there=$(ssh HOST "chmod 700 ~/.jumpseat; rm -f ~/.jumpseat/jumpseat.sock; echo ~/.jumpseat/jumpseat.sock")',
    `ssh -o ExitOnForwardFailure=yes -R "$there":${asShellWord(socket, 'bash')} HOST`,
    '# There, where Jumpseat’s command has to be installed:',
    '. ~/.jumpseat/env',
    'export JUMPSEAT_SOCKET=~/.jumpseat/jumpseat.sock',
    `${forwardCommand(variables)} &`,
    'jumpseat doctor',
    'claude',
    '# Without the command there: every user of HOST can then reach the port, and only the key protects it.',
    `# ${tunnel}`,
  );
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
