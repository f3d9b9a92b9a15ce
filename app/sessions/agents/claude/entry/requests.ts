import { messageIdForGrouping } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { forkSession } from '@agentclientprotocol/claude-agent-acp/dist/fork-session.js';
import { createSessionFailureState } from '@agentclientprotocol/claude-agent-acp/dist/session-failure-extension.js';
import { type AgentApp, RequestError, type SessionNotification } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import { type ExtraRequests, extraMethods } from '../../agent-extras.ts';
import type { Adapter, AdapterSession } from './adapter.ts';

const ofSession = z.object({ sessionId: z.string() });
const shapes = {
  'rewind-files': ofSession.extend({ userMessageId: z.string(), dryRun: z.boolean() }),
  replay: ofSession.extend({ cwd: z.string(), messages: z.array(z.unknown()).optional() }),
  fork: ofSession.extend({ cwd: z.string(), messageId: z.string().nullable() }),
  context: ofSession,
  'stop-task': ofSession.extend({ taskId: z.string() }),
  'session-rules': ofSession.extend({ allow: z.array(z.string()) }),
  inventory: ofSession,
} satisfies Record<keyof ExtraRequests, z.ZodType>;

type Given<Name extends keyof ExtraRequests> = z.infer<(typeof shapes)[Name]>;
type Answers = {
  [Name in keyof ExtraRequests]: (adapter: Adapter, params: Given<Name>) => Promise<ExtraRequests[Name]['answer']>;
};

const answers: Answers = {
  'rewind-files': async (adapter, { sessionId, userMessageId, dryRun }) =>
    running(adapter, sessionId).query.rewindFiles(userMessageId, { dryRun }),
  replay,
  fork: async (adapter, { sessionId, cwd, messageId }) => {
    const point = messageId === null ? {} : { _meta: { jetbrains: { air: { fork: { version: 1, messageId } } } } };
    const live = adapter.sessions[sessionId]?.messageIdToUuid;
    const dependencies = { messageIdForGrouping, ...(live && { liveMessageIdToUuid: live }) };
    return { sessionId: (await forkSession({ sessionId, cwd, ...point }, dependencies)).sessionId };
  },
  context: async (adapter, { sessionId }) => {
    // Its default counts tokens at the model, in 34 requests.
    const usage = await running(adapter, sessionId).query.getContextUsage({ detail: 'summary' });
    const { totalTokens, maxTokens, percentage } = usage;
    const categories = usage.categories.map(({ name, tokens }) => ({ name, tokens }));
    return { totalTokens, maxTokens, percentage, categories };
  },
  'stop-task': async (adapter, { sessionId, taskId }) => {
    await running(adapter, sessionId).query.stopTask(taskId);
    return {};
  },
  'session-rules': async (adapter, { sessionId, allow }) => {
    await running(adapter, sessionId).query.applyFlagSettings({ permissions: { allow } });
    return {};
  },
  inventory: async (adapter, { sessionId }) => {
    const { query } = running(adapter, sessionId);
    const [servers, agents, commands] = await Promise.all([
      query.mcpServerStatus(),
      query.supportedAgents(),
      query.supportedCommands(),
    ]);
    return {
      mcpServers: servers.map(({ name, status, scope, error, tools }) => ({
        name,
        status,
        scope: scope ?? null,
        error: error ?? null,
        tools: (tools ?? []).map((tool) => tool.name),
      })),
      agents: agents.map(({ name, description }) => ({ name, description })),
      commands: commands.map(({ name, description }) => ({ name, description })),
    };
  },
};

/** Answers what `ExtraRequests` names. */
export function answerExtraRequests(app: AgentApp, agent: () => Adapter): void {
  const take = <Name extends keyof ExtraRequests>(name: Name): void => {
    const parse = (params: unknown): Given<Name> => {
      const read = shapes[name].safeParse(params);
      if (!read.success) throw RequestError.invalidParams({ issues: read.error.issues.map(({ path }) => path) });
      return read.data as Given<Name>;
    };
    app.onRequest(extraMethods[name], { parse }, ({ params }) => answers[name](agent(), params));
  };
  for (const name of extraNames) take(name);
}

export const extraNames: readonly (keyof ExtraRequests)[] = [
  'rewind-files',
  'replay',
  'fork',
  'context',
  'stop-task',
  'session-rules',
  'inventory',
];

function running(adapter: Adapter, sessionId: string): AdapterSession {
  const session = adapter.sessions[sessionId];
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  return session;
}

/** Told to nobody but who asked: the same session may be running, and its front must not take this for news. */
async function replay(
  adapter: Adapter,
  { sessionId, cwd, messages }: Given<'replay'>,
): Promise<ExtraRequests['replay']['answer']> {
  const updates: SessionNotification[] = [];
  const client = Object.create(adapter.client, {
    sessionUpdate: {
      value: async (notification: SessionNotification): Promise<void> => {
        updates.push(notification);
      },
    },
  });
  const aside: Adapter = Object.create(adapter, { client: { value: client } });
  await aside.replaySessionHistory(sessionId, messages, {
    state: {
      cwd,
      taskState: new Map(),
      forwardSubagentText: true,
      messageIdToUuid: new Map(),
      sessionFailureState: createSessionFailureState(),
    },
    stopped: false,
  });
  return { updates };
}
