import { t } from '../../language/translate.ts';
import type { AgentConnection, AgentDescription, AgentExit, AgentHandlers, AgentName } from '../agents/agent.ts';
import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { FactReader } from '../agents/agent-facts.ts';
import { cancelled, SessionError } from '../session/error.ts';
import type { ForkPoint } from '../store/session-rows.ts';

/** The one process of an agent, with all of its sessions: started by the first that needs it. */
export class AgentProcess {
  readonly description: AgentDescription;
  readonly #handlers: AgentHandlers;
  readonly #ended: (connection: AgentConnection, exit: AgentExit) => void;
  #connecting: Promise<AgentConnection> | null = null;
  #current: AgentConnection | null = null;
  /** Aborted with a stop, also of one that only starts. */
  #ending = new AbortController();

  /** @param ended called once for each process that is gone, however it went */
  constructor(
    description: AgentDescription,
    handlers: AgentHandlers,
    ended: (connection: AgentConnection, exit: AgentExit) => void,
  ) {
    this.description = description;
    this.#handlers = handlers;
    this.#ended = ended;
  }

  /** Null if none runs. */
  get current(): AgentConnection | null {
    return this.#current;
  }

  connection(): Promise<AgentConnection> {
    if (this.#connecting !== null) return this.#connecting;
    const connecting = this.description.connect(this.#handlers, { signal: this.#ending.signal });
    this.#connecting = connecting;
    connecting.then(
      (connection) => {
        this.#current = connection;
        void connection.exited.then((exit) => {
          this.#forget(connecting);
          if (this.#current === connection) this.#current = null;
          this.#ended(connection, exit);
        });
      },
      () => this.#forget(connecting),
    );
    return connecting;
  }

  #forget(connecting: Promise<AgentConnection>): void {
    if (this.#connecting === connecting) this.#connecting = null;
  }

  /** Ends it with all of its sessions. The next one that needs it starts another. */
  async stop(): Promise<void> {
    const connecting = this.#connecting;
    if (connecting === null) return;
    this.#forget(connecting);
    this.#ending.abort(cancelled(t('The agent was stopped.')));
    this.#ending = new AbortController();
    const connection = await connecting.catch(() => null);
    await connection?.stop();
  }
}

/** An agent with what reads its own messages. */
export interface AgentWithReader {
  description: AgentDescription;
  reader: FactReader;
}

/** The agents of a host, each with its one process. */
export class HostAgents {
  readonly #agents: ReadonlyMap<AgentName, { process: AgentProcess; reader: FactReader }>;

  /** @param ended called once for each process that is gone */
  constructor(
    agents: readonly AgentWithReader[],
    handlers: (reader: FactReader) => AgentHandlers,
    ended: (connection: AgentConnection, exit: AgentExit) => void,
  ) {
    this.#agents = new Map(
      agents.map(({ description, reader }) => {
        const process = new AgentProcess(description, handlers(reader), ended);
        return [description.name, { process, reader }];
      }),
    );
  }

  /** Throws where the host has no agent of that name; so does `reader`. */
  process(name: AgentName): AgentProcess {
    return this.#of(name).process;
  }

  reader(name: AgentName): FactReader {
    return this.#of(name).reader;
  }

  /** Ends all of their processes. */
  async stop(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(({ process }) => process.stop()));
  }

  #of(name: AgentName): { process: AgentProcess; reader: FactReader } {
    const agent = this.#agents.get(name);
    if (agent === undefined) {
      throw new SessionError(
        'agent-missing',
        t('Jumpseat has no agent {name} here.', { name }),
        t('Choose another agent.'),
      );
    }
    return agent;
  }
}

/** Copies a conversation up to a place. Starts nothing. Returns the agent's id of the copy. */
export async function copyAt(process: AgentProcess, point: ForkPoint, cwd: string): Promise<string> {
  const connection = await process.connection();
  if (!connection.extras.has('fork')) {
    throw new SessionError('not-possible', t('This agent can’t copy a conversation.'), t('Start a new session.'));
  }
  const params: ExtraRequests['fork']['params'] = { sessionId: point.agentSessionId, cwd, messageId: point.last };
  const answer = await connection.request<ExtraRequests['fork']['answer']>(extraMethods.fork, params);
  return answer.sessionId;
}
