import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import type { Answer } from '../state/actions.ts';
import type { AskedOption } from './asked.ts';

/**
 * How a plan is approved: with the agent's own option where there is one; else the host changes the mode. `input`: what
 * the agent gets instead of its own, where the person changed the plan.
 */
export function approvalOf(
  options: readonly AskedOption[],
  accepting: boolean,
  input: Record<string, unknown> | null = null,
): Answer {
  const answer = optionOf(options, accepting);
  return input === null ? answer : { ...answer, input };
}

function optionOf(options: readonly AskedOption[], accepting: boolean): Extract<Answer, { answer: 'allow' }> {
  const own = options.find(({ id }) => id === (accepting ? 'exit-plan-accept-edits' : 'exit-plan-default'));
  if (own !== undefined) return { answer: 'allow', optionId: own.id };
  const manual = options.find(({ id }) => id === 'exit-plan-default');
  const option = manual === undefined ? {} : { optionId: manual.id };
  return { answer: 'allow', ...option, ...(accepting ? { acceptEdits: true } : {}) };
}

/** What a person made of a plan in its file, after it was asked for; null: it is as it was. */
export function changedPlan(plan: string, file: AskedFile | null, askedAt: number): string | null {
  if (file === null || file.text === null || file.text.trim() === '' || file.text.trim() === plan.trim()) return null;
  return file.modifiedAt !== null && file.modifiedAt > askedAt ? file.text : null;
}
