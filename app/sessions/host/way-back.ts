import type { PutBack } from '../../api/sessions.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import type { AgentProcess } from './agent-process.ts';
import { copyAt, noTurn } from './fork-point.ts';
import type { HostedSession } from './hosted-session.ts';
import { type Prompt, readPrompt } from './prompt.ts';
import { SessionError } from './session-error.ts';
import type { Turn } from './turn.ts';

export interface WayBack {
  /** The message that was cut off, for the person to change. */
  prompt: Prompt;
  files: PutBack[];
  /** The session as it was before. */
  copy: string;
}

/**
 * What stays when a session goes back to before a turn, and what goes. Throws where it can't: the first prompt has
 * nothing before it.
 */
function cutBefore(store: SessionStore, sessionId: string, turnId: string) {
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
async function undoTurns(edits: SessionEdits, turns: readonly TurnRow[]): Promise<PutBack[]> {
  const results: PutBack[] = [];
  for (const { id } of turns.toReversed()) results.push(...(await edits.putBack('undo', id, null)));
  return results;
}

/**
 * Cuts a session off before a turn: its record and turns are gone, and the agent goes on after what is kept with the
 * next message. A copy of it as it is now stays in the list. `withFiles`: edits since then are taken back as well, as
 * far as they can.
 */
export async function goBack(
  session: HostedSession,
  store: SessionStore,
  { turnId, withFiles, process }: { turnId: string; withFiles: boolean; process: AgentProcess },
): Promise<WayBack> {
  const { id, kept, turns, edits } = session;
  refuseRunning(turns.current);
  const { turn, resumeAt, gone } = cutBefore(store, id, turnId);
  const copied = await copyOf(session, store, process);
  refuseRunning(turns.current);
  await session.unload();
  refuseRunning(turns.current);
  store.atOnce(() => {
    store.record.forgetFrom(id, turn.id);
    store.turns.forgetFrom(id, turn.number);
    kept.keep({ resumeAt });
  });
  session.changed();
  const files = withFiles ? await undoTurns(edits, gone) : [];
  return { prompt: readPrompt(turn.prompt), files, copy: copied };
}

/** A session of its own with all that this one has now. Returns its id. */
async function copyOf({ id, kept }: HostedSession, store: SessionStore, process: AgentProcess): Promise<string> {
  const { agent, cwd, lastingChoices: choices, title } = kept;
  const made = await copyAt(process, { agentSessionId: kept.agentSessionId ?? id, messageId: null }, cwd);
  const { model, effort, mode } = choices;
  store.sessions.decorate(made, {
    ...{ agent, cwd, title: `${title ?? 'Session'}, before going back`, parent: id, hosted: true },
    ...{ model, effort, mode, directories: [...choices.directories] },
    options: { agentSessionId: made, pluginsOff: [...choices.pluginsOff] },
  });
  return made;
}

function refuseRunning(turn: Turn | null): void {
  if (turn !== null) throw new SessionError('turn-running', 'A turn of this session runs.', 'Stop it first.');
}
