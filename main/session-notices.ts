import { agentWords } from '../app/words/agents.ts';
import { capital } from '../app/words/capital.ts';
import type { World } from '../app/words/exchange-cells.ts';
import { waitingWords } from '../app/words/session-asks.ts';
import { costUnit, costWords } from '../app/words/session-cost.ts';
import { duration } from '../app/words/times.ts';
import { turnFailureWords } from '../app/words/turn-failure.ts';
import type { SystemNotice } from './notices/system-notice.ts';
import { stopWords } from './session-lines.ts';
import { nameAnd, sessionName } from './session-names.ts';
import { sessionPlace, waitingPlace } from './session-places.ts';
import type { WatchedSession, WatchedTurn } from './session-watch.ts';

/** What the system tells of sessions. Never a prompt, a path or a command: others may look at the screen. */

const mostNames = 5;

export function asksNotice(
  { session, questions }: Pick<WatchedSession, 'session' | 'questions'>,
  withTitles: boolean,
): SystemNotice {
  const [first] = questions;
  return {
    cause: `session-waits-${first?.id ?? session.id}`,
    title: nameAnd(session, withTitles, first?.words ?? 'asks a question'),
    body: 'Open Jumpseat to answer.',
    opens: { place: sessionPlace(session.id) },
  };
}

/** In place of one for each, where several ask within a minute. */
export function manyAskNotice(waiting: readonly WatchedSession[], withTitles: boolean): SystemNotice {
  const names = [...new Set(waiting.map(({ session }) => sessionName(session, withTitles)))];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return {
    cause: `session-waits-${waiting.map(({ session, questions }) => questions[0]?.id ?? session.id).join('-')}`,
    title: waitingWords(waiting.length),
    body: `${names.slice(0, mostNames).join(', ')}${more}`,
    opens: { place: waitingPlace },
  };
}

/** @param ms how long it took */
export function doneNotice(
  { session, turn, ms }: { session: WatchedSession['session']; turn: WatchedTurn; ms: number },
  world: World,
  withTitles: boolean,
): SystemNotice {
  const { cost } = turn;
  const isKnown = cost !== null && cost.user + cost.agent > 0;
  return {
    cause: `session-done-${turn.id}`,
    title: nameAnd(session, withTitles, 'is done'),
    body: `${duration(ms)}${isKnown ? `, ${amount(costWords(world, cost), world)}` : ''}.`,
    opens: { place: sessionPlace(session.id) },
  };
}

function amount(words: string, world: World): string {
  return world === 'premium' && words === '1' ? '1 premium request' : `${words} ${costUnit(world)}`;
}

export function failedNotice(
  session: WatchedSession['session'],
  { id }: Pick<WatchedTurn, 'id'>,
  withTitles: boolean,
): SystemNotice {
  return {
    cause: `session-failed-${id}`,
    title: nameAnd(session, withTitles, 'stopped'),
    body: failureSentence(session),
    opens: { place: sessionPlace(session.id) },
  };
}

function failureSentence(session: WatchedSession['session']): string {
  if (session.problem?.code === 'agent-ended')
    return `${agentWords(session.agent).title} ended in the middle of a turn.`;
  const { code, facts = {} } = session.problem ?? { code: '' };
  const known = turnFailureWords(code, facts, agentWords(session.agent).title);
  if (known !== null && code !== 'limit') return known.what;
  const words = stopWords(session);
  return `${capital(words)}.`;
}
