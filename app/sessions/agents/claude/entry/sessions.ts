import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { messageIdForGrouping } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import { SettingsManager } from '@agentclientprotocol/claude-agent-acp/dist/settings.js';
import { type McpServer, type PromptRequest, RequestError } from '@agentclientprotocol/sdk/unstable';
import { getSessionMessages } from '@anthropic-ai/claude-agent-sdk';
import { sessionEnded } from '../../agent-extras.ts';
import type { Adapter, AdapterQuery, ClaudeMessage, CreationOptions, SdkServer, SessionParams } from './adapter.ts';
import { ClaudeProcess } from './claude-process.ts';
import { switchOffAbove } from './in-force.ts';
import { refuseManaged, refuseOtherSettings, refuseOthers } from './refuse-other-providers.ts';
import { letWordsJoin, oneOfSession } from './steering.ts';

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
