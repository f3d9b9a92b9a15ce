import type { TurnProblem, TurnState } from '../../../app/api/sessions.ts';
import type { Answered, Step } from './conversation.ts';
import { closeOpen, type Editing, type Place } from './editing.ts';
import { textOf } from './fields.ts';
import { newStep } from './step.ts';

/** Closes an ended turn: its open steps, with its list of tasks at the end. */
export function closeTurn(
  editing: Editing,
  index: number,
  end: { state: TurnState; problem: TurnProblem | null; endedAt: number | null },
): void {
  const place = { turn: index, lanes: [] };
  closeOpen(editing, place, end.endedAt);
  closeSteps(editing, place, end.state, end.endedAt);
  if (end.state === 'cancelled') cutLast(editing, place);
  const turn = editing.now.turns[index];
  if (turn?.tasks != null) {
    const [id, { tasks }, { endedAt }] = [`tasks-${turn.id}`, turn, end];
    const step: Step = { ...newStep(id, endedAt), stepKind: 'tasks', state: 'done', endedAt, tasks };
    if (!turn.blocks.some((block) => block.id === id)) editing.add(place, step);
  }
  if (editing.now.tasks?.every(({ state }) => state === 'done') === true) editing.set({ tasks: null });
  editing.setTurn(index, end);
}

function closeSteps(editing: Editing, place: Place, state: TurnState, at: number | null): void {
  editing.blocks(place).forEach((block, index) => {
    if (block.kind !== 'step') return;
    const goesOn = block.lane !== null && state === 'done';
    if (block.state === 'running' || block.state === 'waiting') {
      const closed: Step['state'] = goesOn ? 'background' : 'cut';
      editing.replace(place, index, { ...block, state: closed, endedAt: goesOn ? null : at });
    }
    if (block.lane !== null && !goesOn) {
      const lane = { turn: place.turn, lanes: [...place.lanes, index] };
      closeOpen(editing, lane, at);
      closeSteps(editing, lane, state, at);
    }
  });
}

/** A stop denies what was asked, and ends what ran: neither was a person's answer. */
function cutLast(editing: Editing, place: Place): void {
  const blocks = editing.blocks(place);
  for (let index = blocks.length - 1; index >= 0; index--) {
    const step = blocks[index];
    if (step?.kind !== 'step') return;
    if (step.state === 'denied' && !isDeniedByPerson(step.answered)) {
      editing.replace(place, index, { ...step, state: 'cut' });
    }
  }
}

export function isDeniedByPerson(answered: Pick<Answered, 'by' | 'answer'> | null): boolean {
  return answered?.by === 'person' && textOf(answered.answer, 'answer') === 'deny';
}
