import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { v1AgentApp } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { type AgentApp, RequestError } from '@agentclientprotocol/sdk/unstable';
import { forkSession } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { isObject } from '../../../../formats/wire/json.ts';
import { type AgentExtra, type ExtraRequests, extraMethods } from '../../agent-extras.ts';
import {
  type Adapter,
  type AdapterSession,
  isAdapter,
  missingNames,
  type ReportedUpdate,
  type SessionParams,
} from './adapter.ts';
import { inventoryOf } from './in-force.ts';
import { bringPermissionWords, bringServerNames } from './questions.ts';
import { bringSessions, nameSteeredWords, takeBack } from './sessions.ts';

/**
 * claude-agent-acp with what it lacks.
 * @param connected gets the adapter, once a client is connected
 */
export function claudeApp(connected: (adapter: Adapter) => void): AgentApp {
  let adapter: Adapter | null = null;
  const app = v1AgentApp({ log: () => undefined, error: say }, (agent: object) => {
    if (!isAdapter(agent)) throw new Error(`claude-agent-acp has changed: no ${missingNames(agent).join(', ')}.`);
    bringPermissionWords(agent);
    bringServerNames(agent);
    bringSessions(agent);
    nameSteeredWords(agent);
    tellWholePaths(agent);
    tellExtras(agent);
    agent.probeCliAuthStatus = async () => undefined;
    adapter = agent;
    connected(agent);
  });
  answerExtraRequests(app, () => {
    if (adapter === null) throw new Error('No client is connected.');
    return adapter;
  });
  return app;
}

function tellExtras(adapter: Adapter): void {
  const extras: AgentExtra[] = ['choose-id', 'permission-words', 'steer', ...extraNames];
  const initialize = adapter.initialize.bind(adapter);
  adapter.initialize = async (request) => {
    const answer = await initialize(request);
    return { ...answer, _meta: { ...answer._meta, jumpseat: { extras } } };
  };
}

/** The adapter writes each message that it does not know in full behind this, words of the conversation included. */
const unknownMessage = 'Unexpected case:';

/** Writes to stderr, whose end is kept in case the process dies. */
function say(...parts: unknown[]): void {
  const line = parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  if (!line.startsWith(unknownMessage)) process.stderr.write(`${line}\n`);
}

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
function answerExtraRequests(app: AgentApp, agent: () => Adapter): void {
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

const extraNames: readonly (keyof ExtraRequests)[] = ['fork', 'stop-task', 'take-back', 'inventory', 'side-question'];

function running(adapter: Adapter, sessionId: string): AdapterSession {
  const session = adapter.sessions[sessionId];
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  return session;
}

interface ToolEnd {
  tool_use_id?: string;
  /** Claude Code's own folder at that moment: a `cd` of one command counts for the next tools. */
  cwd?: string;
  tool_response?: unknown;
}

/** Where the result of an edit names its file. */
const names = ['filePath', 'notebook_path'] as const;

/**
 * Claude Code's result of an edit names the file as the model did, and a relative path means the folder that Claude
 * Code is in at that moment, which only a hook is told. In what the adapter says of the result the path is whole.
 */
function tellWholePaths(adapter: Adapter): void {
  const folders = new Map<string, string>();
  const look = ({ tool_use_id: id, cwd, tool_response: result }: ToolEnd): object => {
    if (id !== undefined && cwd !== undefined && isObject(result) && names.some((name) => isPartial(result[name]))) {
      folders.set(id, cwd);
    }
    return {};
  };
  const create = adapter.createSession.bind(adapter);
  adapter.createSession = (params, options) => create(withHook(params, look), options);
  const { client } = adapter;
  const tell = client.sessionUpdate.bind(client);
  client.sessionUpdate = (reported) => tell(withWholePath(reported, folders));
}

function withHook(params: SessionParams, look: (end: ToolEnd) => object): SessionParams {
  const { _meta: meta } = params;
  const options = meta?.claudeCode?.options;
  const { PostToolUse: others = [] } = Object(options?.hooks);
  const hook = { hooks: [(end: ToolEnd) => Promise.resolve(look(end))] };
  const hooks = { ...Object(options?.hooks), PostToolUse: [hook, ...others] };
  return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options: { ...options, hooks } } } };
}

function withWholePath(reported: ReportedUpdate, folders: Map<string, string>): ReportedUpdate {
  const { update } = reported;
  const result = update._meta?.claudeCode?.toolResponse;
  const folder = folders.get(update.toolCallId ?? '');
  if (folder === undefined || !isObject(result)) return reported;
  folders.delete(update.toolCallId ?? '');
  const paths = names.flatMap((name) => {
    const path = result[name];
    return isPartial(path) ? [[name, wholePath(path, folder)]] : [];
  });
  const claudeCode = { ...update._meta?.claudeCode, toolResponse: { ...result, ...Object.fromEntries(paths) } };
  return { ...reported, update: { ...update, _meta: { ...update._meta, claudeCode } } };
}

function isPartial(path: unknown): path is string {
  return typeof path === 'string' && path !== '' && !isAbsolute(path);
}

/** Resolves a path by Claude Code's rules: one that begins with `~` is below the person's home. */
function wholePath(path: string, folder: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
