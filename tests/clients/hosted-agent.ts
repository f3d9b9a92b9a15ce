import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { nodeClock } from '../../app/adapters/clock.ts';
import { type Launcher, launchChild } from '../../app/processes/launch.ts';
import type { AgentConnection, AgentDescription, SessionStart } from '../../app/sessions/agents/agent.ts';
import { claudeAgent } from '../../app/sessions/agents/claude/claude.ts';
import { codexAgent } from '../../app/sessions/agents/codex/codex.ts';
import { claudeBinary } from './claude.ts';
import { codexBinary } from './codex.ts';
import type { Product } from './product.ts';

interface Reported {
  sessionId: string;
  update: { sessionUpdate: string; content?: { text?: string }; title?: string; status?: string };
}

/** A real agent as a host uses it: our entry, the real adapter, the real program. */
export interface HostedAgent {
  agent: AgentDescription;
  connection: AgentConnection;
  project: string;
  updates: Reported[];
  /** What the agent asked for, and how it is answered. */
  asked: RequestPermissionRequest[];
  answer: (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  raw: { method: string; params: unknown }[];
  /** Begins or resumes, and says what was shown of it. */
  start(how: SessionStart['how'], more?: Partial<SessionStart>): Promise<unknown>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  text(): string;
}

const bundle = (name: string): string => join(import.meta.dirname, '../../dist/agents', `${name}.js`);

/** The person's own PATH with the program in front, under the name it has everywhere. */
function pathWith(product: Pick<Product, 'home'>, name: string, program: string): string {
  const bin = join(product.home, 'bin');
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, name))) symlinkSync(program, join(bin, name));
  return `${bin}:${process.env.PATH}`;
}

function surroundings(product: Pick<Product, 'home'>, module = '') {
  return {
    platform: process.platform,
    fetched: {
      placeOf: async () => product.home,
      program: async () => module,
      versions: async () => [],
      folderOf: () => product.home,
      tidy: async () => undefined,
      registry: () => Promise.reject(new Error('Nothing is fetched here.')),
      fetch: async () => undefined,
      remove: async () => undefined,
    },
    clock: nodeClock(),
    log: { write: () => undefined },
    launcher: launchChild,
    offered: async () => [],
    isRoot: process.getuid?.() === 0,
    version: '0.0.0',
  };
}

export function claudeOf(
  product: Pick<Product, 'home'>,
  environment: Record<string, string> = {},
  launcher: Launcher = launchChild,
): AgentDescription {
  const path = pathWith(product, 'claude', claudeBinary);
  return claudeAgent({
    environment: { PATH: path, HOME: product.home, LANG: 'C.UTF-8', ...environment },
    system: 'none',
    paths: { home: join(product.home, 'jumpseat') },
    entryFile: bundle('claude'),
    web: { search: () => true, fetchPreflight: () => false },
    models: async () => ({ opus: 'claude-opus-4.8', sonnet: 'claude-sonnet-4.6', haiku: 'claude-haiku-4.5' }),
    ...surroundings(product, process.env.JUMPSEAT_TEST_AGENT_SDK),
    launcher,
  });
}

export function hostClaude(
  product: Product,
  environment: Record<string, string> = {},
  launcher?: Launcher,
): Promise<HostedAgent> {
  return hostAgent(product, claudeOf(product, environment, launcher));
}

const overlay = (etc: string): string[] => {
  const mount = 'mount -t overlay overlay -o lowerdir="$0":/etc /etc && exec "$@"';
  return [process.getuid?.() === 0 ? '-m' : '-Urm', 'sh', '-c', mount, etc];
};

/** Whether this machine lets a process have files of its own in /etc. */
export const hasOwnEtc = spawnSync('unshare', [...overlay(tmpdir()), 'true']).status === 0;

/** Starts the agent where a folder's files lie over those in /etc, for it and its children alone. */
export function launchOver(etc: string): Launcher {
  return ({ file, env }) => {
    const args = [...overlay(etc), process.execPath, file];
    const child = spawn('unshare', args, { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const { pid = null, stdin, stdout, stderr } = child;
    const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, error: null }));
    const kill = (): void => {
      if (pid !== null && child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    };
    return { pid, stdin, stdout, stderr, exited, kill };
  };
}

/** Codex over codex-acp, in a home of its own. */
export function codexOf(product: Pick<Product, 'home'>): AgentDescription {
  return codexAgent({
    environment: { PATH: pathWith(product, 'codex', codexBinary), HOME: product.home, LANG: 'C.UTF-8' },
    arch: 'none',
    userHome: product.home,
    entryFile: bundle('codex'),
    isSearchOn: () => false,
    model: async () => ({ id: 'gpt-5.4', limits: { promptTokens: 128_000, outputTokens: 64_000 } }),
    ...surroundings(product, process.env.JUMPSEAT_TEST_CODEX_ACP),
  });
}

export function hostCodex(product: Product): Promise<HostedAgent> {
  return hostAgent(product, codexOf(product));
}

async function hostAgent(product: Product, agent: AgentDescription): Promise<HostedAgent> {
  const project = join(product.home, 'project');
  mkdirSync(project, { recursive: true });
  const updates: Reported[] = [];
  const asked: RequestPermissionRequest[] = [];
  const raw: HostedAgent['raw'] = [];
  const connection = await agent.connect(
    {
      update: (notification) => void updates.push(notification as Reported),
      requestPermission: async (request) => {
        asked.push(request);
        return hosted.answer(request);
      },
      createElicitation: async () => ({ action: 'cancel' }),
      extension: (method, params) => void raw.push({ method, params }),
    },
    {},
  );
  const hosted: HostedAgent = {
    ...{ agent, connection, project, updates, asked, raw },
    answer: ({ options }) => ({
      outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '' },
    }),
    start: async (how, more = {}) => {
      const { method, params, release } = await agent.prepare({
        ...{ how, cwd: project, additionalDirectories: [], model: null, effort: null, mode: null, title: 'A session' },
        ...{ trusted: false, untrustedAbove: [], untrustedDirectories: [], mcpServers: [] },
        ...{ plugins: [], pluginsOn: [], pluginsOff: [] },
        ...{ key: `${product.key}.${how.sessionId}`, baseUrl: product.baseUrl },
        ...more,
      });
      try {
        return await connection.request(method, params);
      } finally {
        await release();
      }
    },
    prompt: (sessionId, text) => connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    text: () =>
      updates
        .filter(({ update }) => update.sessionUpdate === 'agent_message_chunk')
        .map(({ update }) => update.content?.text ?? '')
        .join(''),
  };
  return hosted;
}
