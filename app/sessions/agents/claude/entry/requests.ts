import { type AgentApp, RequestError } from '@agentclientprotocol/sdk/unstable';
import { forkSession } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { type ExtraRequests, extraMethods } from '../../agent-extras.ts';
import type { Adapter, AdapterSession } from './adapter.ts';
import { inventoryOf } from './in-force.ts';
import { takeBack } from './steering.ts';

const ofSession = z.object({ sessionId: z.string() });
const shapes = {
  fork: ofSession.extend({ cwd: z.string(), messageId: z.string().nullable() }),
  'stop-task': ofSession.extend({ taskId: z.string() }),
  'take-back': ofSession.extend({ promptId: z.string() }),
  inventory: ofSession,
  'side-question': ofSession.extend({
    question: z.string(),
    earlier: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
} satisfies Record<keyof ExtraRequests, z.ZodType>;

type Given<Name extends keyof ExtraRequests> = z.infer<(typeof shapes)[Name]>;
type Answers = {
  [Name in keyof ExtraRequests]: (
    adapter: Adapter,
    params: Given<Name>,
    signal: AbortSignal,
  ) => Promise<ExtraRequests[Name]['answer']>;
};

const answers: Answers = {
  // The adapter's own fork knows a message only by the id that its updates have, which no transcript has of all turns.
  fork: async (_adapter, { sessionId, messageId }) => {
    try {
      return await forkSession(sessionId, messageId === null ? {} : { upToMessageId: messageId });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw RequestError.invalidParams({ sessionId, messageId }, `The conversation can’t be copied: ${why}.`);
    }
  },
  'stop-task': async (adapter, { sessionId, taskId }) => {
    await running(adapter, sessionId).query.stopTask(taskId);
    return {};
  },
  'take-back': async (adapter, { sessionId, promptId }) => ({
    isTaken: await takeBack(running(adapter, sessionId), promptId),
  }),
  inventory: async (adapter, { sessionId }) => inventoryOf(running(adapter, sessionId).query),
  'side-question': async (adapter, { sessionId, question, earlier }, signal) => {
    const { query } = running(adapter, sessionId);
    if (query.askSideQuestion === undefined) throw RequestError.methodNotFound('askSideQuestion');
    const history = earlier.map(({ question, answer }) => ({ question, response: answer }));
    const answered = await query.askSideQuestion(question, { history, signal });
    const answer = answered?.response;
    return { answer: typeof answer === 'string' ? answer : null, isNotice: answered?.synthetic === true };
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
    app.onRequest(extraMethods[name], { parse }, ({ params, signal }) => answers[name](agent(), params, signal));
  };
  for (const name of extraNames) take(name);
}

export const extraNames: readonly (keyof ExtraRequests)[] = [
  'fork',
  'stop-task',
  'take-back',
  'inventory',
  'side-question',
];

function running(adapter: Adapter, sessionId: string): AdapterSession {
  const session = adapter.sessions[sessionId];
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  return session;
}
