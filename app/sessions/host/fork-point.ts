import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { AgentProcess } from './agent-process.ts';
import { SessionError } from './session-error.ts';

/** Where a conversation is cut off: after a turn, which has to have an answer. */
export interface ForkPoint {
  agentSessionId: string;
  /** As the agent's updates name it; null: its end. */
  messageId: string | null;
  /** The same as the transcript has it: the uuid of the last line. */
  last: string | null;
}

interface ForkSource {
  id: string;
  agentSessionId: string | null;
}

/** The place after a turn's answer; null: after the last one. Throws where there is none. */
export function forkPoint(store: SessionStore, session: ForkSource, turnId: string | null): ForkPoint {
  if (turnId !== null) return afterTurn(store, session, turnId);
  const turns = store.turns.of(session.id, { limit: 100_000 });
  // It was made elsewhere, and all of it lies with the agent.
  if (turns.length === 0 && session.agentSessionId !== null) {
    return { agentSessionId: session.agentSessionId, messageId: null, last: null };
  }
  const last = turns.findLast(({ lastMessage }) => lastMessage !== null);
  if (last === undefined) throw noAnswer('Send a message first.');
  return afterTurn(store, session, last.id);
}

function afterTurn(store: SessionStore, { id: sessionId, agentSessionId }: ForkSource, turnId: string): ForkPoint {
  const turn = store.turns.find(turnId);
  if (turn === null || turn.sessionId !== sessionId) throw noTurn();
  const end = store.record.turn(sessionId, turnId, 100_000).findLast(({ kind }) => kind === 'turn-ended')?.event;
  const messageId = typeof end === 'object' && end !== null ? Reflect.get(end, 'lastMessage') : null;
  if (turn.lastMessage === null || typeof messageId !== 'string' || agentSessionId === null) {
    throw noAnswer('Choose an earlier turn.');
  }
  return { agentSessionId, messageId, last: turn.lastMessage };
}

/** Copies a conversation up to a place. Starts nothing. Returns the agent's id of the copy. */
export async function copyAt(process: AgentProcess, point: ForkPoint, cwd: string): Promise<string> {
  const connection = await process.connection();
  if (!connection.extras.has('fork')) {
    throw new SessionError('not-possible', 'This agent can’t copy a conversation.', 'Begin a new session.');
  }
  const params: ExtraRequests['fork']['params'] = {
    sessionId: point.agentSessionId,
    ...{ cwd, messageId: point.messageId },
  };
  const answer = await connection.request<ExtraRequests['fork']['answer']>(extraMethods.fork, params);
  return answer.sessionId;
}

function noAnswer(mend: string): SessionError {
  return new SessionError('no-answer', 'There is no answer to fork from yet.', mend);
}

export function noTurn(): SessionError {
  return new SessionError('no-turn', 'There is no such turn in this session.', 'Choose another one.');
}
