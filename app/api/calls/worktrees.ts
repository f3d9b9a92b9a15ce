import { z } from 'zod';
import { both, type CallTable, sentenceSchema } from '../call.ts';

/** A session that works in a worktree now, or a terminal's that is open there: it can't be removed meanwhile. */
const worktreeUserSchema = z.object({ id: z.string(), title: z.string(), isTerminal: z.boolean() });
export type WorktreeUser = z.infer<typeof worktreeUserSchema>;

/** A working folder of a git repository. */
const worktreeSchema = z.object({
  /** Path as git names it. */
  path: z.string(),
  /** Null: none is checked out. */
  branch: z.string().nullable(),
  /** The repository's own folder, which can't be removed. */
  isMain: z.boolean(),
  /** The folder that was asked about is in it. */
  isHere: z.boolean(),
  /** Its folder is there no more; git still lists it. */
  isGone: z.boolean(),
  /** Somebody locked it, for this reason, which may be empty; null if nobody did. */
  lock: z.string().nullable(),
  /** Files that are not committed; null if unknown. */
  uncommitted: z.number().int().nullable(),
  /** Commits that are not in the default branch; null without one, and of that branch itself. */
  unmerged: z.number().int().nullable(),
  /** Its branch is where it began: nothing was ever committed to it. False if unknown. */
  isUnused: z.boolean(),
  /** Commits that no branch, tag or remote has: they go with the worktree. */
  unkept: z.number().int(),
  /** Files and folders that git ignores, relative to it, folders with `/` at their end. They go with the worktree. */
  ignored: z.array(z.string()),
  usedBy: z.array(worktreeUserSchema),
});
export type Worktree = z.infer<typeof worktreeSchema>;

/** A file or folder that git ignores, and that can be copied into a new worktree. */
const copyableSchema = z.object({
  /** Relative to the repository's folder; of a folder with `/` at its end. */
  name: z.string(),
  /** Named by `.worktreeinclude`; without that file, `.env` and the like. */
  isUsual: z.boolean(),
});

const worktreesSchema = z.object({
  /** Path of the repository's own folder. */
  repository: z.string(),
  isTrusted: z.boolean(),
  /** Target of merges: `main`. Null if the repository has no such branch. */
  into: z.string().nullable(),
  /** The repository's own folder first. */
  worktrees: z.array(worktreeSchema),
  copyable: z.array(copyableSchema),
});
export type Worktrees = z.infer<typeof worktreesSchema>;

/** Plan for a worktree with a branch of this name; nothing is created. */
const worktreePlanSchema = z.object({
  /** Where it would be. */
  path: z.string(),
  /**
   * `new`: it begins where the folder is now. `remote`: it begins at origin's branch of this name. `existing`: it is
   * checked out. `used`: it is checked out in `usedIn` already. `invalid`: no name for a branch.
   */
  branch: z.enum(['new', 'remote', 'existing', 'used', 'invalid']),
  /** Where a new branch begins: a branch, or a commit. */
  from: z.string().nullable(),
  usedIn: z.string().nullable(),
});
export type WorktreePlan = z.infer<typeof worktreePlanSchema>;

const madeWorktreeSchema = z.object({
  /** Path with its links resolved. */
  path: z.string(),
  /** The folder in it that is the one the session would have begun in. */
  cwd: z.string(),
  /** Files that could not be copied, each with its reason. */
  notCopied: z.array(z.object({ name: z.string(), why: sentenceSchema })),
});
export type MadeWorktree = z.infer<typeof madeWorktreeSchema>;

/** A command that a person has run in a new worktree. */
const setUpSchema = z.object({
  /** Path of the worktree. */
  path: z.string(),
  command: z.string(),
  /** The last of what it said, on both of its outputs. */
  output: z.string(),
  /** `running`, or how it ended: with this code, by a person, or not begun. */
  end: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('ended'), code: z.number().int().nullable(), signal: z.string().nullable() }),
      z.object({ kind: z.literal('stopped') }),
      z.object({ kind: z.literal('not-begun'), why: sentenceSchema }),
    ])
    .nullable(),
});
export type SetUp = z.infer<typeof setUpSchema>;

const removedWorktreeSchema = z.object({
  /** Why git kept the branch that was to be deleted too; null if it did not. */
  branchKept: z.string().nullable(),
});

const path = z.string().min(1).max(4_096);
const branch = z.string().min(1).max(250);
const ofWorktree = z.strictObject({
  /** A folder of its repository. */
  folder: path,
  /** Path of the worktree, as `worktrees` lists it. */
  path,
});

/** Working folders of git repositories, made and removed with git’s own commands. None is made without being asked. */
export const worktreeCalls = {
  /** Worktrees of the repository that a folder is in. Null without a repository or a commit. */
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
  /** Last set-up command in the worktree of this folder. Null if none ran since Jumpseat started. */
  worktreeSetUp: both(z.tuple([path]), setUpSchema.nullable()),
  stopWorktreeSetUp: both(z.tuple([path]), z.void()),
} satisfies CallTable;
