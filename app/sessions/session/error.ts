import { type TurnFacts, type TurnProblem, turnProblemSchema } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { CodedError } from '../../ports.ts';
import { turnFailureWords, wholeFailure } from '../../words/failures.ts';

/**
 * - `cancelled`: a person stopped it, or the session was let go.
 * - `closed`: Jumpseat ends.
 * - `no-session`, `no-turn`, `no-question`, `no-message`, `no-edit`: there is no such thing (any more).
 * - `folder-gone`, `proxy-off`, `agent-missing`, `elsewhere`: the session can't be started now.
 * - `turn-running`: not while one runs.
 * - `no-answer`: nothing was answered yet that a fork could begin after.
 * - `limit`: the person's own, of credits for a turn.
 * - `not-possible`: this agent can't, or there is nothing to do it with.
 * - `changed-since`: a file is not as the edit left it.
 * - `fetching`: an agent's program is being fetched.
 * - `in-use`: a session works in this folder.
 * - `not-deleted`: the trash of this machine did not take it.
 */
type SessionErrorCode =
  | 'cancelled'
  | 'closed'
  | 'no-session'
  | 'no-turn'
  | 'no-question'
  | 'no-message'
  | 'no-edit'
  | 'folder-gone'
  | 'proxy-off'
  | 'agent-missing'
  | 'elsewhere'
  | 'turn-running'
  | 'limit'
  | 'no-answer'
  | 'not-possible'
  | 'changed-since'
  | 'fetching'
  | 'in-use'
  | 'not-deleted';

/** Something asked of a session could not be done. `message` says what happened and why, `remedy` what to do next. */
export class SessionError extends CodedError<SessionErrorCode> {
  override readonly name = 'SessionError';
}

export function cancelled(why: string): SessionError {
  return new SessionError('cancelled', why, t('Send it again to go on.'));
}

export function isCancelled(error: unknown): boolean {
  return error instanceof SessionError && error.code === 'cancelled';
}

/** A turn has cost the most that the person lets one cost. */
export class CreditLimit extends SessionError {
  readonly credits: number;
  constructor(credits: number) {
    const words = turnFailureWords('limit', { credits }, '');
    const remedy = t('Send a message to go on, or change the limit in Settings.');
    super('limit', words === null ? '' : wholeFailure(words), remedy);
    this.credits = credits;
  }
}

/** Why a turn ended, as it is kept and shown. */
export function plain(code: string, text: string, remedy: string, facts?: TurnFacts): TurnProblem {
  return { code, text, remedy, requestId: null, stderr: null, ...(facts === undefined ? {} : { facts }) };
}

/** A problem with the same words that fronts show for this code and these facts. */
export function worded(code: string, facts: TurnFacts, title: string, remedy: string): TurnProblem {
  const words = turnFailureWords(code, facts, title);
  return plain(code, words === null ? '' : wholeFailure(words), remedy, facts);
}

/** An answer had as many tokens as one may have. */
export function tokenLimit(facts: TurnFacts = {}): TurnProblem {
  return worded('token-limit', facts, '', t('Send a message to go on.'));
}

/** A problem as it was kept; null if none was, or it can't be read. */
export function readProblem(kept: unknown): TurnProblem | null {
  return turnProblemSchema.safeParse(kept).data ?? null;
}
