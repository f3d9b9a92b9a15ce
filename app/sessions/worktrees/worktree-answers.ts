import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnswersTo } from '../../api/app.ts';
import type { WorktreeUser, worktreeCalls } from '../../api/calls/worktrees.ts';
import { t } from '../../language/translate.ts';
import { isWithin } from '../../settings/files.ts';
import { sessionTitle } from '../../words/sessions.ts';
import { openFolders } from '../agents/claude/open-sessions.ts';
import { realFolder } from '../folders/named-path.ts';
import type { SessionHost } from '../host/session-host.ts';
import { SessionError } from '../session/error.ts';
import type { SessionFiles } from '../session-files.ts';
import { createWorktree, planWorktree } from './new-worktree.ts';
import { folderSize, listWorktrees, Repository, readWorktree, realOrSame, type UsersOf } from './repository.ts';
import type { SetUpCommands } from './set-up-command.ts';

interface WorktreeDependencies {
  host: SessionHost;
  files: Pick<SessionFiles, 'store' | 'transcripts' | 'claudeFolder' | 'goneFolders'>;
  setUps: SetUpCommands;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Answers fronts' calls about worktrees. Creates nothing before the first call. */
export function worktreeAnswers(given: () => Promise<WorktreeDependencies>): AnswersTo<typeof worktreeCalls> {
  const open = async (folder: string): Promise<Repository | null> => {
    const { environment, files } = await given();
    const isTrusted = (path: string): boolean => files.store.trusted.has(path);
    return Repository.of(await realFolder(folder), { environment, isTrusted });
  };
  const find = async (folder: string): Promise<Repository> => {
    const repository = await open(folder);
    if (repository !== null) return repository;
    throw new SessionError(
      'not-possible',
      t('{folder} is in no git repository.', { folder }),
      t('Choose another folder.'),
    );
  };
  /** Real path of a worktree that git lists. */
  const linked = async (folder: string, path: string): Promise<string> =>
    realOrSame((await (await find(folder)).linked(path)).path);
  const usersOf = async (path: string): Promise<WorktreeUser[]> => usersIn(path, await given());
  return {
    worktrees: async (folder) => {
      const repository = await open(folder);
      return repository === null ? null : listWorktrees(repository, usersOf);
    },
    worktreeSize: async ({ folder, path }) => {
      const listed = await (await find(folder)).worktrees();
      return listed.some((one) => one.path === path) ? folderSize(path) : null;
    },
    worktreePlan: async ({ folder, branch }) => planWorktree(await find(folder), branch),
    createWorktree: async ({ folder, ...wanted }) => createWorktree(await find(folder), wanted),
    removeWorktree: async ({ folder, path, deleteBranch }) => {
      const { host, files, setUps } = await given();
      const real = await linked(folder, path);
      if (setUps.isRunning(real)) {
        throw new SessionError('in-use', t('Its set-up command still runs.'), t('Stop the command first.'));
      }
      // Before anything that rests there is unloaded for it.
      refuseUsed(await usersOf(real));
      const branchKept = await host.folders.leave(real, async () =>
        removeWorktree(await find(folder), { path, deleteBranch, usersOf }),
      );
      // Another folder of this path may be anybody's.
      files.store.trusted.takeBack(real);
      files.goneFolders.forget(real);
      return { branchKept };
    },
    setUpWorktree: async ({ folder, path, command }) => {
      const real = await linked(folder, path);
      await (await given()).setUps.start(real, command);
    },
    worktreeSetUp: async (path) => (await given()).setUps.of(await realOrSame(path)),
    stopWorktreeSetUp: async (path) => (await given()).setUps.stop(await realOrSame(path)),
  };
}

const nameless = { title: null, agentTitle: null, firstPrompt: null };

/** @param path as the system resolves it */
async function usersIn(path: string, { host, files }: WorktreeDependencies): Promise<WorktreeUser[]> {
  const hosted = (await host.folders.workingIn(path)).map((session) => {
    const { id, title } = session.view();
    return { id, title: sessionTitle({ ...nameless, id, title }), isTerminal: false };
  });
  const others: WorktreeUser[] = [];
  for (const { id, cwd, isTerminal } of await openFolders(files.claudeFolder)) {
    if (host.leads(id) || !isWithin(await realOrSame(cwd), path)) continue;
    const found = await files.transcripts.find(id);
    others.push({ id, title: sessionTitle({ ...(found ?? nameless), id }), isTerminal });
  }
  return [...hosted, ...others];
}

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

function refuseUsed([user]: readonly WorktreeUser[]): void {
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
