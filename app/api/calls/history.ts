import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import {
  cacheSavingsSchema,
  conversationPromptSchema,
  conversationSchema,
  totalsKeySchema,
  totalsRowSchema,
} from '../history.ts';

/** Sums over the history, and its end. */
export const historyCalls = {
  /**
   * Times oldest first; models and clients with the most requests first. Rejects when the history can’t be read, as the
   * next three do.
   */
  totals: both(z.tuple([totalsKeySchema, z.number().min(0)]), z.array(totalsRowSchema)),
  cacheSavings: both(z.tuple([z.number().min(0)]), cacheSavingsSchema),
  /** The last taken up first. */
  conversations: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        limit: z.number().int().min(1).max(200),
        offset: z.number().int().min(0).max(1_000_000),
      }),
    ]),
    z.array(conversationSchema),
  ),
  /** The prompts of one, the newest first. */
  conversation: both(
    z.tuple([
      z.strictObject({
        since: z.number().min(0),
        client: z.string().max(200),
        session: z.string().max(200).nullable(),
      }),
    ]),
    z.array(conversationPromptSchema),
  ),
  /** Forgets every request that has ended. Answers how many. */
  deleteHistory: both(z.tuple([]), z.number().int()),
} satisfies CallTable;
