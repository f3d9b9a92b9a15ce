import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { ForkPoint } from '../store/session-rows.ts';
import type { AgentProcess } from './agent-process.ts';
import type { PastTurns } from './past-turns.ts';
import { SessionError } from './session-error.ts';

/** The place after a turn's answer; null: after the last one. Throws where there is none. */
export function forkPoint(past: PastTurns, turnId: string | null): ForkPoint {
  const { agentSessionId } = past;
  if (turnId === null) return atEnd(past);
  const found = past.find(turnId);
  const last = ('row' in found ? found.row : found.turn).lastMessage;
  if (last === null || agentSessionId === null) throw noAnswer('Choose an earlier turn.');
  return { agentSessionId, last };
}

function atEnd({ agentSessionId, rows, turns, last }: PastTurns): ForkPoint {
  const isAnswered = ({ lastMessage }: { lastMessage: string | null }): boolean => lastMessage !== null;
  const answered = rows.findLast(isAnswered)?.lastMessage ?? last;
  // Nothing was led here: all of it lies with the agent.
  const end = answered ?? (rows.length === 0 ? null : (turns.findLast(isAnswered)?.lastMessage ?? null));
  if (agentSessionId === null || (end === null && rows.length > 0)) throw noAnswer('Send a message first.');
  return { agentSessionId, last: end };
}

/** Copies a conversation up to a place. Starts nothing. Returns the agent's id of the copy. */
export async function copyAt(process: AgentProcess, point: ForkPoint, cwd: string): Promise<string> {
  const connection = await process.connection();
  if (!connection.extras.has('fork')) {
    throw new SessionError('not-possible', 'This agent can’t copy a conversation.', 'Begin a new session.');
  }
  const params: ExtraRequests['fork']['params'] = { sessionId: point.agentSessionId, cwd, messageId: point.last };
  const answer = await connection.request<ExtraRequests['fork']['answer']>(extraMethods.fork, params);
  return answer.sessionId;
}

function noAnswer(mend: string): SessionError {
  return new SessionError('no-answer', 'There is no answer to fork from yet.', mend);
}
