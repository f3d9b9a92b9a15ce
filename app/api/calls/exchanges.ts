import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { exchangeRowSchema, exchangeSchema } from '../exchange.ts';

/** What is read of single exchanges, and what is done to those that wait. */
export const exchangeCalls = {
  /** The newest that have ended, and those that run; newest last. `before`: older than the one of that id. */
  exchanges: both(
    z.tuple([
      z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100).exactOptional() }),
    ]),
    z.array(exchangeSchema),
  ),
  /** Ended exchanges older than the one of that id, as a list shows them, newest last. */
  rows: both(
    z.tuple([z.strictObject({ limit: z.number().int().min(1).max(1000), before: z.string().max(100) })]),
    z.array(exchangeRowSchema),
  ),
  /** Null: neither running nor in the history. */
  exchange: both(z.tuple([z.string().max(100)]), exchangeSchema.nullable()),
  /** Lets a prompt through that a burst of requests holds, by its id; null: all of them. Answers how many. */
  letThrough: both(z.tuple([z.string().max(100).nullable()]), z.number().int()),
} satisfies CallTable;
