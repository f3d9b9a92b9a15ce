import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import {
  foundSessionsSchema,
  sessionCostSchema,
  sessionEditSumSchema,
  sessionListSchema,
  sessionProcessSchema,
  subagentSchema,
  transcriptPageSchema,
} from '../session-list.ts';

const id = z.string().min(1).max(100);

/** Sessions on this machine as their agents keep them. Nothing is started, and no transcript is written to. */
export const sessionListCalls = {
  sessionList: both(z.tuple([]), sessionListSchema),
  /**
   * What each session cost, led here or not, also what the log forgot. One of which no request came through Jumpseat is
   * left out. Rejects when the history can’t be read.
   */
  sessionCosts: both(z.tuple([]), z.array(sessionCostSchema)),
  /** What the edits of these sessions changed; zeros where there were none. */
  editSums: both(z.tuple([z.array(id).max(200)]), z.array(sessionEditSumSchema)),
  /** Titles at once; what was said as far as it has been read. */
  findSessions: both(z.tuple([z.string().max(200)]), foundSessionsSchema),
  /**
   * The last turns of a session, or of a subagent of it, that stand before a place. Null: there is no such transcript.
   * Rejects where it can't be read.
   */
  transcript: both(
    z.tuple([
      z.strictObject({
        id,
        agentId: z.string().max(100).nullable().default(null),
        before: z.number().int().min(0).nullable().default(null),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    ]),
    transcriptPageSchema.nullable(),
  ),
  /** Process of the agent, also in a terminal. Null if none is known. */
  sessionProcess: both(z.tuple([id]), sessionProcessSchema.nullable()),
  /** The subagents that a session had. */
  subagents: both(z.tuple([id]), z.array(subagentSchema)),
} satisfies CallTable;
