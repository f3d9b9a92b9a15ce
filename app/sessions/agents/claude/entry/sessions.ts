import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { messageIdForGrouping } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { SettingsManager } from '@agentclientprotocol/claude-agent-acp/dist/settings.js';
import { type McpServer, type PromptRequest, RequestError } from '@agentclientprotocol/sdk/unstable';
import { getSessionMessages } from '@anthropic-ai/claude-agent-sdk';
import { type ReportedExit, type Steered, sessionEnded } from '../../agent-extras.ts';
import { endMarked, markVariable } from '../../agent-processes.ts';
import type {
  Adapter,
  AdapterQuery,
  AdapterSession,
  ClaudeMessage,
  CreationOptions,
  SdkServer,
  SessionParams,
} from './adapter.ts';
import { switchOffAbove } from './in-force.ts';
import { refuseManaged, refuseOtherSettings, refuseOthers } from './refuse-other-providers.ts';

/**
 * Sessions begin under the id that the caller chose, in a process that does not outlive this one, and only where Claude
 * Code speaks to our proxy with our key.
 */
export function bringSessions(adapter: Adapter): void {
  const processes = new Map<string, ClaudeProcess>();
  const folders = new Map<string, string>();
  /** How often each session was asked to stop: the adapter accepts no cancel of a prompt that it still reads. */
  const cancels = new Map<string, number>();
  leaveModels();
  const create = adapter.createSession.bind(adapter);
  adapter.createSession = async (params, options = {}) => {
    await refuseManaged(params);
    const process = new ClaudeProcess();
    let created: { sessionId: string };
    try {
      const from = await withResumePoint({ ...params, mcpServers: [] }, options);
      created = await create(withProcess(from, process), withChosen(params, options));
    } catch (error) {
      throw process.explain(error);
    }
    const session = adapter.sessions[created.sessionId];
    if (session === undefined) throw RequestError.internalError(undefined, 'The session was closed while it began.');
    try {
      await refuseOthers(session.query);
      await switchOffAbove(session.query, params._meta?.jumpseat?.offersNothingFrom ?? []);
    } catch (error) {
      await adapter.teardownSession(created.sessionId);
      throw error;
    }
    letWordsJoin(session);
    beginAfterCut(session.query);
    await serve(session.query, params.mcpServers ?? []);
    const { sessionId } = created;
    processes.set(sessionId, process);
    folders.set(sessionId, params.cwd);
    void process.exited.then((exit) => {
      // Not where it was told to end.
      if (processes.get(sessionId) !== process) return;
      void adapter.client.extNotification(sessionEnded, { sessionId, exit }).catch(() => undefined);
    });
    return created;
  };
  const prompt = adapter.prompt.bind(adapter);
  adapter.prompt = async (params) => {
    const { sessionId } = params;
    const process = processes.get(sessionId);
    // The adapter says so only once it has tried: nothing is sent, and the host starts the session anew.
    if (process?.hasEnded) throw RequestError.sessionNotFound(sessionId);
    const cancelsBefore = cancels.get(sessionId);
    await endIfRedirected(adapter, sessionId);
    if (cancels.get(sessionId) !== cancelsBefore) return { stopReason: 'cancelled' };
    try {
      return await prompt({ ...params, prompt: withoutNamed(params.prompt, folders.get(sessionId) ?? '') });
    } catch (error) {
      throw process?.withExit(error) ?? error;
    }
  };
  const cancel = adapter.cancel.bind(adapter);
  adapter.cancel = async (params) => {
    cancels.set(params.sessionId, (cancels.get(params.sessionId) ?? 0) + 1);
    await cancel(params);
  };
  const teardown = adapter.teardownSession.bind(adapter);
  adapter.teardownSession = async (sessionId) => {
    processes.delete(sessionId);
    folders.delete(sessionId);
    cancels.delete(sessionId);
    await teardown(sessionId);
  };
  oneAtATime(adapter);
}

/**
 * A session runs on the model that it was started with. The adapter would go over to the one that the person's own
 * settings name, which Claude Code itself reads where a session names none.
 */
function leaveModels(): void {
  const settings: { getSettings(): { model?: unknown } } = SettingsManager.prototype;
  const read = settings.getSettings;
  settings.getSettings = function (): object {
    const { model: _, ...others } = read.call(this);
    return others;
  };
}

function withProcess(params: SessionParams, process: ClaudeProcess): SessionParams {
  const { _meta: meta } = params;
  const options = { ...meta?.claudeCode?.options, spawnClaudeCodeProcess: process.spawn };
  return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options } } };
}

/** The Agent SDK knows a message by its uuid alone. */
async function withResumePoint(params: SessionParams, { resume }: CreationOptions): Promise<SessionParams> {
  const { _meta: meta } = params;
  const wanted = meta?.jumpseat?.resumeAt;
  if (wanted === undefined || resume === undefined) return params;
  const options = { ...meta?.claudeCode?.options, resumeSessionAt: await messageUuid(resume, wanted) };
  return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options } } };
}

/** A folder's settings may not choose the mode: a new session asks, unless a person chose otherwise. */
function withChosen(params: SessionParams, options: CreationOptions): CreationOptions {
  const { sessionId, mode } = params._meta?.jumpseat ?? {};
  const isNew = options.resume === undefined && options.publicSessionId === undefined && !options.forkSession;
  const permissionMode = mode ?? options.permissionMode ?? (isNew ? 'default' : undefined);
  return {
    ...options,
    ...(isNew && sessionId !== undefined && { reuseSessionId: sessionId }),
    ...(permissionMode !== undefined && { permissionMode }),
  };
}

/**
 * The whole answer that comes in place of a cut stream, in no stream of its own, begins as a message of its own. The
 * adapter would take it for the end of that stream, and tell only what is new in it.
 */
function beginAfterCut(query: AdapterQuery): void {
  const next = query.next.bind(query);
  let streamed: string | null = null;
  let held: IteratorResult<ClaudeMessage, void> | null = null;
  query.next = async () => {
    const result = held ?? (await next());
    const { value } = result;
    const isHeld = held !== null;
    held = null;
    if (isHeld || value === undefined || value.parent_tool_use_id !== null) return result;
    // A cut stream may be stopped like a whole one.
    if (value.type === 'stream_event' && value.event.type === 'message_start') streamed = value.event.message.id;
    if (value.type !== 'assistant' || streamed === null || value.message.id === streamed) return result;
    // Claude Code's own words are no answer.
    if (value.message.model === '<synthetic>') return result;
    streamed = value.message.id;
    held = result;
    const event = { type: 'message_start', message: value.message } as const;
    return { done: false, value: { ...value, type: 'stream_event', event } };
  };
}

/** Ends the session like one whose process is gone: the caller asks for it again and is refused with the reason. */
async function endIfRedirected(adapter: Adapter, sessionId: string): Promise<void> {
  const session = adapter.sessions[sessionId];
  if (session === undefined) return;
  await refuseOtherSettings(session.query).catch(async () => {
    await adapter.teardownSession(sessionId);
    throw RequestError.sessionNotFound(sessionId);
  });
}

/** Two that come together would each start a process, and one of these would stay. */
function oneAtATime(adapter: Adapter): void {
  const queued = oneOfSession();
  adapter.resumeSession = queued(adapter.resumeSession.bind(adapter));
  adapter.loadSession = queued(adapter.loadSession.bind(adapter));
}

/** A server that is slower is there later. */
const connectsWithinMs = 5_000;

/**
 * Gives a session its servers over the pipe, where every Claude Code takes them. With the start only the newest does;
 * older ones want them on the command line, keys and all.
 */
async function serve(query: AdapterQuery, servers: readonly McpServer[]): Promise<void> {
  if (servers.length === 0) return;
  const given = Object.fromEntries(servers.flatMap((server) => toSdk(server) ?? []));
  const asked = query.setMcpServers(given).catch((error: unknown) => {
    // They are told as failed, or not at all, with what is in force.
    process.stderr.write(`Servers were rejected: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  await Promise.race([asked, sleep(connectsWithinMs, undefined, { ref: false })]);
}

/** Null: of a kind that is not supported. */
function toSdk(server: McpServer): [string, SdkServer][] | null {
  const named = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  if (!('type' in server)) {
    const { name, command, args, env } = server;
    return [[name, { type: 'stdio', command, args: [...args], env: named(env) }]];
  }
  if (server.type !== 'http' && server.type !== 'sse') return null;
  return [[server.name, { type: server.type, url: server.url, headers: named(server.headers) }]];
}

/** The uuid of a message of Claude's, by this uuid or by the id that its updates have: the last that answers to it. */
async function messageUuid(sessionId: string, wanted: string): Promise<string> {
  for (const message of (await getSessionMessages(sessionId)).reverse()) {
    if (message.uuid === wanted) return wanted;
    if (message.type === 'assistant' && messageIdForGrouping(message) === wanted) return message.uuid;
  }
  throw RequestError.invalidParams(
    { messageId: wanted },
    `The session has no message ${wanted} since its last compaction`,
  );
}

/**
 * A file that the words name is named once: the adapter writes each link as words, with the last part of its path. A
 * link stays where the words, read in the session's folder, mean another file.
 */
function withoutNamed(prompt: PromptRequest['prompt'], folder: string): PromptRequest['prompt'] {
  const words = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const named = new Set(words.split(/\s+/).map((word) => word.replace(/[.,;:!?)\]]+$/, '')));
  const isNamed = (name: string): boolean => named.has(`@${name}`) || words.includes(`@"${name}"`);
  return prompt.filter(
    (block) => block.type !== 'resource_link' || !isNamed(block.name) || !leadsTo(block.uri, folder, block.name),
  );
}

/** @param name as the words have it, perhaps with its lines: `src/a.ts:12-20` */
function leadsTo(uri: string, folder: string, name: string): boolean {
  try {
    return fileURLToPath(uri) === resolve(folder, name.replace(/:\d+(-\d+)?$/, ''));
  } catch {
    return false;
  }
}

/** Options in the form of the Agent SDK. */
interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

const stderrLimit = 4000;

/** The Claude Code of one session: it ends when this process does, however this one ends. */
class ClaudeProcess {
  #stderr = '';
  #exit: Omit<ReportedExit, 'stderr'> | null = null;
  readonly #exited = Promise.withResolvers<ReportedExit>();
  readonly exited = this.#exited.promise;

  /** Bound, because the SDK calls it on its own. */
  readonly spawn = (options: SpawnOptions): ChildProcessByStdio<Writable, Readable, Readable> => {
    const { command, args, cwd, signal } = options;
    const mark = partMark();
    const env = mark === null ? options.env : { ...options.env, [markVariable]: mark };
    const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    // Killed outright it leaves its tools, each in a group of its own.
    child.once('exit', (code, killedBy) => {
      this.#exit = { code, signal: killedBy };
      this.#exited.resolve({ ...this.#exit, stderr: this.#stderr.trim() });
      if (killedBy === 'SIGKILL' && mark !== null) void endMarked(mark, { sleep: (ms) => sleep(ms) });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrLimit);
    });
    child.stderr.on('error', () => undefined);
    endTogether(child);
    return child;
  };

  /** Adds stderr to the reason for a failed start: the SDK doesn't see that of a process it did not start. */
  explain(error: unknown): unknown {
    const said = this.#stderr.trim();
    if (said === '' || !(error instanceof Error)) return error;
    const isAsked = error instanceof RequestError;
    if (isAsked && error.code !== internalError) return error;
    const data = isAsked && typeof error.data === 'object' ? error.data : {};
    return RequestError.internalError({ ...data, stderr: said }, error.message);
  }

  get hasEnded(): boolean {
    return this.#exit !== null;
  }

  /** Adds how the process ended, if it ended within a turn: the adapter says that only in words. */
  withExit(error: unknown): unknown {
    // Of a session that the adapter does not know nothing was sent.
    const isUnknown = error instanceof RequestError && error.code === RequestError.sessionNotFound('').code;
    if (this.#exit === null || isUnknown) return error;
    const exit: ReportedExit = { ...this.#exit, stderr: this.#stderr.trim() };
    return RequestError.internalError({ exit }, error instanceof Error ? error.message : undefined);
  }
}

const internalError = -32603;

let parts = 0;

function partMark(): string | null {
  const mark = process.env[markVariable];
  parts += 1;
  return mark ? `${mark}.${parts}` : null;
}

/**
 * A process that is killed outright cannot end what it started, and Claude Code would go on to the end of its turn. So
 * a shell waits on a pipe that only this process holds: when it breaks, Claude Code is told to end, with all of its
 * tools, and is made to where it does not. In a group of its own, so that what ends our group does not end it.
 */
const guard = [
  'read -r line && exit',
  'kill -TERM "$1" || exit',
  'for i in 1 2 3 4 5 6 7 8; do sleep 0.25; kill -0 "$1" || exit; done',
  'kill -KILL "$1"',
].join('\n');

function endTogether(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const shell = spawn('/bin/sh', ['-c', guard, 'jumpseat-guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env.PATH },
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  child.once('exit', () => shell.stdin.end('over\n'));
}

/** What the words that were pushed last are called, by session. */
const lastSteered = new WeakMap<AdapterSession['input'], string>();

/**
 * Words for a running turn join it at its next tool result. The adapter would end the turn for them, and while a
 * question is open have them wait for the turn's end.
 */
function letWordsJoin({ input }: AdapterSession): void {
  const push = input.push.bind(input);
  input.push = (message) => {
    if (message.priority !== undefined) {
      message.priority = 'next';
      if (message.uuid !== undefined) lastSteered.set(input, message.uuid);
    }
    push(message);
  };
}

/** Reports Claude Code's id of steered words, so that they can be recognised. */
export function nameSteeredWords(adapter: Adapter): void {
  const steer = adapter.steer.bind(adapter);
  adapter.steer = oneOfSession()(async (params: { sessionId: string }) => {
    const input = adapter.sessions[params.sessionId]?.input;
    if (input !== undefined) lastSteered.delete(input);
    const answer = await steer(params);
    const now = adapter.sessions[params.sessionId]?.input;
    const promptId = now === undefined ? undefined : lastSteered.get(now);
    return promptId === undefined ? answer : { ...answer, _meta: { jumpseat: { promptId } satisfies Steered } };
  });
}

/** False: Claude Code has them already, or knows no way to give them back. */
export async function takeBack({ query, turnQueue }: AdapterSession, uuid: string): Promise<boolean> {
  if (query.cancelAsyncMessage === undefined) return false;
  // Else its turn would wait for them for ever. Were they read after all, the result of the turn names them.
  for (const turn of turnQueue ?? []) turn.steeredEchoes?.delete(uuid);
  return (await query.cancelAsyncMessage(uuid)) === true;
}

type OfSession = { sessionId: string };

/** Has requests wait for each other where they are of the same session, also where they ask for different things. */
function oneOfSession() {
  const last = new Map<string, Promise<unknown>>();
  return <Params extends OfSession, Answer>(ask: (params: Params) => Promise<Answer>) => {
    return (params: Params): Promise<Answer> => {
      const before = last.get(params.sessionId) ?? Promise.resolve();
      const mine = before.then(
        () => ask(params),
        () => ask(params),
      );
      last.set(params.sessionId, mine);
      const forget = (): void => {
        if (last.get(params.sessionId) === mine) last.delete(params.sessionId);
      };
      mine.then(forget, forget);
      return mine;
    };
  };
}
