import type { Session } from '../../api/sessions.ts';
import type { SessionParts } from './session-parts.ts';

/** How a session is now, in one word. */
export function sessionState({
  turns,
  questions,
  loader,
  first,
  kept,
}: Pick<SessionParts, 'turns' | 'questions' | 'loader' | 'first' | 'kept'>): Session['state'] {
  const turn = turns.current;
  if (turn?.isStopped) return 'stopping';
  if (questions.count > 0) return 'waiting';
  if (loader.isLoading || first.isBeginning) return 'starting';
  if (turn !== null) return turns.isInLine ? 'in-line' : 'running';
  if (loader.live !== null) return 'idle';
  return kept.isKept ? 'unloaded' : 'provisional';
}
