import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorktreeUser } from '../../api/worktrees.ts';
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
  const refuse = (message: string, remedy: string): never => {
    throw new SessionError('not-possible', message, remedy);
  };
  refuseUsed(found.usedBy);
  if (found.lock !== null) {
    refuse(
      `The worktree is locked${found.lock === '' ? '' : `: ${found.lock}`}.`,
      'Unlock it with "git worktree unlock".',
    );
  }
  if (!found.isGone && found.uncommitted === null) {
    refuse('git couldn’t say whether all of it is committed.', 'Look at it in a terminal.');
  }
  if (found.uncommitted !== null && found.uncommitted > 0) {
    const files = found.uncommitted === 1 ? 'A file in it is' : `${found.uncommitted} files in it are`;
    refuse(`${files} not committed.`, 'Commit or discard that first.');
  }
  if (found.unkept > 0) {
    const commits = found.unkept === 1 ? 'A commit in it is' : `${found.unkept} commits in it are`;
    refuse(`${commits} in no branch.`, 'Make a branch there first, with "git switch -c".');
  }
  if (!found.isGone && (await isRebasing(repository, listed.path))) {
    refuse('A rebase in it is under way.', 'End it first, with "git rebase --continue" or "--abort".');
  }
  const [main] = await repository.worktrees();
  const from = main?.path ?? repository.root;
  const problem = await repository.change(['worktree', 'remove', listed.path], from);
  if (problem !== null) refuse(`git didn’t remove the worktree: ${problem}.`, 'Look at it in a terminal.');
  if (!deleteBranch || listed.branch === null) return null;
  return repository.change(['branch', '-q', '-d', listed.branch], from);
}

export function refuseUsed([user]: readonly WorktreeUser[]): void {
  if (user === undefined) return;
  const where = user.isTerminal ? ' in a terminal' : '';
  throw new SessionError('in-use', `The session “${user.title}” runs in it${where}.`, 'Stop and unload it first.');
}

/** What a rebase has put aside is in no branch. */
async function isRebasing(repository: Repository, path: string): Promise<boolean> {
  for (const name of ['rebase-merge', 'rebase-apply']) {
    const at = (await repository.ask(['rev-parse', '--git-path', name], path))?.replace(/\r?\n$/, '');
    if (at !== undefined && existsSync(resolve(path, at))) return true;
  }
  return false;
}
