import type { TurnCost, TurnProblem, TurnState } from '../../../app/api/sessions.ts';
import { type Fields, fieldsOf, figureOf, textOf } from './fields.ts';

/** Null: it is none. */
export function readCost(event: Fields): TurnCost | null {
  const nanoAiu = figureOf(event, 'nanoAiu');
  if (nanoAiu === null) return null;
  const figure = (name: keyof TurnCost): number => figureOf(event, name) ?? 0;
  return {
    ...{ nanoAiu, premiumRequests: figure('premiumRequests'), isPartlyUnknown: event.isPartlyUnknown === true },
    ...{ running: figure('running'), user: figure('user'), agent: figure('agent') },
    ...{ input: figure('input'), cached: figure('cached'), output: figure('output') },
  };
}

const states: readonly TurnState[] = ['running', 'done', 'cancelled', 'failed', 'interrupted'];

/** How a turn ended. */
export function readEnd(event: unknown): { state: TurnState; problem: TurnProblem | null } {
  const state = states.find((one) => one === textOf(event, 'state')) ?? 'done';
  const told = fieldsOf(event, 'problem');
  const text = textOf(told, 'text');
  if (text === null) return { state, problem: null };
  const [code, mend] = [textOf(told, 'code') ?? 'failed', textOf(told, 'mend') ?? ''];
  return { state, problem: { code, text, mend, requestId: textOf(told, 'requestId'), stderr: textOf(told, 'stderr') } };
}
