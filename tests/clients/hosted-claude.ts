import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { nodeClock } from '../../app/adapters/clock.ts';
import type { AgentConnection, AgentDescription, SessionStart } from '../../app/sessions/agents/agent.ts';
import { claudeAgent } from '../../app/sessions/agents/claude/claude.ts';
import { launchChild } from '../../app/sessions/agents/launch.ts';
import { claudeBinary } from './claude.ts';
import type { Product } from './product.ts';

interface Told {
  sessionId: string;
  update: { sessionUpdate: string; content?: { text?: string }; title?: string; status?: string };
}

/** The real agent of Claude sessions, as a host uses it: our entry, the real adapter, the real Claude Code. */
export interface HostedClaude {
  agent: AgentDescription;
  connection: AgentConnection;
  project: string;
  updates: Told[];
  /** What the agent asked for, and how it is answered. */
  asked: RequestPermissionRequest[];
  answer: (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  raw: { method: string; params: unknown }[];
  /** Begins or resumes, and says what was shown of it. */
  start(how: SessionStart['how'], more?: Partial<SessionStart>): Promise<unknown>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  text(): string;
}

export function claudeOf(product: Pick<Product, 'home'>, environment: Record<string, string> = {}): AgentDescription {
  const bin = join(product.home, 'bin');
  mkdirSync(bin, { recursive: true });
  try {
    symlinkSync(claudeBinary, join(bin, 'claude'));
  } catch {
    // It is there from the last time.
  }
  return claudeAgent({
    environment: { PATH: `${bin}:${process.env.PATH}`, HOME: product.home, LANG: 'C.UTF-8', ...environment },
    platform: process.platform,
    system: 'none',
    fetched: {
      placeOf: async () => product.home,
      program: async () => process.env.JUMPSEAT_TEST_AGENT_SDK ?? '',
      fetch: async () => undefined,
    },
    clock: nodeClock(),
    log: { write: () => undefined },
    paths: { home: join(product.home, 'jumpseat') },
    launcher: launchChild,
    entryFile: join(import.meta.dirname, '../../dist/agents/claude.js'),
    version: '0.0.0',
    web: { search: () => true, fetchPreflight: () => false },
    models: async () => ({ opus: 'claude-opus-4.8', sonnet: 'claude-sonnet-4.6', haiku: 'claude-haiku-4.5' }),
  });
}

export async function hostClaude(product: Product, environment: Record<string, string> = {}): Promise<HostedClaude> {
  const project = join(product.home, 'project');
  mkdirSync(project, { recursive: true });
  const agent = claudeOf(product, environment);
  const updates: Told[] = [];
  const asked: RequestPermissionRequest[] = [];
  const raw: HostedClaude['raw'] = [];
  const connection = await agent.connect(
    {
      update: (notification) => void updates.push(notification as Told),
      requestPermission: async (request) => {
        asked.push(request);
        return hosted.answer(request);
      },
      createElicitation: async () => ({ action: 'cancel' }),
      extension: (method, params) => void raw.push({ method, params }),
    },
    {},
  );
  const hosted: HostedClaude = {
    ...{ agent, connection, project, updates, asked, raw },
    answer: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    start: async (how, more = {}) => {
      const { method, params, release } = await agent.prepare({
        ...{ how, cwd: project, additionalDirectories: [], model: null, effort: null, mode: null, title: 'A session' },
        ...{ trusted: false, mcpServers: [] },
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
