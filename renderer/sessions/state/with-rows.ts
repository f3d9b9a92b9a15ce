import type { SessionTurn } from '../../../app/api/sessions.ts';
import { closeTurn } from './close-turn.ts';
import type { Conversation, Turn } from './conversation.ts';
import { Editing } from './editing.ts';
import { putLaneCosts } from './lane-costs.ts';
import { promptOf } from './prompt-blocks.ts';

/** With what Jumpseat knows of the turns that it led: their numbers, states, costs and requests. */
export function withRows(conversation: Conversation, rows: readonly SessionTurn[]): Conversation {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const editing = new Editing(conversation);
  // A row that has its turn is no other's, also where the next one has begun since.
  const named = new Set(conversation.turns.map(({ id }) => id));
  const unnamed = rows.filter(({ id }) => !named.has(id));
  conversation.turns.forEach((turn, index) => {
    const row = byId.get(turn.id) ?? (turn.number === null ? rowAt(unnamed, turn) : undefined);
    if (row === undefined) return;
    // No event tells of the end of a turn that Jumpseat itself did not live to see.
    const { state, problem, endedAt } = row;
    if (turn.state === 'running' && state !== 'running') closeTurn(editing, index, { state, problem, endedAt });
    const known = editing.now.turns[index] ?? turn;
    const told = withRow(known, row);
    if (!isSame(known, told)) editing.setTurn(index, told);
    putLaneCosts(editing, index, row.cost);
  });
  return editing.now;
}

/**
 * Those that don't run ahead of what was heard. Rows come at once, events with the next frame: the last words of a turn
 * that has ended by its row, and its end, may still be on their way.
 */
export function rowsInStep({ turns }: Conversation, rows: readonly SessionTurn[]): SessionTurn[] {
  const running = new Set(turns.filter(({ state }) => state === 'running').map(({ id }) => id));
  return rows.filter(({ id, state }) => state === 'running' || !running.has(id));
}

/** A transcript has its own names of turns: the row is the one under way when the turn began. */
function rowAt(rows: readonly SessionTurn[], { startedAt }: Turn): SessionTurn | undefined {
  if (startedAt === null) return undefined;
  return rows.find((row) => row.startedAt <= startedAt && startedAt <= (row.endedAt ?? Number.POSITIVE_INFINITY));
}

function withRow(turn: Turn, row: SessionTurn): Turn {
  const { id, number, initiator, state, startedAt, endedAt, problem, cost, requestIds, canFork } = row;
  // The end of a turn may have been heard while the row was on its way.
  const end = state === 'running' ? {} : { state, endedAt, problem };
  const prompt = turn.prompt ?? promptOf(row.prompt);
  const begunBy = prompt === null ? turn.begunBy : 'prompt';
  return { ...turn, id, number, initiator, startedAt, cost, requestIds, canFork, prompt, begunBy, ...end };
}

function isSame(one: Turn, other: Turn): boolean {
  return JSON.stringify({ ...one, blocks: [] }) === JSON.stringify({ ...other, blocks: [] });
}
