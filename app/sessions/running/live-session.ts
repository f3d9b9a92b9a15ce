import type {
  McpServer,
  NewSessionResponse,
  PromptResponse,
  SessionConfigOption,
} from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { AgentConnection } from '../agents/agent.ts';
import { type ExtraRequests, extraMethods, type Steered, steering, toSteering } from '../agents/agent-extras.ts';
import type { Prompt } from '../session/prompt.ts';

/** How long an agent may take to let a session go, in ms; then its whole process is ended. */
const closeMs = 800;

/** A session within a running process of its agent. */
export class LiveSession {
  readonly connection: AgentConnection;
  /** The agent's own id of it. */
  readonly id: string;
  options: readonly SessionConfigOption[];
  readonly mode: string | null;
  readonly modes: readonly { id: string; name: string }[];
  /** Servers of ours that it was given. */
  readonly ownServers: ReadonlySet<string>;
  /** Servers that a person added for it. */
  readonly addedServers: ReadonlySet<string>;
  #closing: Promise<void> | null = null;

  constructor(
    connection: AgentConnection,
    answer: Pick<NewSessionResponse, 'sessionId'> & Partial<NewSessionResponse>,
    ours: readonly Pick<McpServer, 'name'>[],
    added: readonly Pick<McpServer, 'name'>[] = [],
  ) {
    this.connection = connection;
    this.id = answer.sessionId;
    this.ownServers = new Set(ours.map(({ name }) => name));
    this.addedServers = new Set(added.map(({ name }) => name));
    this.options = answer.configOptions ?? [];
    this.mode = answer.modes?.currentModeId ?? null;
    this.modes = answer.modes?.availableModes ?? [];
  }

  /** Settles when the turn is over. */
  prompt(prompt: Prompt): Promise<PromptResponse> {
    return this.connection.request<PromptResponse>('session/prompt', { sessionId: this.id, prompt });
  }

  /** Asks for the end of the turn; `prompt` settles then. */
  async cancel(): Promise<void> {
    await this.connection.notify('session/cancel', { sessionId: this.id });
  }

  /** Words for the running turn. Null if none runs, and nothing was taken. */
  async steer(prompt: Prompt): Promise<Partial<Steered> | null> {
    const answer = await this.connection.request<{ outcome?: unknown; _meta?: { jumpseat?: Partial<Steered> } }>(
      steering,
      toSteering(this.id, prompt),
    );
    return answer.outcome === 'injected' ? (answer._meta?.jumpseat ?? {}) : null;
  }

  /** False: the agent has read these words, or can't give them back. */
  async takeBack(promptId: string): Promise<boolean> {
    if (!this.connection.extras.has('take-back')) return false;
    const params: ExtraRequests['take-back']['params'] = { sessionId: this.id, promptId };
    const answer = await this.connection.request<ExtraRequests['take-back']['answer']>(
      extraMethods['take-back'],
      params,
    );
    return answer.isTaken;
  }

  /** Asks something that is no part of the conversation. An abort takes it back. */
  askBeside(
    asked: Omit<ExtraRequests['side-question']['params'], 'sessionId'>,
    signal: AbortSignal,
  ): Promise<ExtraRequests['side-question']['answer']> {
    const params: ExtraRequests['side-question']['params'] = { sessionId: this.id, ...asked };
    return this.connection.request(extraMethods['side-question'], params, { signal });
  }

  async setMode(mode: string): Promise<void> {
    await this.connection.request('session/set_mode', { sessionId: this.id, modeId: mode });
  }

  async setOption(configId: string, value: string): Promise<void> {
    const answer = await this.connection.request<{ configOptions?: SessionConfigOption[] }>(
      'session/set_config_option',
      { sessionId: this.id, configId, value },
    );
    this.options = answer.configOptions ?? this.options;
  }

  /** Ends its part of the process; where the agent does not obey, all of it. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), closeMs);
    try {
      const closed = this.connection.request('session/close', { sessionId: this.id });
      await unlessAborted(Promise.race([closed, this.connection.exited]), given.signal);
    } catch {
      // Not known any more, or not obeyed.
      if (given.signal.aborted) await this.connection.stop();
    } finally {
      clearTimeout(timer);
    }
  }
}
