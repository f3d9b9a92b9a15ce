import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { t } from '../../../language/translate.ts';
import { type AgentConnection, AgentError } from '../agent.ts';

/** A start of a session, as `CodexSessions` takes it: what ACP knows, and `codex` beside it. */
export interface CodexStart {
  method: 'session/new' | 'session/resume';
  codex: {
    baseUrl: string;
    key: string;
    /** The person trusts its folder. */
    isTrusted: boolean;
    model: string | null;
    effort: string | null;
    mode: string | null;
    title: string | null;
  };
}

interface Started {
  sessionId?: string;
  configOptions?: readonly { id: string; currentValue?: unknown; options?: readonly { value?: unknown }[] }[];
}

type Options = { signal?: AbortSignal };

/**
 * codex-acp knows one provider and one key at a time, and told another it loses the sessions that it has. So each
 * session has a process of its own, which is told over the pipe where our proxy is and with which key. The first
 * process leads none: it answers what is asked of no session.
 */
export class CodexSessions implements AgentConnection {
  readonly initialized: AgentConnection['initialized'];
  readonly capabilities: AgentConnection['capabilities'];
  readonly extras: AgentConnection['extras'];
  readonly exited: AgentConnection['exited'];
  readonly #first: AgentConnection;
  readonly #open: (isTrusted: boolean) => Promise<AgentConnection>;
  readonly #sessions = new Map<string, AgentConnection>();
  /** Sessions whose process is gone: the first process never knew them. */
  readonly #gone = new Set<string>();
  readonly #opened = new Set<AgentConnection>();
  #isOver = false;

  /** @param open starts one more process */
  constructor(first: AgentConnection, open: (isTrusted: boolean) => Promise<AgentConnection>) {
    this.#first = first;
    this.#open = open;
    this.initialized = first.initialized;
    this.capabilities = first.capabilities;
    this.extras = first.extras;
    this.exited = first.exited.then(async (exit) => {
      await this.#stopSessions();
      return exit;
    });
  }

  get pid(): number {
    return this.#first.pid;
  }

  async request<Answer = unknown>(method: string, params: unknown, options: Options = {}): Promise<Answer> {
    if (isStart(params)) return (await this.#start(method, params, options)) as Answer;
    const connection = this.#of(params);
    // ACP's "resource not found": nothing was sent, and the session can be resumed.
    if (connection === null) throw new RequestError(-32002, t('The process of this session has ended.'));
    const answer = await connection.request<Answer>(method, params, options);
    if (method === 'session/close' && connection !== this.#first) await connection.stop();
    return answer;
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#of(params)?.notify(method, params);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#stopSessions(), this.#first.stop()]);
  }

  async #start(method: string, { codex, ...rest }: StartParams, options: Options): Promise<Started> {
    const connection = await this.#open(codex.isTrusted);
    this.#opened.add(connection);
    void connection.exited.then(() => this.#forget(connection));
    try {
      // It came too late: the stop before has passed it by.
      if (this.#isOver) throw new AgentError('ended', t('Codex was stopped.'), t('Send the message again.'));
      const headers = { Authorization: `Bearer ${codex.key}` };
      const gateway = { baseUrl: codex.baseUrl, headers, providerName: 'Jumpseat' };
      await connection.request('authenticate', { methodId: 'gateway', _meta: { gateway } }, options);
      const answer = await connection.request<Started>(method, rest, options);
      const sessionId = answer.sessionId ?? String(rest.sessionId);
      this.#sessions.set(sessionId, connection);
      this.#gone.delete(sessionId);
      // Without a title it asks a model for one after the first turn, which is one more prompt to be paid.
      const title = codex.title ?? (method === 'session/new' ? 'Session' : null);
      if (title !== null) await connection.request('session/set_title', { sessionId, title }, options);
      return { ...answer, ...(await choose(connection, { ...answer, sessionId }, codex, options)) };
    } catch (error) {
      await connection.stop();
      throw error;
    }
  }

  /** Null if the process of its session is gone. */
  #of(params: unknown): AgentConnection | null {
    if (typeof params !== 'object' || params === null || !('sessionId' in params)) return this.#first;
    const id = String(params.sessionId);
    return this.#gone.has(id) ? null : (this.#sessions.get(id) ?? this.#first);
  }

  #forget(connection: AgentConnection): void {
    this.#opened.delete(connection);
    for (const [id, one] of this.#sessions) {
      if (one !== connection) continue;
      this.#sessions.delete(id);
      this.#gone.add(id);
    }
  }

  async #stopSessions(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#opened].map((connection) => connection.stop()));
  }
}

/** What a start cannot name is chosen right after it, where it is offered; the answer says what holds. */
async function choose(
  connection: AgentConnection,
  { sessionId, configOptions }: Started,
  { model, effort, mode }: CodexStart['codex'],
  options: Options,
): Promise<Pick<Started, 'configOptions'>> {
  let holds = configOptions;
  const wanted = { model, reasoning_effort: effort, mode };
  for (const [configId, value] of Object.entries(wanted)) {
    const option = holds?.find(({ id }) => id === configId);
    const isOffered = option?.options?.some((one) => one.value === value) === true;
    if (value === null || !isOffered || option?.currentValue === value) continue;
    const chosen = { sessionId, configId, value };
    holds = (await connection.request<Started>('session/set_config_option', chosen, options)).configOptions ?? holds;
  }
  return holds === undefined ? {} : { configOptions: holds };
}

type StartParams = Pick<CodexStart, 'codex'> & Record<string, unknown>;

function isStart(params: unknown): params is StartParams {
  return typeof params === 'object' && params !== null && 'codex' in params;
}
