import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import {
  askedFilesSchema,
  branchChangesSchema,
  folderFactsSchema,
  namedPathSchema,
  sessionFilesSchema,
  sessionInForceSchema,
  sessionOffersSchema,
} from '../session-surroundings.ts';

const id = z.string().min(1).max(100);

/** A session's choices, what is in force in it, and its folder. Starts nothing. */
export const sessionSurroundingCalls = {
  /** For the menus of commands, models and permission modes; also of a session that has no process. */
  sessionOffers: both(z.tuple([id]), sessionOffersSchema),
  sessionInForce: both(z.tuple([id]), sessionInForceSchema),
  /** Files of the session's folder, for `@`. Bounded. */
  sessionFiles: both(z.tuple([id]), sessionFilesSchema),
  /** What paths that a message names lead to: absolute ones, or below the session's folder. */
  namedPaths: both(
    z.tuple([z.strictObject({ session: id, paths: z.array(z.string().min(1).max(4_096)).max(200) })]),
    z.array(namedPathSchema),
  ),
  /**
   * The files that an open question names, and no others: those it would change or read, a plan's, and what a command
   * writes over. Null if they are as they were at `version`, or the question is no longer open.
   */
  askedFiles: both(
    z.tuple([z.strictObject({ session: id, question: id, version: z.string().max(200_000).nullable() })]),
    askedFilesSchema.nullable(),
  ),
  /**
   * Differences of the session's folder against the default branch. Null without a repository or a default branch.
   * `not-trusted`: the folder's repository might name programs that git runs for that.
   */
  branchChanges: both(z.tuple([id]), z.union([branchChangesSchema, z.literal('not-trusted')]).nullable()),
  /** A person looked at these versions of files; `accepted` false: takes that back. Changes nothing on disk. */
  acceptBranchFiles: both(
    z.tuple([
      z.strictObject({
        session: id,
        files: z.array(z.strictObject({ path: z.string().max(4_096), version: z.string().max(100) })).max(1_000),
        accepted: z.boolean().exactOptional(),
      }),
    ]),
    z.void(),
  ),
  /** A folder that a session is to begin in. Rejects where it is none. */
  folder: both(z.tuple([z.string().min(1).max(4_096)]), folderFactsSchema),
} satisfies CallTable;
