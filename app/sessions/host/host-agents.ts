import type { AgentConnection, AgentDescription, AgentExit, AgentName } from '../agents/agent.ts';
import type { FactReader } from '../agents/agent-facts.ts';
import { AgentProcess } from './agent-process.ts';
import { SessionError } from './session-error.ts';
import type { SessionRoutes } from './session-routes.ts';

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
    routes: SessionRoutes,
    ended: (connection: AgentConnection, exit: AgentExit) => void,
  ) {
    this.#agents = new Map(
      agents.map(({ description, reader }) => {
        const process = new AgentProcess(description, routes.handlers(reader), ended);
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
      throw new SessionError('agent-missing', `Jumpseat has no agent ${name} here.`, 'Choose another agent.');
    }
    return agent;
  }
}
