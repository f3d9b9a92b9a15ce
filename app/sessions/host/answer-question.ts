import { randomUUID } from 'node:crypto';
import { t } from '../../language/translate.ts';
import type { Answer, SessionQuestions } from '../questions/questions.ts';
import type { LiveSession } from '../running/loader.ts';
import type { Choices } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import type { Turns } from '../turns/turns.ts';

/** The session that asks. */
interface Asking {
  readonly live: LiveSession | null;
  readonly turns: Turns;
  readonly questions: SessionQuestions;
  readonly isDisposed: boolean;
  choose(choice: Partial<Choices>): Promise<void>;
}

/** What an answer may bring about beside itself. */
interface Answering {
  /** The mode in which edits are accepted; null if the agent has none. */
  acceptEdits: string | null;
  /** The mode that the agent switches to with this option; null if it stays. */
  modeAfter(optionId: string): string | null;
  /** Stores the mode that the agent switches to. */
  keepMode(mode: string): void;
  /** Called when the mode was refused. */
  refused(): void;
}

/** Answers a question of a session, and does what the answer says beside. False: the question is no longer open. */
export async function answerQuestion(
  session: Asking,
  questionId: string,
  answer: Answer,
  { acceptEdits, modeAfter, keepMode, refused }: Answering,
): Promise<boolean> {
  const takesWords = session.live?.connection.extras.has('permission-words') === true;
  if (answer.answer === 'allow' && answer.input !== undefined && !takesWords) {
    throw new SessionError(
      'not-possible',
      t('This agent accepts no changed input.'),
      t('Deny it, and say what to do instead.'),
    );
  }
  const turn = session.turns.current;
  if (answer.answer === 'deny' && answer.words !== undefined && !takesWords) {
    return denyAndSay(session, questionId, answer.words);
  }
  if (!session.questions.answer(questionId, answer)) return false;
  if (turn !== null && answer.answer === 'deny' && answer.words !== undefined) turn.said += 1;
  const taken = answer.answer === 'allow' && answer.optionId !== undefined ? modeAfter(answer.optionId) : null;
  if (taken !== null) keepMode(taken);
  if (answer.answer === 'allow' && answer.acceptEdits === true && acceptEdits !== null) {
    // The answer counts, whatever becomes of the mode.
    await session.choose({ mode: acceptEdits }).catch(() => {
      if (!session.isDisposed) refused();
    });
  }
  return true;
}

/** The words are on disk before the question is answered. What the agent doesn't take now is the next message. */
async function denyAndSay({ questions, turns }: Asking, questionId: string, words: string): Promise<boolean> {
  if (!questions.open.has(questionId)) return false;
  const id = randomUUID();
  turns.queue.putFirst(id, [{ type: 'text', text: words }]);
  questions.answer(questionId, { answer: 'deny' });
  // The answer counts, whatever becomes of the words: they wait in the queue.
  await turns.steerQueued(id).catch(() => undefined);
  return true;
}
