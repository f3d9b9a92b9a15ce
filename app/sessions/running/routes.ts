import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { Log } from '../../ports.ts';
import type { AgentHandlers } from '../agents/agent.ts';
import type { AgentFact, FactReader } from '../agents/agent-facts.ts';

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
