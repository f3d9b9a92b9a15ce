import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import { CreditLimit } from './credit-limit.ts';
import { SessionError } from './session-error.ts';
import type { Turn, TurnEnd } from './turn.ts';
import { plain } from './turn-problem.ts';

/** What an agent's answer to a prompt means. */
export function endOf(turn: Turn, { stopReason, usage = null }: PromptResponse): TurnEnd {
  if (turn.isStopped) return stopped(turn, usage);
  if (stopReason === 'end_turn' || stopReason === 'cancelled') {
    // An agent ends a turn so when its plan was refused.
    return { state: 'done', stopReason, problem: null, usage };
  }
  const problem =
    stopReason === 'refusal'
      ? plain('declined', 'The model declined to answer.', 'Change the message and send it again.')
      : plain('stopped-early', 'The answer was longer than it may be.', 'Send a message to go on.');
  return { state: 'failed', stopReason, problem, usage };
}

/** A person, a limit of theirs, or the end of Jumpseat stopped it. */
export function stopped({ signal }: Turn, usage: TurnEnd['usage']): TurnEnd {
  const { reason } = signal;
  const why = reason instanceof SessionError ? reason.code : null;
  const stopReason = 'cancelled';
  if (why === 'closed') return { state: 'interrupted', stopReason, problem: null, usage };
  if (!(reason instanceof CreditLimit)) return { state: 'cancelled', stopReason, problem: null, usage };
  const problem = plain('limit', reason.message, reason.mend, { credits: reason.credits });
  return { state: 'failed', stopReason, problem, usage };
}
