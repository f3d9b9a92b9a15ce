import type { Answer } from '../state/actions.ts';
import type { AskedOption } from './asked.ts';

/** How a plan is approved: with the agent's own option where there is one; else the host changes the mode. */
export function approvalOf(options: readonly AskedOption[], accepting: boolean): Answer {
  const own = options.find(({ id }) => id === (accepting ? 'exit-plan-accept-edits' : 'exit-plan-default'));
  if (own !== undefined) return { answer: 'allow', optionId: own.id };
  const manual = options.find(({ id }) => id === 'exit-plan-default');
  const option = manual === undefined ? {} : { optionId: manual.id };
  return { answer: 'allow', ...option, ...(accepting ? { acceptEdits: true } : {}) };
}
