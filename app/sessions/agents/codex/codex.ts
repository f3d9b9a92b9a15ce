import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientCapabilities } from '@agentclientprotocol/sdk/unstable';
import type { OfferedMode } from '../../../api/session-surroundings.ts';
import { type ClientModel, openaiBaseUrl } from '../../../clients/program.ts';
import type { Package } from '../../../packages/package.ts';
import type { Clock, Log } from '../../../ports.ts';
import type { Launcher } from '../../../processes/launch.ts';
import { type AgentConnection, type AgentDescription, AgentError, type SessionStart } from '../agent.ts';
import { AgentPrograms, type ProgramDependencies } from '../agent-programs.ts';
import { clientCapabilities } from '../connect.ts';
import { sparseEnvironment } from '../sparse-environment.ts';
import { CodexSessions, type CodexStart } from './codex-sessions.ts';
import { trustVariable } from './folder-trust.ts';

interface CodexDependencies extends ProgramDependencies {
  arch: string;
  clock: Clock;
  log: Log;
  launcher: Launcher;
  /** The bundle of `entry.ts`. */
  entryFile: string;
  /** Jumpseat's. */
  version: string;
  userHome: string;
  /** Codex's default model; null if unknown now. Its own list has models that Copilot lacks. */
  model(): Promise<Pick<ClientModel, 'id' | 'limits'> | null>;
  /** All that the account may use. */
  offered(): Promise<readonly Pick<ClientModel, 'id' | 'supports'>[]>;
  /** Jumpseat answers Codex's own searches. */
  isSearchOn(): boolean;
}

const agentTitle = 'Codex';

const asks = { asksNothing: false, refusal: null } as const;
/** Modes of codex-acp. By its own default a model decides what may run. */
const modes: readonly OfferedMode[] = [
  { id: 'workspace-write', name: 'Edit in this folder', ...asks },
  { id: 'read-only', name: 'Ask first', ...asks },
  { id: 'agent', name: 'Auto', ...asks },
  { id: 'agent-full-access', name: 'Never ask', asksNothing: true, refusal: null },
];

const capabilities: ClientCapabilities = {
  ...clientCapabilities,
  // So that each session is told of our proxy and its own key, over the pipe.
  auth: { _meta: { gateway: true } },
};

/** OpenAI's Codex, led by codex-acp, on our Responses API. Its sessions and settings are the person's own. */
export function codexAgent(dependencies: CodexDependencies): AgentDescription {
  const { environment, platform, arch, fetched } = dependencies;
  const codexHome = environment.CODEX_HOME || join(dependencies.userHome, '.codex');
  const programs = new AgentPrograms(
    {
      title: agentTitle,
      command: 'codex',
      startsScripts: true,
      oldest: oldestCodex,
      build: codexPackage(platform, arch),
      leader: {
        package: codexAcp,
        module: 'dist/index.js',
        missing: 'codex-acp, which leads Codex, isn’t here yet.',
      },
    },
    dependencies,
  );
  return {
    name: 'codex',
    title: agentTitle,
    modes,
    respectsTrust: ['AGENTS.md', '.codex'],
    mcp: { http: true, sse: false, acp: false },
    models: async () =>
      (await dependencies.offered())
        .filter(({ id }) => !id.startsWith('claude'))
        .map(({ id, supports }) => ({ id, model: id, efforts: [...supports.efforts] })),
    availability: () => programs.availability(),
    fetch: async (options) => fetched.fetch(await programs.missing(), options),
    connect: async (handlers, { signal }): Promise<AgentConnection> => {
      const { program, leader } = await programs.paths();
      const shown = await dependencies.model();
      // Loaded when it is used, so that the start of the app stays short.
      const { connectAgent } = await import('../connect.ts');
      const open = (isTrusted: boolean, abort?: AbortSignal): Promise<AgentConnection> =>
        connectAgent({
          title: agentTitle,
          ...{ capabilities, handlers, launcher: dependencies.launcher },
          program: {
            file: dependencies.entryFile,
            env: {
              ...sparseEnvironment(environment, platform),
              ...(environment.CODEX_HOME && { CODEX_HOME: environment.CODEX_HOME }),
              CODEX_PATH: program,
              CODEX_CONFIG: JSON.stringify(config(shown, dependencies.isSearchOn())),
              // Its default lets a model judge what may be run: three more requests a turn, each of them paid.
              INITIAL_AGENT_MODE: 'workspace-write',
              JUMPSEAT_CODEX_ACP: leader,
              [trustVariable]: isTrusted ? 'trusted' : 'untrusted',
            },
          },
          ...{ version: dependencies.version, clock: dependencies.clock, log: dependencies.log },
          ...(abort && { signal: abort }),
        });
      return new CodexSessions(await open(false, signal), (isTrusted) => open(isTrusted));
    },
    prepare: async (start) => ({ ...startRequest(start), release: async () => undefined }),
    conversationFiles: (sessionId) => rolloutsOf(codexHome, sessionId),
  };
}

/** Contains no secret, because it is in the environment. Copilot's window is set, so that Codex compacts in time. */
function config(model: Pick<ClientModel, 'id' | 'limits'> | null, isSearchOn: boolean): object {
  const window = model?.limits.promptTokens ?? null;
  return {
    check_for_update_on_startup: false,
    analytics: { enabled: false },
    ...(model !== null && { model: model.id }),
    ...(window !== null && { model_context_window: window }),
    ...(isSearchOn ? {} : { web_search: 'disabled' }),
  };
}

/** `sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, as Codex 0.169.0 keeps them. */
async function rolloutsOf(codexHome: string, sessionId: string): Promise<string[]> {
  const folder = join(codexHome, 'sessions');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(`-${sessionId}.jsonl`)).map((name) => join(folder, name));
}

function startRequest(start: SessionStart): { method: CodexStart['method']; params: Record<string, unknown> } {
  const { how, cwd, trusted, model, effort, mode, title } = start;
  if (how.kind === 'resume' && how.at !== null) {
    throw new AgentError('start', 'Codex can’t go back to an earlier message.', 'Go on from the last one.');
  }
  // codex-acp tells Codex one trust for all folders of a session.
  const isTrusted = trusted && start.untrustedDirectories.length === 0;
  const door = { baseUrl: openaiBaseUrl(start), key: start.key };
  const codex: CodexStart['codex'] = { ...door, isTrusted, model, effort, mode, title };
  return {
    method: how.kind === 'new' ? 'session/new' : 'session/resume',
    params: {
      ...(how.kind === 'resume' && { sessionId: how.sessionId }),
      cwd,
      additionalDirectories: [...start.additionalDirectories],
      mcpServers: [...start.mcpServers],
      codex,
    },
  };
}

/** The adapter of the Agent Client Protocol's keepers (Apache-2.0), in one file. */
const codexAcp: Package = {
  name: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  integrity: 'sha512-/PBsd0H6URy4bhXhAeXqwb7RqctbXfNceRihAh6nDmn5HJ873uzoHvHxF45YmeWfgOKKRrNRLZjYsket2a7EsQ==',
  bytes: 407_881,
  programs: {
    'dist/index.js': 'sha512-3h+EX8TAtBOFaJRPKz2wbQRFE9lK+oQhL2YJweP8whYcFHUfzIN1SFkHwJhYJBEaaFaYDxdZFsxBHtPgK2x1AA==',
  },
};

/** Older ones don't know what the adapter asks of them. */
const oldestCodex = '0.166.0';

/** Codex itself (Apache-2.0). Only what was fetched and looked at is here: elsewhere a person installs it. */
const builds: Readonly<Record<string, { package: Package; program: string }>> = {
  'linux-x64': {
    package: {
      name: '@openai/codex',
      version: '0.169.0-linux-x64',
      integrity: 'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
      bytes: 167_001_509,
      programs: {
        'vendor/x86_64-unknown-linux-musl/bin/codex':
          'sha512-BxvBf9IPWwSQxYsl5twSH89GG1DS2JI3lJ55w8GIsYw5H2sACdefKemM2c+euc2FddaT5GbCpTMC5EQBjvKoZA==',
      },
    },
    program: 'vendor/x86_64-unknown-linux-musl/bin/codex',
  },
};

/** Null if there is none for this system. The same program runs with either C library. */
function codexPackage(platform: NodeJS.Platform, arch: string): { package: Package; program: string } | null {
  return builds[`${platform}-${arch}`] ?? null;
}
