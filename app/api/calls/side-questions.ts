import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { sideQuestionSchema } from '../sessions.ts';

const id = z.string().min(1).max(100);
const ofSession = z.strictObject({ session: id });

/** Questions beside a session's conversation. They are no part of it, and no session of their own. */
export const sideQuestionCalls = {
  /** Those of a session that were not closed, the oldest first. */
  sideQuestions: both(z.tuple([id]), z.array(sideQuestionSchema)),
  /**
   * Also while a turn runs. Sends a request of the person's with the conversation so far and the side questions before
   * it, and starts the session's process where none runs. Answers when it is on disk; the same id again is the same
   * question. One of a session at a time.
   */
  askSideQuestion: both(
    z.tuple([ofSession.extend({ question: z.string().min(1).max(20_000), id: z.uuid().exactOptional() })]),
    sideQuestionSchema,
  ),
  /** Ends the one that is under way. */
  stopSideQuestion: both(z.tuple([id]), z.void()),
  /** Erases questions and answers; null: all of the session. Stops one that is under way. Their costs stay. */
  closeSideQuestions: both(z.tuple([ofSession.extend({ questions: z.array(id).max(1_000).nullable() })]), z.void()),
} satisfies CallTable;
