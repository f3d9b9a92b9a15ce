import type { TurnCost } from '../../../app/api/sessions.ts';
import type { Editing } from './editing.ts';

/** Each subagent of a turn has what its requests cost. */
export function putLaneCosts(editing: Editing, turn: number, { agents = {} }: TurnCost): void {
  for (const [id, nanoAiu] of Object.entries(agents)) {
    const found = editing.findStepOf(turn, ({ lane }) => lane?.id === id);
    const lane = found?.step.lane ?? null;
    if (found !== null && lane !== null && lane.nanoAiu !== nanoAiu) {
      editing.setStep(found, { lane: { ...lane, nanoAiu } });
    }
  }
}
