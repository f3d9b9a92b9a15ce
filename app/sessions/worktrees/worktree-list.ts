import { existsSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Worktree, Worktrees, WorktreeUser } from '../../api/calls/worktrees.ts';
import { isWithin } from '../../settings/within-folder.ts';
import { defaultBranch, shortBranch } from '../folders/branch-changes.ts';
import { type ListedWorktree, type Repository, realOrSame } from './repository.ts';

/** The worktrees of a repository: what is in each that is nowhere else, and who works there. */

export type UsersOf = (path: string) => Promise<WorktreeUser[]>;

/** A repository may have hundreds of them. */
const atOnce = 4;
/** More names of ignored files are not shown. */
const mostIgnored = 200;

export async function listWorktrees(repository: Repository, usersOf: UsersOf): Promise<Worktrees> {
  const listed = await repository.worktrees();
  const [main] = listed;
  const branch = await defaultBranch((...command) => repository.ask(command));
  const into = branch === null ? null : shortBranch(branch);
  const worktrees = await pLimit(atOnce).map(listed, (one) =>
    readWorktree(repository, one, { isMain: one === main, into, usersOf }),
  );
  return {
    ...{ repository: main?.path ?? repository.root, isTrusted: repository.isTrusted, into, worktrees },
    copyable: await copyable(repository, listed),
  };
}

interface AboutWorktree {
  isMain: boolean;
  into: string | null;
  usersOf: UsersOf;
}

export async function readWorktree(
  repository: Repository,
  { path, branch, isBare, lock }: ListedWorktree,
  { isMain, into, usersOf }: AboutWorktree,
): Promise<Worktree> {
  const real = await realOrSame(path);
  const isHere = isWithin(repository.folder, real);
  const isGone = !existsSync(path);
  const unmerged = branch === null || branch === into ? null : await commitsOutside(repository, branch, into);
  const isUnused = branch !== null && unmerged === 0 && (await isWhereItBegan(repository, branch));
  const named = { path, branch, isMain, isHere, isGone, lock, isUnused, usedBy: await usersOf(real) };
  if (isBare || isGone) return { ...named, uncommitted: null, unmerged, unkept: 0, ignored: [] };
  const status = ['status', '--porcelain', '--untracked-files=all', '--no-renames', '--ignore-submodules=all', '-z'];
  const reported = await repository.ask(status, path);
  const all = ['HEAD', '--not', '--branches', '--tags', '--remotes'];
  const unkept = branch === null ? await repository.ask(['rev-list', '--count', ...all], path) : '0';
  return {
    ...named,
    // What isn't known for certain counts as unknown altogether.
    uncommitted: reported === null || unkept === null ? null : reported.split('\0').filter(Boolean).length,
    ...{ unmerged, unkept: Number(unkept ?? 0) },
    ignored: isMain ? [] : (await ignoredFiles(repository, path)).slice(0, mostIgnored),
  };
}

/** Of a branch: commits that neither the default branch nor the remote's has. */
async function commitsOutside(repository: Repository, branch: string, into: string | null): Promise<number | null> {
  if (into === null) return null;
  const places = [`refs/heads/${into}`, `refs/remotes/origin/${into}`];
  const there: string[] = [];
  for (const place of places)
    if ((await repository.ask(['rev-parse', '-q', '--verify', place])) !== null) there.push(place);
  const count = await repository.ask(['rev-list', '--count', `refs/heads/${branch}`, '--not', ...there]);
  return count === null ? null : Number(count);
}

/** By what git notes of a branch; one that was brought up to date without commits of its own has moved, too. */
async function isWhereItBegan(repository: Repository, branch: string): Promise<boolean> {
  const noted = await repository.ask(['log', '-g', '--format=%H', `refs/heads/${branch}`, '--']);
  return new Set(noted?.split('\n').filter(Boolean)).size === 1;
}

const ignoredNames = ['ls-files', '-z', '--others', '--ignored', '--directory', '--no-empty-directory'];

/** A folder that git ignores as a whole is one name, with `/` at its end. */
async function ignoredFiles(repository: Repository, root: string): Promise<string[]> {
  const listed = await repository.ask([...ignoredNames, '--exclude-standard'], root);
  return (listed ?? '').split('\0').filter(Boolean);
}

/** More are not offered. */
const mostCopyable = 200;

/** What git ignores in the worktree of the folder that was asked about. */
export async function copyable(
  repository: Repository,
  listed: readonly ListedWorktree[],
): Promise<Worktrees['copyable']> {
  const { root } = repository;
  const names = await ignoredFiles(repository, root);
  // Another worktree may lie in a folder that is ignored.
  const own = names.filter((name) => !listed.some(({ path }) => path !== root && isWithin(path, join(root, name))));
  // Claude Code's own file for its own worktrees.
  const included = join(root, '.worktreeinclude');
  const hasList = (await lstat(included).catch(() => null))?.isFile() === true;
  const wanted = hasList ? await repository.ask([...ignoredNames, `--exclude-from=${included}`]) : null;
  const usual = new Set((wanted ?? '').split('\0').filter(Boolean));
  const isUsual = (name: string): boolean => (hasList ? usual.has(name) : /(?:^|\/)\.env(?:rc|\.[^/]+)?$/.test(name));
  const offered = own.map((name) => ({ name, isUsual: isUsual(name) }));
  const rank = ({ name, isUsual: first }: (typeof offered)[number]): number => (first ? 0 : name.endsWith('/') ? 2 : 1);
  return offered.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostCopyable);
}

/** Files are counted so long, in ms. */
const longestCountMs = 10_000;

/** Bytes of all files below a folder, links not followed. Null if it takes too long, or can't be read. */
export async function folderSize(path: string, now: () => number = () => performance.now()): Promise<number | null> {
  const until = now() + longestCountMs;
  const folders = [path];
  let bytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (now() > until) return null;
        const at = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(at);
        else bytes += (await lstat(at)).size;
      }
    } catch {
      return null;
    }
  }
  return bytes;
}
