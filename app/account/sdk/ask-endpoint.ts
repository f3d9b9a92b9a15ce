import type { JsonObject } from '../../formats/wire/json.ts';
import { isAllowedAddress } from '../../settings/github-addresses.ts';
import { asObject, asText } from '../read-response.ts';
import { askRuntime, type Question, type RuntimeDependencies, type RuntimeSession } from './ask-runtime.ts';
import type { AutoAnswer, AutoSession, ProviderEndpoint, RuntimeAnswer, RuntimeCredential } from './endpoint.ts';
import { kindOfStatus, RuntimeFault, statusIn } from './failure.ts';
import { githubHost } from './runtime-environment.ts';

/** Returns the account, the address and the headers. Rejects only with the signal's reason. */
export async function askEndpoint(dependencies: RuntimeDependencies, question: Question): Promise<RuntimeAnswer> {
  const { credential } = question;
  const asked = await askRuntime(dependencies, question, async (session) => {
    const sessionId = await openSession(session, credential, {});
    try {
      return await readEndpoint(session, sessionId, credential);
    } finally {
      if (credential.kind === 'stored-sign-in') await leaveNothing(session, sessionId);
    }
  });
  return asked.ok ? { ok: true, endpoint: asked.found } : asked;
}

async function readEndpoint(
  session: RuntimeSession,
  sessionId: string,
  credential: RuntimeCredential,
): Promise<ProviderEndpoint> {
  const status = await session.call('session.gitHubAuth.getStatus', { sessionId }, 'the sign-in', 'signIn');
  if (status.isAuthenticated !== true) throw await whyNobody(session, credential);
  // Without a model nothing but the account is asked for.
  const given = await session.call('session.provider.getEndpoint', { sessionId }, 'the endpoint', 'endpoint');
  return {
    baseUrl: readAddress(given.baseUrl),
    headers: readHeaders(given.headers),
    runtimeVersion: session.version,
    host: readHost(status.host) ?? githubHost(credential),
    login: asText(status.login),
    plan: asText(status.copilotPlan),
    user: await readUser(session, sessionId),
  };
}

/**
 * Lets GitHub choose the model of a conversation. The runtime asks api.githubcopilot.com for it whatever the account's
 * host is, so a company's token never gets here.
 */
export async function askAuto(
  dependencies: RuntimeDependencies,
  question: Question & { credential: { kind: 'token'; host: null } },
): Promise<AutoAnswer> {
  const asked = await askRuntime(dependencies, question, async (session) => {
    const sessionId = await openSession(session, question.credential, { model: 'auto' });
    const given = await session.call('session.provider.getEndpoint', { sessionId }, 'Auto’s choice', 'endpoint');
    return readAuto(given.sessionToken);
  });
  return asked.ok ? { ok: true, session: asked.found } : asked;
}

/** What a session would do by itself is switched off: it has no tools, reads no settings, writes nothing. */
const inert = {
  clientName: 'Jumpseat',
  availableTools: [],
  enableSessionTelemetry: false,
  infiniteSessions: { enabled: false },
  enableConfigDiscovery: false,
  enableFileHooks: false,
  enableHostGitOperations: false,
  enableOnDemandInstructionDiscovery: false,
  enableSessionStore: false,
  enableSkills: false,
  memory: { enabled: false },
  customAgentsLocalOnly: true,
  skipEmbeddingRetrieval: true,
  embeddingCacheStorage: 'in-memory',
  mcpOAuthTokenStorage: 'in-memory',
  envValueMode: 'direct',
};

/** 1.0.85 shows a token given with the session to github.com, whatever the host: a company's is handed in after it. */
async function openSession(session: RuntimeSession, credential: RuntimeCredential, more: JsonObject): Promise<string> {
  const token = credential.kind === 'token' && credential.host === null ? { gitHubToken: credential.token } : {};
  const created = await session.call('session.create', { ...inert, ...more, ...token }, 'the sign-in', 'signIn');
  const sessionId = asText(created.sessionId);
  if (sessionId === null) throw new RuntimeFault('unreadable', 'a session without a name');
  if (credential.kind === 'token' && credential.host !== null) {
    const credentials = { type: 'token', host: `https://${credential.host}`, token: credential.token };
    const params = { sessionId, credentials };
    const taken = await session.call('session.gitHubAuth.setCredentials', params, 'the sign-in', 'signIn');
    if (taken.copilotUserResolved !== true) throw new RuntimeFault('not-resolved');
  }
  return sessionId;
}

/** A stored sign-in that GitHub refuses looks like none; the reason stands elsewhere. */
async function whyNobody(session: RuntimeSession, credential: RuntimeCredential): Promise<RuntimeFault> {
  const nobody = new RuntimeFault('not-signed-in');
  if (credential.kind === 'token') return nobody;
  const { authErrors } = await session.call('account.getCurrentAuth', {}, 'the sign-in', 'signIn');
  const reasons = Array.isArray(authErrors) ? authErrors.filter((reason) => typeof reason === 'string') : [];
  const status = statusIn(reasons.join('\n'));
  return status === null ? nobody : new RuntimeFault(kindOfStatus(status), '', status);
}

/** Marked as internal in the runtime: nothing depends on it. */
async function readUser(session: RuntimeSession, sessionId: string): Promise<JsonObject | null> {
  try {
    const info = await session.call('session.gitHubAuth.getCurrentAuthInfo', { sessionId }, 'the account', 'endpoint');
    return asObject(info.copilotUser);
  } catch {
    return null;
  }
}

/** Deletes its folder, which is in the person's own COPILOT_HOME then. */
async function leaveNothing(session: RuntimeSession, sessionId: string): Promise<void> {
  await session.call('session.delete', { sessionId }, 'its end', 'endpoint').catch(() => undefined);
}

function readAddress(value: unknown): URL {
  const text = asText(value);
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isAllowedAddress(url)) throw new RuntimeFault('unreadable', 'an address that may not be used');
  return url;
}

/** Each belongs to one connection or one body: of another's making it would change what is sent, or to whom. */
const notItsOwn =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/iu;

function readHeaders(value: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(asObject(value) ?? {})) {
    if (
      typeof text !== 'string' ||
      !/^[\w-]+$/u.test(name) ||
      notItsOwn.test(name) ||
      !/^[\t\x20-\x7e]*$/u.test(text)
    ) {
      throw new RuntimeFault('unreadable', 'a header that may not be sent');
    }
    headers[name] = text;
  }
  if (!headers.Authorization) throw new RuntimeFault('unreadable', 'an endpoint without a credential');
  return headers;
}

function readHost(value: unknown): string | null {
  const text = asText(value);
  return text !== null && URL.canParse(text) ? new URL(text).host : null;
}

function readAuto(value: unknown): AutoSession | null {
  const given = asObject(value);
  if (given === null) return null;
  const [header, token, model] = [asText(given.header), asText(given.token), asText(given.model)];
  const expiresAt = Date.parse(asText(given.expiresAt) ?? '');
  const isSendable = header?.toLowerCase() === 'copilot-session-token' && /^[\x21-\x7e]+$/u.test(token ?? '');
  if (!isSendable || header === null || token === null || model === null || Number.isNaN(expiresAt)) {
    throw new RuntimeFault('unreadable', 'a choice of Auto’s that lacks something');
  }
  return { header, token, model, expiresAt };
}
