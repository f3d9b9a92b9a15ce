import { randomUUID } from 'node:crypto';
import {
  type AgentConnection as AcpAgentConnection,
  type AnyMessage,
  agent,
  client,
  type PromptRequest,
  type PromptResponse,
  RequestError,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import {
  type AgentConnection,
  type AgentDescription,
  AgentError,
  type AgentExit,
  type AgentHandlers,
  type Availability,
  type PreparedStart,
  type SessionStart,
} from '../../../../app/sessions/agents/agent.ts';
import {
  type AgentExtra,
  type ExtraRequests,
  extraMethods,
  sessionEnded,
} from '../../../../app/sessions/agents/agent-extras.ts';

/** One prompt as the fake agent works on it. */
export interface FakeTurn {
  sessionId: string;
  prompt: PromptRequest['prompt'];
  /** The text of the prompt. */
  text: string;
  /** Aborted by `session/cancel`. */
  signal: AbortSignal;
  /** Resolves with that. */
  stopped: Promise<void>;
  update(update: SessionUpdate): Promise<void>;
  say(text: string, messageId?: string): Promise<void>;
  /** A raw message of the Agent SDK. */
  raw(message: Record<string, unknown>): Promise<void>;
  ask(toolCall: { toolCallId: string; name: string; rawInput?: unknown }): Promise<RequestPermissionResponse>;
  client: AcpAgentConnection['client'];
  process: FakeProcess;
}

type Script = (turn: FakeTurn) => Promise<PromptResponse['stopReason'] | PromptResponse>;

export const askOptions = [
  { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'allow-with-updates', name: 'Yes, always', kind: 'allow_always' as const },
  { optionId: 'reject', name: 'No', kind: 'reject_once' as const },
];

function config(id: string, currentValue: string, values: string[]): SessionConfigOption {
  return { type: 'select', id, name: id, currentValue, options: values.map((value) => ({ value, name: value })) };
}

/** An agent made with the protocol's own library, in this process, that does what a test says. */
export class FakeAgent implements AgentDescription {
  readonly name: AgentDescription['name'];
  readonly title: string = 'Fake Agent';
  readonly modes = [
    ...['default', 'acceptEdits', 'plan', 'auto'].map((id) => ({
      ...{ id, name: `Mode ${id}`, asksNothing: false, refusal: null },
    })),
    { id: 'bypassPermissions', name: 'Never ask', asksNothing: true, refusal: null as 'root' | null },
  ];
  readonly respectsTrust = ['CLAUDE.md', '.fake'];
  readonly takesPlugins = true;
  readonly mcp = { http: true, sse: false, acp: false };
  /** What it was asked, in order. */
  readonly asked: { method: string; params: Record<string, unknown> }[] = [];
  readonly processes: FakeProcess[] = [];
  /** Sessions that it has "on disk": those in which something was said. */
  readonly conversations = new Set<string>();
  /** Its own names of words said into a turn, which it has not read. */
  readonly steered: string[] = [];
  extras = new Set<AgentExtra>(['choose-id', 'permission-words', 'steer', 'fork']);

  constructor(name: AgentDescription['name'] = 'claude') {
    this.name = name;
  }

  script: Script = async (turn) => {
    await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  };
  /** In which a conversation was left. */
  resumedMode = 'default';
  mcpCapabilities: { http?: boolean } = { http: true };
  /** With the extra `inventory`. */
  inventory: ExtraRequests['inventory']['answer'] | null = null;
  /** With the extra `side-question`. */
  beside = (question: string): ExtraRequests['side-question']['answer'] => ({
    ...{ answer: `Beside: ${question}`, isNotice: false },
  });
  /** Thrown by a request of this method. */
  readonly failures = new Map<string, Error>();
  /** Starts that were prepared and not yet released. */
  unreleased = 0;
  readonly #gates = new Map<string, { reached: PromiseWithResolvers<void>; open: PromiseWithResolvers<void> }>();

  offered = [{ id: 'claude-opus-4.8', model: 'claude-opus-4.8', efforts: ['low', 'high'] }];

  async models() {
    return this.offered;
  }

  availability(): Promise<Availability> {
    return Promise.resolve({ available: true, version: '1.0.0', from: 'own' });
  }

  fetch(): Promise<void> {
    return Promise.resolve();
  }

  /** The next request of this method waits until it is let go. */
  hold(method: string): { reached: Promise<void>; go: () => void } {
    const gate = { reached: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() };
    this.#gates.set(method, gate);
    return { reached: gate.reached.promise, go: () => gate.open.resolve() };
  }

  async pass(method: string, params: unknown): Promise<void> {
    this.asked.push({ method, params: params as Record<string, unknown> });
    const gate = this.#gates.get(method);
    if (gate !== undefined) {
      this.#gates.delete(method);
      gate.reached.resolve();
      await gate.open.promise;
    }
    const failure = this.failures.get(method);
    if (failure !== undefined) throw failure;
  }

  methods(): string[] {
    return this.asked.map(({ method }) => method).filter((method) => method !== 'initialize');
  }

  async prepare({
    how,
    cwd,
    model,
    effort,
    mcpServers,
    key,
    title,
    trusted,
    untrustedDirectories,
    pluginsOff,
    plugins,
  }: SessionStart): Promise<PreparedStart> {
    await this.pass('prepare', { how });
    this.unreleased += 1;
    const jumpseat = { model, effort, key, title, trusted, untrustedDirectories, pluginsOff: [...pluginsOff], plugins };
    const params = { cwd, mcpServers: [...mcpServers], _meta: { jumpseat: { ...jumpseat, sessionId: how.sessionId } } };
    return {
      method: how.kind === 'new' ? 'session/new' : 'session/resume',
      params: how.kind === 'new' ? params : { ...params, sessionId: how.sessionId },
      release: async () => {
        this.unreleased -= 1;
      },
    };
  }

  async connect(handlers: AgentHandlers): Promise<FakeProcess> {
    await this.pass('connect', {});
    const process = new FakeProcess(this, handlers);
    this.processes.push(process);
    return process;
  }
}

export class FakeProcess implements AgentConnection {
  readonly pid = 4711;
  readonly initialized = { protocolVersion: 1 };
  readonly capabilities;
  readonly extras: ReadonlySet<AgentExtra>;
  readonly exited: Promise<AgentExit>;
  /** Sessions that run in it. */
  readonly sessions = new Set<string>();
  readonly #exited = Promise.withResolvers<AgentExit>();
  readonly #turns = new Map<string, AbortController>();
  readonly #client;
  readonly #agent: AcpAgentConnection;
  #isGone = false;

  constructor(fake: FakeAgent, handlers: AgentHandlers) {
    this.exited = this.#exited.promise;
    this.extras = fake.extras;
    this.capabilities = { mcpCapabilities: fake.mcpCapabilities };
    const [ours, theirs] = streamPair();
    const live = (sessionId: string): void => {
      if (!this.sessions.has(sessionId)) throw new RequestError(-32002, 'Resource not found', { sessionId });
    };
    const answer = (currentModeId = 'default') => ({
      modes: {
        currentModeId,
        availableModes: ['default', 'acceptEdits', 'plan'].map((id) => ({ id, name: id })),
      },
      configOptions: [config('model', 'opus', ['opus', 'sonnet']), config('effort', 'high', ['low', 'high'])],
    });
    this.#agent = agent({ name: 'fake' })
      .onRequest('session/new', async ({ params }) => {
        await fake.pass('session/new', params);
        const chosen = (params._meta?.jumpseat as { sessionId?: string } | undefined)?.sessionId;
        const sessionId = fake.extras.has('choose-id') && chosen !== undefined ? chosen : randomUUID();
        this.sessions.add(sessionId);
        return { sessionId, ...answer() };
      })
      .onRequest('session/resume', async ({ params }) => {
        await fake.pass('session/resume', params);
        if (!fake.conversations.has(params.sessionId)) {
          throw new RequestError(-32002, 'Resource not found', { sessionId: params.sessionId });
        }
        this.sessions.add(params.sessionId);
        return answer(fake.resumedMode);
      })
      .onRequest('session/close', async ({ params }) => {
        await fake.pass('session/close', params);
        this.sessions.delete(params.sessionId);
        this.#turns.get(params.sessionId)?.abort();
        return {};
      })
      .onRequest('session/set_mode', async ({ params }) => {
        await fake.pass('session/set_mode', params);
        return {};
      })
      .onRequest('session/set_config_option', async ({ params }) => {
        await fake.pass('session/set_config_option', params);
        const options = answer().configOptions;
        return {
          configOptions: options.map((option) =>
            option.id === params.configId && option.type === 'select'
              ? { ...option, currentValue: String(params.value) }
              : option,
          ),
        };
      })
      .onRequest(
        '_session/steering',
        (params) => params as PromptRequest,
        async ({ params }) => {
          await fake.pass('_session/steering', params);
          if (!this.#turns.has(params.sessionId)) return { outcome: 'promptRequired' };
          const promptId = randomUUID();
          fake.steered.push(promptId);
          return { outcome: 'injected', _meta: { jumpseat: { promptId } } };
        },
      )
      .onRequest(
        extraMethods['take-back'],
        (params) => params as ExtraRequests['take-back']['params'],
        async ({ params }) => {
          await fake.pass(extraMethods['take-back'], params);
          const at = fake.steered.indexOf(params.promptId);
          if (at !== -1) fake.steered.splice(at, 1);
          return { isTaken: at !== -1 };
        },
      )
      .onRequest(
        extraMethods.fork,
        (params) => params as ExtraRequests['fork']['params'],
        async ({ params }) => {
          await fake.pass(extraMethods.fork, params);
          const sessionId = randomUUID();
          fake.conversations.add(sessionId);
          return { sessionId };
        },
      )
      .onRequest(
        extraMethods.inventory,
        (params) => params as ExtraRequests['inventory']['params'],
        async ({ params }) => {
          await fake.pass(extraMethods.inventory, params);
          return fake.inventory;
        },
      )
      .onRequest(
        extraMethods['side-question'],
        (params) => params as ExtraRequests['side-question']['params'],
        async ({ params }) => {
          live(params.sessionId);
          await fake.pass(extraMethods['side-question'], params);
          return fake.beside(params.question);
        },
      )
      .onRequest(
        extraMethods['stop-task'],
        (params) => params as ExtraRequests['stop-task']['params'],
        async ({ params }) => {
          await fake.pass(extraMethods['stop-task'], params);
          return {};
        },
      )
      .onNotification('session/cancel', ({ params }) => {
        fake.asked.push({ method: 'session/cancel', params });
        this.#turns.get(params.sessionId)?.abort();
      })
      .onRequest('session/prompt', async ({ params, client }) => {
        live(params.sessionId);
        const { sessionId, prompt } = params;
        const controller = new AbortController();
        this.#turns.set(sessionId, controller);
        await fake.pass('session/prompt', params);
        fake.conversations.add(sessionId);
        const update = (update: SessionUpdate) => client.notify('session/update', { sessionId, update });
        try {
          const end = await fake.script({
            ...{ sessionId, prompt, signal: controller.signal, client, update, process: this },
            text: prompt.map((block) => (block.type === 'text' ? block.text : '')).join(''),
            stopped: new Promise((resolve) => {
              if (controller.signal.aborted) resolve();
              else controller.signal.addEventListener('abort', () => resolve());
            }),
            say: (text, messageId = 'message-1') =>
              update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId }),
            raw: (message) => client.notify('_claude/sdkMessage', { sessionId, message }),
            ask: (toolCall) =>
              client.request('session/request_permission', { sessionId, toolCall, options: askOptions }),
          });
          return typeof end === 'string' ? { stopReason: end } : end;
        } finally {
          this.#turns.delete(sessionId);
        }
      })
      .connect(theirs);
    this.#client = client({ name: 'host' })
      .onNotification('session/update', ({ params }) => handlers.update(params))
      .onRequest('session/request_permission', ({ params, signal }) => handlers.requestPermission(params, signal))
      .onRequest('elicitation/create', ({ params, signal }) => handlers.createElicitation(params, signal))
      .onNotification(
        '_claude/sdkMessage',
        (params) => params,
        ({ params }) => handlers.extension('_claude/sdkMessage', params),
      )
      .onNotification(
        sessionEnded,
        (params) => params,
        ({ params }) => handlers.extension(sessionEnded, params),
      )
      .connect(ours);
  }

  async request<Answer = unknown>(method: string, params: unknown): Promise<Answer> {
    if (this.#isGone) throw ended();
    try {
      return await this.#client.agent.request<Answer, unknown>(method, params);
    } catch (error) {
      throw this.#isGone ? ended() : error;
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#client.agent.notify(method, params);
  }

  /** Says something outside of any turn. */
  tell(method: string, params: unknown): void {
    void this.#agent.client.notify(method, params);
  }

  /** As after a signal from outside. */
  die(exit: Partial<AgentExit> = {}): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.sessions.clear();
    for (const turn of this.#turns.values()) turn.abort();
    this.#client.close();
    this.#agent.close();
    this.#exited.resolve({ code: null, signal: 'SIGKILL', stderr: '', ...exit });
  }

  async stop(): Promise<void> {
    this.die({ code: 0, signal: null });
  }
}

function ended(): AgentError {
  return new AgentError('ended', 'The agent’s process ended.', 'Send it again.');
}

function streamPair(): [Stream, Stream] {
  const there = new TransformStream<AnyMessage, AnyMessage>();
  const back = new TransformStream<AnyMessage, AnyMessage>();
  return [
    { writable: there.writable, readable: back.readable },
    { writable: back.writable, readable: there.readable },
  ];
}
