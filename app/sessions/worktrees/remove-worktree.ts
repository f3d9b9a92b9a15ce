import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorktreeUser } from '../../api/calls/worktrees.ts';
import { t } from '../../language/translate.ts';
import { SessionError } from '../session/error.ts';
import { type Repository, readWorktree, type UsersOf } from './repository.ts';

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
    const message =
      found.lock === '' ? t('The worktree is locked.') : t('The worktree is locked: {reason}.', { reason: found.lock });
    throw new SessionError('not-possible', message, t('Unlock it with "git worktree unlock".'));
  }
  if (!found.isGone && found.uncommitted === null) {
    const message = t('git couldn’t say whether everything in the worktree is committed.');
    throw new SessionError('not-possible', message, t('Look at it in a terminal.'));
  }
  if (found.uncommitted !== null && found.uncommitted > 0) {
    const message = t('In the worktree is work that isn’t committed: {count, plural, one {# file} other {# files}}.', {
      count: found.uncommitted,
    });
    throw new SessionError('not-possible', message, t('Commit or discard it first.'));
  }
  if (found.unkept > 0) {
    const message = t(
      'In the worktree is work that is in no branch: {count, plural, one {# commit} other {# commits}}.',
      { count: found.unkept },
    );
    throw new SessionError('not-possible', message, t('Make a branch there first, with "git switch -c".'));
  }
  if (!found.isGone && (await isRebasing(repository, listed.path))) {
    const message = t('A rebase is under way in the worktree.');
    throw new SessionError(
      'not-possible',
      message,
      t('End it with "git rebase --continue" or "git rebase --abort" first.'),
    );
  }
  const [main] = await repository.worktrees();
  const from = main?.path ?? repository.root;
  const problem = await repository.change(['worktree', 'remove', listed.path], from);
  if (problem !== null) {
    const message = t('git didn’t remove the worktree: {problem}.', { problem });
    throw new SessionError('not-possible', message, t('Look at it in a terminal.'));
  }
  if (!deleteBranch || listed.branch === null) return null;
  return repository.change(['branch', '-q', '-d', listed.branch], from);
}

export function refuseUsed([user]: readonly WorktreeUser[]): void {
  if (user === undefined) return;
  const { title, isTerminal } = user;
  if (!isTerminal) {
    throw new SessionError(
      'in-use',
      t('The session “{title}” works in the worktree.', { title }),
      t('Stop and unload it first.'),
    );
  }
  throw new SessionError(
    'in-use',
    t('The session “{title}” is open in the worktree, in a terminal.', { title }),
    t('Close it there first.'),
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
