import type { TurnProblem } from '../../api/sessions.ts';
import { SessionStoreError } from '../store/store-error.ts';
import { explained } from './failure-cause.ts';
import type { KeptSession } from './kept-session.ts';
import { readProblem } from './read-problem.ts';
import type { SessionDependencies } from './session-dependencies.ts';
import type { TurnCosts } from './turn-costs.ts';
import { worded } from './turn-problem.ts';

interface Given {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'store' | 'clock'>;
  kept: Pick<KeptSession, 'context'>;
  costs: Pick<TurnCosts, 'takeFailure'>;
}

/** Ends of its agent are counted over so long, in ms. */
const oftenMs = 5 * 60_000;

/**
 * Why a turn ended, with what is known here beside what its agent says.
 * @param title the agent's: `Claude Code`
 */
export function explainedEnd(given: Given, turnId: string, problem: TurnProblem, title: string): TurnProblem {
  const known = explained(problem, given.costs.takeFailure(turnId), given.kept.context, title);
  return known.code === 'agent-ended' ? withEnds(given, known, title) : known;
}

/** Adds how often the agent ended lately. */
function withEnds({ sessionId, dependencies }: Given, problem: TurnProblem, title: string): TurnProblem {
  const since = dependencies.clock.now() - oftenMs;
  try {
    const ended = dependencies.store.turns
      .of(sessionId, { limit: 10 })
      .filter(({ failure, endedAt }) => (endedAt ?? 0) >= since && readProblem(failure)?.code === 'agent-ended');
    const facts = { ...problem.facts, ends: ended.length + 1 };
    return { ...problem, facts, text: worded(problem.code, facts, title, problem.mend).text };
  } catch (error) {
    // How often it did can't be read now.
    if (!(error instanceof SessionStoreError)) throw error;
    return problem;
  }
}
