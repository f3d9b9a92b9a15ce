import type { PutBack } from '../../api/sessions.ts';
import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import type { AgentProcess } from './agent-process.ts';
import type { ForkPoint } from './fork-point.ts';
import type { KeptSession } from './kept-session.ts';
import { type Prompt, readPrompt } from './prompt.ts';
import { SessionError } from './session-error.ts';

export interface WayBack {
  /** The message that was cut off, for the person to change. */
  prompt: Prompt;
  files: PutBack[];
  /** The session as it was before. */
  copy: string;
}

/** The place after a turn's answer. Throws where there is none. */
export function forkPoint(store: SessionStore, kept: KeptSession, sessionId: string, turnId: string): ForkPoint {
  const turn = store.turns.find(turnId);
  if (turn === null || turn.sessionId !== sessionId) throw noTurn();
  const end = store.record.turn(sessionId, turnId, 100_000).findLast(({ kind }) => kind === 'turn-ended')?.event;
  const messageId = typeof end === 'object' && end !== null ? Reflect.get(end, 'lastMessage') : null;
  const { agentSessionId } = kept;
  if (turn.lastMessage === null || typeof messageId !== 'string' || agentSessionId === null) {
    throw new SessionError('not-possible', 'There is no answer to fork from yet.', 'Choose an earlier turn.');
  }
  return { agentSessionId, messageId };
}

/** Copies a conversation up to a place. Starts nothing. Returns the agent's id of the copy. */
export async function copyAt(process: AgentProcess, point: ForkPoint, cwd: string, title: string): Promise<string> {
  const connection = await process.connection();
  if (!connection.extras.has('fork')) {
    throw new SessionError('not-possible', 'This agent can’t copy a conversation.', 'Begin a new session.');
  }
  const params: ExtraRequests['fork']['params'] = {
    sessionId: point.agentSessionId,
    ...{ cwd, messageId: point.messageId, title },
  };
  const answer = await connection.request<ExtraRequests['fork']['answer']>(extraMethods.fork, params);
  return answer.sessionId;
}

/**
 * What stays when a session goes back to before a turn, and what goes. Throws where it can't: the first prompt has
 * nothing before it.
 */
export function cutBefore(store: SessionStore, sessionId: string, turnId: string) {
  const turns = store.turns.of(sessionId, { limit: 100_000 });
  const at = turns.findIndex(({ id }) => id === turnId);
  const turn = turns[at];
  if (turn === undefined) throw noTurn();
  const last = turns.slice(0, at).findLast(({ lastMessage }) => lastMessage !== null);
  if (last === undefined || last.lastMessage === null) {
    throw new SessionError('not-possible', 'There is nothing before the first prompt.', 'Begin a new session.');
  }
  return { turn, resumeAt: last.lastMessage, gone: turns.slice(at) };
}

/** Takes the edits of these turns back, the last turn first, as far as nothing else changed the files since. */
export async function undoTurns(edits: SessionEdits, turns: readonly TurnRow[]): Promise<PutBack[]> {
  const results: PutBack[] = [];
  for (const { id } of turns.toReversed()) results.push(...(await edits.putBack('undo', id, null)));
  return results;
}

/** The turns and their record are gone; the agent goes on after what is kept with the next message. */
export function keepCut(store: SessionStore, kept: KeptSession, turn: TurnRow, resumeAt: string): Prompt {
  store.atOnce(() => {
    store.record.forgetFrom(turn.sessionId, turn.id);
    store.turns.forgetFrom(turn.sessionId, turn.number);
    kept.keep({ resumeAt });
  });
  return readPrompt(turn.prompt);
}

function noTurn(): SessionError {
  return new SessionError('no-turn', 'There is no such turn in this session.', 'Choose another one.');
}
