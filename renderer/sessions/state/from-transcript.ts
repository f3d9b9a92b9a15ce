import type { TranscriptPage } from '../../../app/api/session-list.ts';
import { closeTurn } from './close-turn.ts';
import type { Block, Conversation, Turn } from './conversation.ts';
import { Editing } from './editing.ts';
import { emptyConversation, newTurn } from './fold.ts';
import { putUpdate } from './fold-update.ts';
import { promptOf } from './prompt-blocks.ts';
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
    closeTurn(editing, index, { state: turn.state, problem, endedAt: turn.endedAt });
    if (editing.now.tasks === null) tasks = null;
  }
  return { ...editing.now, unplaced: [] };
}

function begun(turn: TranscriptTurn): Turn {
  const { id, prompt, begunBy, task, startedAt, model, lastMessage } = turn;
  return {
    ...newTurn(id, startedAt),
    ...{
      prompt: promptOf(prompt),
      begunBy,
      task,
      models: model === null ? [] : [model],
      canFork: lastMessage !== null,
    },
  };
}

function problemOf(failure: string): Turn['problem'] {
  return { code: 'failed', text: failure, mend: '', requestId: null, stderr: null };
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
