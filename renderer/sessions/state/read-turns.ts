import type { TranscriptPage } from '../../../app/api/session-list.ts';
import type { SessionTurn } from '../../../app/api/sessions.ts';
import { closeTurn } from './close-turn.ts';
import type { Block, Conversation, Turn } from './conversation.ts';
import { Editing, putLaneCosts } from './editing.ts';
import { promptOf } from './fields.ts';
import { emptyConversation, newTurn, putEvent } from './fold.ts';
import { putUpdate } from './fold-update.ts';
import { type NamedTask, setTasks, tasksAfter } from './tasks.ts';

type TranscriptTurn = TranscriptPage['turns'][number];

/** The turns of a page of a transcript, as they would be had they been followed live. */
export function fromTranscript(sessionId: string, page: TranscriptPage): Conversation {
  const editing = new Editing({ ...emptyConversation(sessionId), hasOlder: page.from > 0 });
  let tasks: readonly NamedTask[] | null = null;
  for (const turn of page.turns) {
    const index = editing.addTurn(begun(turn));
    for (const update of turn.updates) {
      const entry = { seq: 0, sessionId, turnId: turn.id, at: null, kind: 'update', cuts: null } as const;
      putUpdate(editing, { ...entry, event: { child: null, update } }, index);
    }
    tasks = keptTasks(editing, index, tasks);
    const problem = turn.failure === null ? null : problemOf(turn.failure);
    const { state, endedAt } = turn;
    if (state === 'waiting') waitForPerson(editing, index);
    else if (state !== 'running') closeTurn(editing, index, { state, problem, endedAt });
    if (turn.cost !== null) putLaneCosts(editing, index, turn.cost);
    if (editing.now.tasks === null) tasks = null;
  }
  for (const { toolCallId, path } of page.undone) {
    const entry = { seq: 0, sessionId, turnId: null, at: 0, kind: 'edit', cuts: null } as const;
    putEvent(editing, { ...entry, event: { toolCallId, path, state: 'undone' } });
  }
  for (const answered of page.answered) {
    const entry = { seq: 0, sessionId, turnId: null, at: 0, kind: 'answered', cuts: null } as const;
    putEvent(editing, { ...entry, event: answered });
  }
  return { ...editing.now, unplaced: [] };
}

/** What a terminal has not begun yet is what it asks about. */
function waitForPerson(editing: Editing, turn: number): void {
  const place = { turn, lanes: [] };
  editing.blocks(place).forEach((block, index) => {
    const isAsked = block.kind === 'step' && block.state === 'running' && block.lane === null;
    if (isAsked) editing.replace(place, index, { ...block, state: 'waiting' });
  });
}

function begun(turn: TranscriptTurn): Turn {
  const { id, prompt, begunBy, task, startedAt, model, cost, promptIds, lastMessage } = turn;
  return {
    ...newTurn(id, startedAt),
    ...{
      prompt: promptOf(prompt),
      begunBy,
      task,
      ...{ cost, promptIds },
      models: model === null ? [] : [model],
      canFork: lastMessage !== null,
    },
  };
}

function problemOf(failure: string): Turn['problem'] {
  return { code: 'failed', text: failure, remedy: '', requestId: null, stderr: null };
}

/** Calls that keep the list of tasks are no steps: the list is what they leave. */
function keptTasks(editing: Editing, turn: number, before: readonly NamedTask[] | null): readonly NamedTask[] | null {
  const place = { turn, lanes: [] };
  const isOfTasks = (block: Block): boolean => block.kind === 'step' && block.stepKind === 'tasks';
  const calls = editing.blocks(place).filter(isOfTasks);
  if (calls.length === 0) return before;
  editing.keep(place, (block) => !isOfTasks(block));
  const tasks = calls.reduce((tasks, call) => (call.kind === 'step' ? tasksAfter(tasks, call) : tasks), before);
  setTasks(editing, turn, tasks);
  return tasks;
}

/** Adds what Jumpseat knows of the turns it ran: numbers, states, costs and requests. */
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
    const reported = withRow(known, row);
    if (!isSame(known, reported)) editing.setTurn(index, reported);
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
