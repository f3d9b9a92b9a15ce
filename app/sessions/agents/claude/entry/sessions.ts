import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { sessionEnded } from '../../told-exit.ts';
import type { Adapter, AdapterSession, CreationOptions, SessionParams } from './adapter.ts';
import { ClaudeProcess } from './claude-process.ts';
import { messageUuid } from './messages.ts';
import { oneOfSession } from './one-of-session.ts';
import { serve } from './servers.ts';
import { letWordsJoin } from './steering.ts';

/** `data.kind` of the error where a session would have sent its requests elsewhere than to our proxy. */
export const wrongProvider = 'wrong-provider';

/**
 * Sessions begin under the id that the caller chose, in a process that does not outlive this one, and only where Claude
 * Code speaks to our proxy with our key.
 */
export function bringSessions(adapter: Adapter): void {
  const processes = new Map<string, ClaudeProcess>();
  const create = adapter.createSession.bind(adapter);
  adapter.createSession = async (params, options = {}) => {
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
    await refuseOthers(session).catch(async (error: unknown) => {
      await adapter.teardownSession(created.sessionId);
      throw error;
    });
    letWordsJoin(session);
    await serve(session.query, params.mcpServers ?? []);
    const { sessionId } = created;
    processes.set(sessionId, process);
    void process.exited.then((exit) => {
      // Not where it was told to end.
      if (processes.get(sessionId) !== process) return;
      void adapter.client.extNotification(sessionEnded, { sessionId, exit }).catch(() => undefined);
    });
    return created;
  };
  const prompt = adapter.prompt.bind(adapter);
  adapter.prompt = async (params) => {
    const process = processes.get(params.sessionId);
    // The adapter says so only once it has tried: nothing is sent, and the host starts the session anew.
    if (process?.hasEnded) throw RequestError.sessionNotFound(params.sessionId);
    try {
      return await prompt(params);
    } catch (error) {
      throw process?.withExit(error) ?? error;
    }
  };
  const teardown = adapter.teardownSession.bind(adapter);
  adapter.teardownSession = async (sessionId) => {
    processes.delete(sessionId);
    await teardown(sessionId);
  };
  oneAtATime(adapter);
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
 * A settings file that Claude Code reads may name another provider, which would get the prompts and our key. Nothing
 * was sent yet.
 */
async function refuseOthers({ query }: AdapterSession): Promise<void> {
  const { apiProvider, tokenSource } = await query.accountInfo();
  if (apiProvider === 'firstParty' && tokenSource === 'ANTHROPIC_AUTH_TOKEN') return;
  throw RequestError.internalError(
    { kind: wrongProvider, apiProvider: apiProvider ?? null, tokenSource: tokenSource ?? null },
    `Claude Code would have asked ${apiProvider ?? 'an unknown provider'} with ${tokenSource ?? 'no token'} instead of ` +
      'Jumpseat, so the session was ended before anything was sent. Look for a provider in Claude Code’s settings.json ' +
      'or in managed settings of this machine.',
  );
}

/** Two that come together would each start a process, and one of these would stay. */
function oneAtATime(adapter: Adapter): void {
  const queued = oneOfSession();
  adapter.resumeSession = queued(adapter.resumeSession.bind(adapter));
  adapter.loadSession = queued(adapter.loadSession.bind(adapter));
}
