import { pathToFileURL } from 'node:url';

/**
 * The Agent SDK where it was fetched to. Its terms forbid to pass it on, so that the bundle holds this file in its
 * place, which loads it at the start. Only the names that the adapter and our entry import are here: a name that is
 * missing fails the build.
 */
type Call = (...parameters: unknown[]) => unknown;

/** A line of a transcript. */
export interface SessionMessage {
  type: string;
  uuid: string;
  message?: unknown;
}

export const sdkVariable = 'JUMPSEAT_AGENT_SDK';

const path = process.env[sdkVariable];
if (!path) throw new Error(`${sdkVariable} doesn’t say where the Agent SDK is.`);
const sdk: Record<string, unknown> = await import(pathToFileURL(path).href);

function call(name: string): Call {
  const found = sdk[name];
  if (!isCall(found)) throw new Error(`The Agent SDK in ${path} has no ${name}.`);
  return found;
}

function isCall(value: unknown): value is Call {
  return typeof value === 'function';
}

export const query = call('query');
export const listSessions = call('listSessions');
const readMessages = call('getSessionMessages');
/** Messages since the last compaction; empty for an unknown session. */
export async function getSessionMessages(sessionId: string): Promise<SessionMessage[]> {
  const found = await readMessages(sessionId);
  return Array.isArray(found) ? found : [];
}
export const getSessionInfo = call('getSessionInfo');
export const getSubagentMessages = call('getSubagentMessages');
const copySession = call('forkSession');
/** Up to a message, by its uuid; without one all of it. Rejects where there is none. */
export async function forkSession(id: string, options?: { upToMessageId?: string }): Promise<{ sessionId: string }> {
  const copy = Object(await copySession(id, options));
  if (!('sessionId' in copy) || typeof copy.sessionId !== 'string') throw new Error('no copy was made');
  return { sessionId: copy.sessionId };
}
export const deleteSession = call('deleteSession');
export const importSessionToStore = call('importSessionToStore');
export const resolveSettings = call('resolveSettings');
export const filterEscalatingDefaultMode = call('filterEscalatingDefaultMode');
export const USAGE_LIMIT_ERROR_PREFIXES = sdk.USAGE_LIMIT_ERROR_PREFIXES;
