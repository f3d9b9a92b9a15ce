import type { Session } from '../../../app/api/sessions.ts';
import type { Conversation } from './conversation.ts';
import { newTurn } from './fold.ts';

/** The same first message gives the same conversation, so that it is drawn once. */
const made = new WeakMap<Conversation, Conversation>();

/**
 * A conversation as it is shown: while the process of a new session starts, its first message stands there already, as
 * the turn that it will be.
 */
export function beginningOf(conversation: Conversation | null, session: Session | null): Conversation | null {
  if (conversation === null || conversation.turns.length > 0 || session?.beginsWith === undefined) return conversation;
  const { id, prompt, queuedAt } = session.beginsWith;
  const before = made.get(conversation);
  if (before?.turns[0]?.id === id) return before;
  const turn = { ...newTurn(id, queuedAt), number: 1, prompt, begunBy: 'prompt' as const, initiator: 'user' as const };
  const beginning = { ...conversation, turns: [turn] };
  made.set(conversation, beginning);
  return beginning;
}
