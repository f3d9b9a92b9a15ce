import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionWords } from '../../../claude-code/version.ts';
import type { Clock, Log } from '../../../ports.ts';
import type { Launcher } from '../../../processes/launch.ts';
import type { AgentConnection, AgentHandlers, SessionStart } from '../agent.ts';
import { clientCapabilities, connectAgent } from '../connect.ts';
import { sparseEnvironment } from '../sparse-environment.ts';
import { sessionSettings, startRequest, writeSettings } from './session-settings.ts';

interface ConnectClaudeDependencies {
  /** Jumpseat's own: little of it is handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
  launcher: Launcher;
  /** The bundle of `entry/entry.ts`. */
  entryFile: string;
  /** Jumpseat's. */
  version: string;
}

/** Variable that `agent-sdk.ts` reads. */
const sdkVariable = 'JUMPSEAT_AGENT_SDK';

/** Starts a process that runs sessions of a Claude Code. @param leader the Agent SDK's module */
export function connectClaude(
  { program, leader }: { program: string; leader: string },
  handlers: AgentHandlers,
  dependencies: ConnectClaudeDependencies,
  signal?: AbortSignal,
): Promise<AgentConnection> {
  const { environment, platform, launcher, entryFile, version, clock, log } = dependencies;
  return connectAgent({
    title: 'Claude Code',
    capabilities: clientCapabilities,
    ...{ handlers, launcher, version, clock, log },
    program: {
      file: entryFile,
      env: {
        ...sparseEnvironment(environment, platform),
        ...(environment.CLAUDE_CONFIG_DIR && { CLAUDE_CONFIG_DIR: environment.CLAUDE_CONFIG_DIR }),
        CLAUDE_CODE_EXECUTABLE: program,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        [sdkVariable]: leader,
      },
    },
    ...(signal && { signal }),
  });
}

/** A slow disk has to read 240 MB, and a session has to begin. */
const versionMs = 30_000;
const trialMs = 120_000;

/** Handlers of the trial run, in which nothing is said or asked. */
const silent: AgentHandlers = {
  update: () => undefined,
  requestPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
  createElicitation: async () => ({ action: 'cancel' }),
  extension: () => undefined,
};

/**
 * Whether sessions can be led with a Claude Code that Jumpseat was not built for: it has to name its version, and a
 * session has to begin in it as every session does, in an empty folder, with nothing said. Where its requests would go
 * is an address of this machine that answers nothing. Rejects with a sentence about why not, or with the signal's
 * reason.
 */
export async function tryClaude(
  { file, version, leader }: { file: string; version: string; leader: string },
  dependencies: ConnectClaudeDependencies,
  signal?: AbortSignal,
): Promise<void> {
  const { environment, platform } = dependencies;
  const { said, reason } = await versionWords(file, environment, { platform, timeoutMs: versionMs });
  if (!said.startsWith(`${version} (Claude Code)`)) {
    const line = said.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
    const words = line === '' ? 'nothing' : `“${line}”`;
    throw new Error(`it printed ${words} for --version${reason === null ? '' : `, ${reason}`}.`);
  }
  signal?.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'jumpseat-trial-'));
  const nobody = createServer((socket) => socket.destroy());
  try {
    nobody.listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const address = nobody.address();
    const port = typeof address === 'object' ? address?.port : null;
    await begin({ file, leader, folder, baseUrl: `http://127.0.0.1:${port}` }, dependencies, signal);
  } finally {
    nobody.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

interface Trial {
  file: string;
  leader: string;
  /** Its own files go here too, not among the person's. */
  folder: string;
  baseUrl: string;
}

async function begin(trial: Trial, dependencies: ConnectClaudeDependencies, signal?: AbortSignal): Promise<void> {
  const { file, leader, folder, baseUrl } = trial;
  const limit = AbortSignal.timeout(trialMs);
  const over = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const environment = { ...dependencies.environment, CLAUDE_CONFIG_DIR: join(folder, 'config') };
  const connection = await connectClaude({ program: file, leader }, silent, { ...dependencies, environment }, over);
  try {
    const key = 'trial';
    const { path } = await writeSettings(
      join(folder, 'settings'),
      sessionSettings({
        ...{ baseUrl, key, models: { opus: null, sonnet: null, haiku: null }, promptLimits: {}, proxies: {} },
        ...{ pluginsOn: [], pluginsOff: [], fileDirectories: [], asksForGit: false, webFetchPreflight: false },
      }),
    );
    const start: SessionStart = {
      how: { kind: 'new', sessionId: randomUUID() },
      ...{ cwd: folder, additionalDirectories: [], model: null, effort: null, mode: null, title: null },
      ...{ plugins: [], pluginsOn: [], pluginsOff: [], trusted: false, untrustedAbove: [], untrustedDirectories: [] },
      ...{ mcpServers: [], key, baseUrl },
    };
    const { method, params } = startRequest(start, { settingsPath: path, webSearch: false });
    const answer = await connection.request<{ sessionId?: unknown }>(method, params, { signal: over });
    if (typeof answer.sessionId !== 'string') throw new Error('no session could be begun in it.');
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) throw new Error(`no session began in it within ${trialMs / 1000} s.`, { cause: error });
    throw error;
  } finally {
    await connection.stop();
  }
}
