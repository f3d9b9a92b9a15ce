import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorktreeUser } from '../../api/calls/worktrees.ts';
import { counted } from '../../words/numbers.ts';
import { SessionError } from '../session/error.ts';
import type { Repository } from './repository.ts';
import { readWorktree, type UsersOf } from './worktree-list.ts';

interface Removal {
  path: string;
  deleteBranch: boolean;
  usersOf: UsersOf;
}

/**
 * Removes a worktree with git's own command, which looks once more whether all of it is committed. Rejects where
 * something would be lost. Its branch is deleted only if git finds it merged.
 * @returns why the branch was kept that was to be deleted; null if it was not
 */
export async function removeWorktree(
  repository: Repository,
  { path, deleteBranch, usersOf }: Removal,
): Promise<string | null> {
  const listed = await repository.linked(path);
  const found = await readWorktree(repository, listed, { isMain: false, into: null, usersOf });
  refuseUsed(found.usedBy);
  if (found.lock !== null) {
    const message = `The worktree is locked${found.lock === '' ? '' : `: ${found.lock}`}.`;
    throw new SessionError('not-possible', message, 'Unlock it with "git worktree unlock".');
  }
  if (!found.isGone && found.uncommitted === null) {
    const message = 'git couldn’t say whether everything in the worktree is committed.';
    throw new SessionError('not-possible', message, 'Look at it in a terminal.');
  }
  if (found.uncommitted !== null && found.uncommitted > 0) {
    const message = `In the worktree is work that isn’t committed: ${counted(found.uncommitted, 'file')}.`;
    throw new SessionError('not-possible', message, 'Commit or discard it first.');
  }
  if (found.unkept > 0) {
    const message = `In the worktree is work that is in no branch: ${counted(found.unkept, 'commit')}.`;
    throw new SessionError('not-possible', message, 'Make a branch there first, with "git switch -c".');
  }
  if (!found.isGone && (await isRebasing(repository, listed.path))) {
    const message = 'A rebase is under way in the worktree.';
    throw new SessionError(
      'not-possible',
      message,
      'End it with "git rebase --continue" or "git rebase --abort" first.',
    );
  }
  const [main] = await repository.worktrees();
  const from = main?.path ?? repository.root;
  const problem = await repository.change(['worktree', 'remove', listed.path], from);
  if (problem !== null) {
    const message = `git didn’t remove the worktree: ${problem}.`;
    throw new SessionError('not-possible', message, 'Look at it in a terminal.');
  }
  if (!deleteBranch || listed.branch === null) return null;
  return repository.change(['branch', '-q', '-d', listed.branch], from);
}

export function refuseUsed([user]: readonly WorktreeUser[]): void {
  if (user === undefined) return;
  const { title, isTerminal } = user;
  if (!isTerminal) {
    throw new SessionError('in-use', `The session “${title}” works in the worktree.`, 'Stop and unload it first.');
  }
  throw new SessionError(
    'in-use',
    `The session “${title}” is open in the worktree, in a terminal.`,
    'Close it there first.',
  );
}

/** What a rebase has put aside is in no branch. */
async function isRebasing(repository: Repository, path: string): Promise<boolean> {
  for (const name of ['rebase-merge', 'rebase-apply']) {
    const at = (await repository.ask(['rev-parse', '--git-path', name], path))?.replace(/\r?\n$/, '');
    if (at !== undefined && existsSync(resolve(path, at))) return true;
  }
  return false;
}
