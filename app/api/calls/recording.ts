import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { bodyViewSchema, recordedBodySchema, recordedSchema } from '../recording.ts';

/** Bodies and headers of exchanges, while they are held in memory. */
export const recordingCalls = {
  /** What is held of it in memory beside its row. */
  recorded: both(z.tuple([z.string().max(100)]), recordedSchema),
  /** Of the requests whose bodies are held, the oldest first. */
  recordedIds: both(z.tuple([]), z.array(z.string())),
  /** Those in which these words were said, whatever their case. */
  searchBodies: both(z.tuple([z.string().min(1).max(500)]), z.array(z.string())),
  /**
   * What was said, without secrets; the beginning of it where that is much and `whole` was not asked for. Null: it is
   * not there.
   */
  recordedBody: both(
    z.tuple([z.string().max(100), bodyViewSchema, z.strictObject({ whole: z.boolean() })]),
    recordedBodySchema.nullable(),
  ),
  /** Bodies of requests that begin from now on are held in memory, or no longer. Off after every start. */
  record: both(z.tuple([z.boolean()]), z.void()),
  /** Lets go of all recorded bodies. */
  forgetBodies: both(z.tuple([]), z.void()),
} satisfies CallTable;
