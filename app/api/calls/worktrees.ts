import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import {
  madeWorktreeSchema,
  removedWorktreeSchema,
  setUpSchema,
  worktreePlanSchema,
  worktreesSchema,
} from '../worktrees.ts';

const path = z.string().min(1).max(4_096);
const branch = z.string().min(1).max(250);
const ofWorktree = z.strictObject({
  /** A folder of its repository. */
  folder: path,
  /** As `worktrees` names it. */
  path,
});

/** Working folders of git repositories, made and removed with git’s own commands. None is made without being asked. */
export const worktreeCalls = {
  /** Those of a folder's repository. Null where there is none, or nothing was committed yet. */
  worktrees: both(z.tuple([path]), worktreesSchema.nullable()),
  /** Bytes of all files in one; null if it is not read to its end within seconds. */
  worktreeSize: both(z.tuple([ofWorktree]), z.number().nullable()),
  worktreePlan: both(z.tuple([z.strictObject({ folder: path, branch })]), worktreePlanSchema),
  /** `copy`: names of `copyable`. No hook of the repository runs. */
  createWorktree: both(
    z.tuple([z.strictObject({ folder: path, branch, copy: z.array(path).max(200) })]),
    madeWorktreeSchema,
  ),
  /**
   * Rejects where a session works in it, or something in it would be lost that is not committed, or that no branch has.
   * `deleteBranch`: its branch too, if git finds it merged.
   */
  removeWorktree: both(z.tuple([ofWorktree.extend({ deleteBranch: z.boolean() })]), removedWorktreeSchema),
  /** Runs a command in a worktree, because a person saw it and said so. Answers when it has begun. */
  setUpWorktree: both(z.tuple([ofWorktree.extend({ command: z.string().min(1).max(4_000) })]), z.void()),
  /** What was run there last; null if nothing was since Jumpseat started. */
  worktreeSetUp: both(z.tuple([path]), setUpSchema.nullable()),
  stopWorktreeSetUp: both(z.tuple([path]), z.void()),
} satisfies CallTable;
