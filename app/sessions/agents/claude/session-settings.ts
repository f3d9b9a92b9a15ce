import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contextWindows, type PromptLimits } from '../../../claude-code/context-windows.ts';
import { type ClaudeCodeModels, claudeCodeEnvironment, withStandIns } from '../../../claude-code/env-snippet.ts';
import { otherServices } from '../../../claude-code/leading-variables.ts';
import type { PreparedStart, SessionStart } from '../agent.ts';
import { ownProxies } from '../sparse-environment.ts';

/** Claude Code's name of the mode in which nothing is asked. */
export const neverAsking = 'bypassPermissions';

/** What the protocol leaves out, as `facts.ts` reads it. */
const rawMessages = [
  { type: 'command_lifecycle' },
  { type: 'assistant' },
  { type: 'system', subtype: 'init' },
  { type: 'system', subtype: 'status' },
  { type: 'system', subtype: 'session_state_changed' },
  { type: 'system', subtype: 'api_retry' },
  { type: 'system', subtype: 'background_tasks_changed' },
];

interface StartSettings {
  settingsPath: string;
  webSearch: boolean;
  /** `.claude` folders whose skills, commands and agents are switched off. */
  offersNothingFrom?: readonly string[];
}

/** Every resume names both model and effort. Otherwise the ones shown and used would differ. */
export function startRequest(
  start: SessionStart,
  { settingsPath, webSearch, offersNothingFrom = [] }: StartSettings,
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
    // Over the pipe: a command line has little room on Windows.
    ...(start.plugins.length > 0 && {
      plugins: start.plugins.map((path) => ({ type: 'local', path })),
      pluginDelivery: 'initialize',
    }),
    ...(webSearch ? {} : { disallowedTools: ['WebSearch'] }),
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    ...(title !== null && how.kind === 'new' && { title }),
  };
  const jumpseat = {
    ...(how.kind === 'new' && { sessionId: how.sessionId }),
    ...(how.kind === 'resume' && how.at !== null && { resumeAt: how.at }),
    ...(mode !== null && { mode }),
    offersNothingFrom: [...offersNothingFrom],
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

interface SessionSettings {
  baseUrl: string;
  key: string;
  models: ClaudeCodeModels;
  /** Of all models that the session may change to. */
  promptLimits: PromptLimits;
  /** Ids of plugins: `demo@market`. The same for `pluginsOff`, which wins. */
  pluginsOn: readonly string[];
  pluginsOff: readonly string[];
  /** Folders whose files may be used, and nothing else of them. */
  fileDirectories: readonly string[];
  /** `git` asks, however harmless its command is: a repository's settings name programs that it runs. */
  asksForGit: boolean;
  /** Settings of folders above; see `excludeAbove`. */
  excluded?: Readonly<Record<string, unknown>>;
  /** The person's proxies; see `ownProxies`. */
  proxies: Readonly<Record<string, string>>;
  /** Claude Code may ask Anthropic about the domain of a page before it reads it. */
  webFetchPreflight: boolean;
}

/** Each exports prompts or answers, or writes whole requests to a file. */
const exporters = [
  'CLAUDE_CODE_ENABLE_TELEMETRY',
  'OTEL_LOGS_EXPORTER',
  'OTEL_METRICS_EXPORTER',
  'OTEL_TRACES_EXPORTER',
  'OTEL_LOG_RAW_API_BODIES',
  'ENABLE_BETA_TRACING_DETAILED',
  'BETA_TRACING_ENDPOINT',
] as const;

const quiet = 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC';

/** Variables that decide where prompts and the key go. A session runs only while each has the value given here. */
export const decisiveVariables: readonly string[] = [
  ...otherServices,
  ...exporters,
  ...Object.keys(ownProxies({})),
  ...['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY', quiet],
];

/**
 * Claude Code's settings for one session, in the layer that wins over those of the person and of the repository: our
 * proxy, our key, and blanks for all that would lead elsewhere.
 */
export function sessionSettings({
  baseUrl,
  key,
  models,
  promptLimits,
  pluginsOn,
  pluginsOff,
  fileDirectories,
  asksForGit,
  excluded,
  proxies,
  webFetchPreflight,
}: SessionSettings): object {
  const lines = claudeCodeEnvironment({ baseUrl, key, label: 'session', models });
  const { variables } = withStandIns(Object.fromEntries(lines.map(({ name, value }) => [name, value])));
  return {
    env: {
      ...Object.fromEntries([...otherServices, ...exporters].map((name) => [name, ''])),
      ...proxies,
      ...variables,
      // A session's key has no label: its label is the session.
      ANTHROPIC_AUTH_TOKEN: key,
      [quiet]: '1',
    },
    apiKeyHelper: '',
    modelSettings: Object.fromEntries(
      Object.entries(contextWindows(promptLimits)).map(([model, autoCompactWindow]) => [model, { autoCompactWindow }]),
    ),
    ...excluded,
    permissions: {
      ...(fileDirectories.length > 0 && { additionalDirectories: [...fileDirectories] }),
      ...(asksForGit && { ask: ['Bash(git:*)'] }),
    },
    ...(pluginsOn.length + pluginsOff.length > 0 && {
      enabledPlugins: Object.fromEntries([
        ...pluginsOn.map((id) => [id, true]),
        ...pluginsOff.map((id) => [id, false]),
      ]),
    }),
    ...(webFetchPreflight ? {} : { skipWebFetchPreflight: true }),
  };
}

/** Folder of them, in Jumpseat's own folder. */
export function settingsFolder(home: string): string {
  return join(home, 'agents');
}

const suffix = '.session.json';
const staleAfterMs = 10 * 60_000;

/**
 * The settings in a file for this user alone: as an argument or a variable every program of the user could read the
 * key. Claude Code reads it when it starts.
 */
export async function writeSettings(
  folder: string,
  settings: object,
): Promise<{ path: string; release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepSettings(folder);
  const path = join(folder, `${randomUUID()}${suffix}`);
  const release = (): Promise<void> => rm(path, { force: true });
  try {
    await writeFile(path, JSON.stringify(settings), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
  return { path, release };
}

/** What a killed Jumpseat left: its key opens nothing any more. */
export async function sweepSettings(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(suffix)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > staleAfterMs) await rm(join(folder, name), { force: true });
  }
}
