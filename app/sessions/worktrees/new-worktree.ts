import { existsSync } from 'node:fs';
import { cp, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { MadeWorktree, WorktreePlan } from '../../api/calls/worktrees.ts';
import { t } from '../../language/translate.ts';
import { isWithin } from '../../settings/files.ts';
import { SessionError } from '../session/error.ts';
import { copyable, type Repository } from './repository.ts';

/** What a worktree for a branch would be; nothing is changed. */
export async function planWorktree(repository: Repository, branch: string): Promise<WorktreePlan> {
  const listed = await repository.worktrees();
  const main = listed[0]?.path ?? repository.root;
  const has = async (ref: string): Promise<boolean> =>
    (await repository.ask(['rev-parse', '-q', '--verify', `${ref}^{commit}`])) !== null;
  const path = freePlace(main, branch);
  // `@{-1}` is another branch's name, and would be taken for it.
  const checked = (await repository.ask(['check-ref-format', '--branch', branch]))?.trim();
  const isHere = checked === branch && branch !== 'HEAD';
  if (!isHere) return { path, branch: 'invalid', from: null, usedIn: null };
  const used = listed.find((one) => one.branch === branch);
  if (used !== undefined) return { path, branch: 'used', from: null, usedIn: used.path };
  if (await has(`refs/heads/${branch}`)) return { path, branch: 'existing', from: null, usedIn: null };
  if (await has(`refs/remotes/origin/${branch}`)) {
    return { path, branch: 'remote', from: `origin/${branch}`, usedIn: null };
  }
  const now = await repository.ask(['symbolic-ref', '--short', '-q', 'HEAD']);
  const commit = now ?? (await repository.ask(['rev-parse', '--short', 'HEAD']));
  return { path, branch: 'new', from: commit?.trim() ?? null, usedIn: null };
}

/** Beside the repository, in a folder of its name and `.worktrees`, as VS Code has them. */
function freePlace(main: string, branch: string): string {
  const beside = join(dirname(main), `${basename(main).replace(/\.git$/, '')}.worktrees`);
  const name = branch.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'worktree';
  for (let times = 1; ; times += 1) {
    const path = join(beside, times === 1 ? name : `${name}-${times}`);
    if (!existsSync(path)) return path;
  }
}

/** Creates it with git's own command, and copies what was chosen. Nothing is written over. */
export async function createWorktree(
  repository: Repository,
  { branch, copy }: { branch: string; copy: readonly string[] },
): Promise<MadeWorktree> {
  const plan = await planWorktree(repository, branch);
  const offered = new Set((await copyable(repository, await repository.worktrees())).map(({ name }) => name));
  const problem = await repository.change(addition(plan, branch));
  if (problem !== null) {
    // A branch that this made has no commit of its own yet, else git keeps it.
    if (plan.branch === 'new' || plan.branch === 'remote') await repository.change(['branch', '-q', '-d', branch]);
    const message = t('git couldn’t create the worktree: {problem}.', { problem });
    throw new SessionError('not-possible', message, t('Choose another branch, or create it in a terminal.'));
  }
  const path = await realpath(plan.path);
  const notCopied: MadeWorktree['notCopied'] = [];
  for (const name of copy) {
    const why = offered.has(name) ? await copied(repository.root, path, name) : 'it isn’t there any more';
    if (why !== null) notCopied.push({ name, why });
  }
  const within = join(path, repository.prefix);
  const isThere = (await stat(within).catch(() => null))?.isDirectory() === true;
  return { path, cwd: isThere && isWithin(await realpath(within), path) ? await realpath(within) : path, notCopied };
}

function addition({ path, branch: kind, usedIn, from }: WorktreePlan, branch: string): string[] {
  const add = ['worktree', 'add', '-q'];
  switch (kind) {
    case 'new':
      return [...add, '--no-track', '-b', branch, path, 'HEAD'];
    case 'remote':
      return [...add, '--track', '-b', branch, path, `refs/remotes/${from}`];
    case 'existing':
      return [...add, path, branch];
    case 'used':
      throw new SessionError(
        'not-possible',
        t('The branch {branch} is checked out in {folder}.', { branch, folder: usedIn ?? '' }),
        t('Start the session there, or choose another branch.'),
      );
    case 'invalid':
      throw new SessionError(
        'not-possible',
        t('git takes no branch named “{branch}”.', { branch }),
        t('Choose another name.'),
      );
  }
}

/** Null when it is there. A tracked link could lead out of the worktree: nothing is written through one. */
async function copied(root: string, to: string, name: string): Promise<string | null> {
  const target = join(to, name);
  try {
    if (existsSync(target)) return 'the branch has it too';
    const parent = dirname(target);
    if (!isWithin(await nearest(parent), to)) return 'its folder leads out of the worktree';
    await mkdir(parent, { recursive: true });
    await cp(join(root, name), target, {
      ...{ recursive: true, force: false, errorOnExist: true, verbatimSymlinks: true, preserveTimestamps: true },
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Real path of a folder, or of the nearest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  return realpath(folder).catch(() => nearest(dirname(folder)));
}
