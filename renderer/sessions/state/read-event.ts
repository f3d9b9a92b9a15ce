import type { TurnCost, TurnFacts, TurnProblem, TurnState } from '../../../app/api/sessions.ts';
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
    ...readAgents(fieldsOf(event, 'agents')),
  };
}

function readAgents(told: Fields | null): Pick<TurnCost, 'agents'> {
  if (told === null) return {};
  const known = Object.keys(told).map((id) => [id, figureOf(told, id)] as const);
  return { agents: Object.fromEntries(known.flatMap(([id, figure]) => (figure === null ? [] : [[id, figure]]))) };
}

const states: readonly TurnState[] = ['running', 'done', 'cancelled', 'failed', 'interrupted'];

/** How a turn ended. */
export function readEnd(event: unknown): { state: TurnState; problem: TurnProblem | null } {
  const state = states.find((one) => one === textOf(event, 'state')) ?? 'done';
  const told = fieldsOf(event, 'problem');
  const text = textOf(told, 'text');
  if (text === null) return { state, problem: null };
  const facts = fieldsOf(told, 'facts');
  const problem = {
    ...{ code: textOf(told, 'code') ?? 'failed', text, mend: textOf(told, 'mend') ?? '' },
    ...{ requestId: textOf(told, 'requestId'), stderr: textOf(told, 'stderr') },
    ...(facts === null ? {} : { facts: readFacts(facts) }),
  };
  return { state, problem };
}

const figures = ['status', 'tries', 'tokens', 'most', 'credits', 'signal', 'exitCode', 'ends'] as const;
const texts = ['limit', 'network', 'model'] as const;

function readFacts(told: Fields): TurnFacts {
  const known = [
    ...figures.map((name) => [name, figureOf(told, name)] as const),
    ...texts.map((name) => [name, textOf(told, name)] as const),
  ];
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}
