import { messageIdForGrouping } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { forkSession } from '@agentclientprotocol/claude-agent-acp/dist/fork-session.js';
import { type AgentApp, RequestError } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import { type ExtraRequests, extraMethods } from '../../agent-extras.ts';
import type { Adapter, AdapterSession } from './adapter.ts';
import { inventoryOf } from './inventory.ts';
import { takeBack } from './steering.ts';

const ofSession = z.object({ sessionId: z.string() });
const shapes = {
  fork: ofSession.extend({ cwd: z.string(), messageId: z.string().nullable() }),
  'stop-task': ofSession.extend({ taskId: z.string() }),
  'take-back': ofSession.extend({ promptId: z.string() }),
  inventory: ofSession,
} satisfies Record<keyof ExtraRequests, z.ZodType>;

type Given<Name extends keyof ExtraRequests> = z.infer<(typeof shapes)[Name]>;
type Answers = {
  [Name in keyof ExtraRequests]: (adapter: Adapter, params: Given<Name>) => Promise<ExtraRequests[Name]['answer']>;
};

const answers: Answers = {
  fork: async (adapter, { sessionId, cwd, messageId }) => {
    const point = messageId === null ? {} : { _meta: { jetbrains: { air: { fork: { version: 1, messageId } } } } };
    const live = adapter.sessions[sessionId]?.messageIdToUuid;
    const dependencies = { messageIdForGrouping, ...(live && { liveMessageIdToUuid: live }) };
    return { sessionId: (await forkSession({ sessionId, cwd, ...point }, dependencies)).sessionId };
  },
  'stop-task': async (adapter, { sessionId, taskId }) => {
    await running(adapter, sessionId).query.stopTask(taskId);
    return {};
  },
  'take-back': async (adapter, { sessionId, promptId }) => ({
    isTaken: await takeBack(running(adapter, sessionId), promptId),
  }),
  inventory: async (adapter, { sessionId }) => inventoryOf(running(adapter, sessionId).query),
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

export const extraNames: readonly (keyof ExtraRequests)[] = ['fork', 'stop-task', 'take-back', 'inventory'];

function running(adapter: Adapter, sessionId: string): AdapterSession {
  const session = adapter.sessions[sessionId];
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  return session;
}
