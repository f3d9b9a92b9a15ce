import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { t } from '../../language/translate.ts';
import type { Log } from '../../ports.ts';
import type { AgentConnection, AgentDescription, AgentExit, AgentHandlers, AgentName } from '../agents/agent.ts';
import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { AgentFact, FactReader } from '../agents/agent-facts.ts';
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

/** Where what an agent says of a session goes. `child`: the subagent that it is about; null for the session itself. */
export interface RoutedSession {
  onUpdate(update: SessionUpdate, child: string | null): void;
  onFact(fact: AgentFact): void;
  askPermission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<RequestPermissionResponse>;
  askForm(
    request: CreateElicitationRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<CreateElicitationResponse>;
}

/** While a start is under way, so many messages of ids that are not known yet are held for it. */
const heldLimit = 500;

/** Finds the session of an agent's messages by the agent's own id, also for subagents. */
export class SessionRoutes {
  readonly #log: Log;
  readonly #sessions = new Map<string, RoutedSession>();
  /** Subagents, by their id, with the agent's id of their session. */
  readonly #parents = new Map<string, string>();
  #starting = 0;
  #held: { sessionId: string; deliver: () => void }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Sends messages of this id to that session, including those that came before it was known. */
  lead(agentSessionId: string, session: RoutedSession): void {
    this.#sessions.set(agentSessionId, session);
    const held = this.#held.filter(({ sessionId }) => sessionId === agentSessionId);
    this.#held = this.#held.filter(({ sessionId }) => sessionId !== agentSessionId);
    for (const { deliver } of held) deliver();
  }

  /** Stops that, if messages still go there. */
  leave(agentSessionId: string, session: RoutedSession): void {
    if (this.#sessions.get(agentSessionId) !== session) return;
    this.#sessions.delete(agentSessionId);
    for (const [child, parent] of this.#parents) if (parent === agentSessionId) this.#parents.delete(child);
  }

  /** A session starts under an id that its agent chooses. Returns what to call when it is known, or came to nothing. */
  starts(): () => void {
    this.#starting += 1;
    return () => {
      this.#starting -= 1;
      if (this.#starting === 0) this.#held = [];
    };
  }

  handlers(reader: FactReader): AgentHandlers {
    return {
      update: (notification) => this.#update(notification),
      extension: (method, params) => {
        const fact = reader.factOf(method, params);
        if (fact !== null) this.#deliver(fact.sessionId, (session) => session.onFact(fact));
      },
      requestPermission: (request, signal) => {
        const { session, child } = this.#find(request.sessionId);
        return session.askPermission(request, signal, child);
      },
      createElicitation: (request, signal) => {
        const { session, child } = this.#find(
          'sessionId' in request && typeof request.sessionId === 'string' ? request.sessionId : '',
        );
        return session.askForm(request, signal, child);
      },
    };
  }

  #update({ sessionId, update }: SessionNotification): void {
    if (update.sessionUpdate === 'subagent_update') this.#parents.set(update.sessionId, this.#root(sessionId));
    this.#deliver(sessionId, (session, child) => session.onUpdate(update, child));
  }

  #deliver(sessionId: string, deliver: (session: RoutedSession, child: string | null) => void): void {
    const root = this.#root(sessionId);
    const session = this.#sessions.get(root);
    if (session !== undefined) {
      try {
        deliver(session, root === sessionId ? null : sessionId);
      } catch (error) {
        // One message that can't be handled does not end the turn.
        this.#log.write('error', 'session-message-failed', { error: error instanceof Error ? error.name : 'unknown' });
      }
    } else if (this.#starting > 0 && this.#held.length < heldLimit) {
      this.#held.push({ sessionId, deliver: () => this.#deliver(sessionId, deliver) });
    }
  }

  #root(sessionId: string): string {
    return this.#parents.get(sessionId) ?? sessionId;
  }

  #find(sessionId: string): { session: RoutedSession; child: string | null } {
    const root = this.#root(sessionId);
    const session = this.#sessions.get(root);
    if (session === undefined) throw new Error('This session is not held any more.');
    return { session, child: root === sessionId ? null : sessionId };
  }
}
