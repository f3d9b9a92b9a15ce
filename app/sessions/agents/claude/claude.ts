import { dirname, join } from 'node:path';
import { claudeSettingsPath } from '../../../claude-code/settings-file.ts';
import type { Clock, Log, Paths } from '../../../ports.ts';
import type { AgentDescription, PreparedStart, SessionStart } from '../agent.ts';
import { AgentPrograms, type ProgramDependencies } from '../agent-programs.ts';
import { clientCapabilities } from '../client-capabilities.ts';
import type { AgentLauncher } from '../launch.ts';
import { ownProxies, sparseEnvironment } from '../sparse-environment.ts';
import { claudeHeeds, claudeModels, claudeModes, type ModelSources, neverAsking } from './claude-offers.ts';
import { agentSdk, claudePackage, oldestClaude } from './claude-packages.ts';
import { sessionSettings, settingsFolder, writeSettings } from './session-settings.ts';

export interface ClaudeDependencies extends ProgramDependencies, ModelSources {
  /** `linux-x64-musl`; see `claudeSystem`. */
  system: string;
  clock: Clock;
  log: Log;
  paths: Pick<Paths, 'home'>;
  launcher: AgentLauncher;
  /** The bundle of `entry/entry.ts`. */
  entryFile: string;
  /** Jumpseat's. */
  version: string;
  isRoot: boolean;
  web: WebChoices;
}

/** Asked at every start of a session. */
export interface WebChoices {
  /**
   * Jumpseat answers Claude Code's own searches, without a request to Copilot and without another key. Where it does
   * not, the model is offered none: it would be refused.
   */
  search(): boolean;
  /** Claude Code may ask Anthropic about the domain of a page before it reads it. */
  fetchPreflight(): boolean;
}

/** As `agent-sdk.ts` reads it. */
const sdkVariable = 'JUMPSEAT_AGENT_SDK';

/** What the protocol leaves out, as `facts.ts` reads it. */
const rawMessages = [
  { type: 'command_lifecycle' },
  { type: 'assistant' },
  { type: 'system', subtype: 'init' },
  { type: 'system', subtype: 'status' },
  { type: 'system', subtype: 'session_state_changed' },
  { type: 'system', subtype: 'background_tasks_changed' },
];

/** Claude Code, led by claude-agent-acp with what we add to it. */
export function claudeAgent(dependencies: ClaudeDependencies): AgentDescription {
  const { environment, platform, fetched, paths } = dependencies;
  const programs = new AgentPrograms(
    {
      title: 'Claude Code',
      command: 'claude',
      oldest: oldestClaude,
      build: claudePackage(dependencies.system),
      leader: {
        package: agentSdk,
        module: 'sdk.mjs',
        missing: 'Anthropic’s Agent SDK, which leads Claude Code, isn’t here: its terms let nobody else pass it on.',
      },
    },
    dependencies,
  );
  return {
    name: 'claude',
    title: 'Claude Code',
    availability: () => programs.availability(),
    sources: () => programs.sources(),
    refuseFile: (path) => programs.refuseFile(path),
    removeCopy: async () => {
      const build = claudePackage(dependencies.system);
      if (build !== null) await fetched.remove(build.package);
    },
    modes: claudeModes(dependencies.isRoot),
    models: () => claudeModels(dependencies),
    heeds: claudeHeeds,
    plans: join(dirname(claudeSettingsPath(environment)), 'plans'),
    mcp: { http: true, sse: true },
    fetch: async ({ from, ...options }) =>
      fetched.fetch(await programs.missing(from === undefined ? undefined : { from }), options),
    connect: async (handlers, options) => {
      const { program, leader } = await programs.paths();
      // Loaded when it is used, so that the start of the app stays short.
      const { connectAgent } = await import('../connect.ts');
      return connectAgent({
        title: 'Claude Code',
        capabilities: clientCapabilities,
        ...{ handlers, launcher: dependencies.launcher },
        program: {
          file: dependencies.entryFile,
          env: {
            ...sparseEnvironment(environment, platform),
            ...(environment.CLAUDE_CONFIG_DIR && { CLAUDE_CONFIG_DIR: environment.CLAUDE_CONFIG_DIR }),
            CLAUDE_CODE_EXECUTABLE: program,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            [sdkVariable]: leader,
          },
        },
        ...{ version: dependencies.version, clock: dependencies.clock, log: dependencies.log },
        ...options,
      });
    },
    prepare: async (start) => {
      const settings = sessionSettings({
        ...{ baseUrl: start.baseUrl, key: start.key, webFetchPreflight: dependencies.web.fetchPreflight() },
        models: await dependencies.models(),
        ...{ pluginsOff: start.pluginsOff, fileDirectories: start.untrustedDirectories },
        proxies: ownProxies(environment),
      });
      const { path, release } = await writeSettings(settingsFolder(paths.home), settings);
      return { ...startRequest(start, { settingsPath: path, webSearch: dependencies.web.search() }), release };
    },
  };
}

/** Both a model and an effort are named at every resume: else one is shown and another one used. */
export function startRequest(
  start: SessionStart,
  { settingsPath, webSearch }: { settingsPath: string; webSearch: boolean },
): Omit<PreparedStart, 'release'> {
  const { how, cwd, model, effort, mode, title, trusted, untrustedDirectories: untrusted } = start;
  const options = {
    promptSuggestions: false,
    enableFileCheckpointing: true,
    // Else a plan that is approved, or the folder's own settings, could lead to a session that asks nothing.
    allowDangerouslySkipPermissions: mode === neverAsking,
    // Hooks, servers and helpers of a folder run unasked: only where the person trusts it.
    settingSources: trusted ? ['user', 'project', 'local'] : ['user'],
    extraArgs: { settings: settingsPath },
    ...(webSearch ? {} : { disallowedTools: ['WebSearch'] }),
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    ...(title !== null && how.kind === 'new' && { title }),
  };
  const jumpseat = {
    ...(how.kind === 'new' && { sessionId: how.sessionId }),
    ...(how.kind === 'resume' && how.at !== null && { resumeAt: how.at }),
    ...(mode !== null && { mode }),
  };
  return {
    method: how.kind === 'new' ? 'session/new' : 'session/resume',
    params: {
      ...(how.kind === 'resume' && { sessionId: how.sessionId }),
      cwd,
      // Commands, skills and agents of these count where the own folder is trusted, and what they name runs unasked; of
      // those in the settings only the files do.
      additionalDirectories: start.additionalDirectories.filter((folder) => !untrusted.includes(folder)),
      mcpServers: [...start.mcpServers],
      _meta: { jumpseat, claudeCode: { emitRawSDKMessages: rawMessages, options } },
    },
  };
}
