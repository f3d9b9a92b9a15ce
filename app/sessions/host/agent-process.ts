import type { AgentConnection, AgentDescription, AgentExit, AgentHandlers } from '../agents/agent.ts';
import { cancelled } from './session-error.ts';

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

  /** Null: none runs. */
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
    this.#ending.abort(cancelled('The agent was stopped.'));
    this.#ending = new AbortController();
    const connection = await connecting.catch(() => null);
    await connection?.stop();
  }
}
