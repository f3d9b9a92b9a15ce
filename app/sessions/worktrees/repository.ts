import { existsSync } from 'node:fs';
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Worktree, Worktrees, WorktreeUser } from '../../api/calls/worktrees.ts';
import { t } from '../../language/translate.ts';
import { isWithin } from '../../settings/files.ts';
import { defaultBranch, shortBranch } from '../folders/branch-changes.ts';
import { askGit, type GitSurroundings, runGit } from '../folders/git.ts';
import { SessionError } from '../session/error.ts';

/** How git is asked about worktrees. */
interface WorktreeSurroundings extends GitSurroundings {
  /** Whether the person trusts a folder, by its real path. */
  isTrusted(path: string): boolean;
}

/** A worktree as git lists it. */
interface ListedWorktree {
  path: string;
  branch: string | null;
  isBare: boolean;
  lock: string | null;
}

/** Checking out and deleting many files takes its time, in ms. */
const longestWorkMs = 10 * 60_000;

/** The repository of a folder, for its worktrees. */
export class Repository {
  /** Real path of the folder that was asked about, and of the worktree that it is in. */
  readonly folder: string;
  readonly root: string;
  /** Where the folder is in the worktree: empty, or with `/` at its end. */
  readonly prefix: string;
  readonly isTrusted: boolean;
  readonly #given: WorktreeSurroundings;
  /** Switches off what a repository that is not trusted would have git run for each file. */
  readonly #settings: readonly string[];

  private constructor(
    folder: string,
    given: WorktreeSurroundings,
    read: { root: string; prefix: string; isTrusted: boolean; settings: readonly string[] },
  ) {
    this.folder = folder;
    this.#given = given;
    this.root = read.root;
    this.prefix = read.prefix;
    this.isTrusted = read.isTrusted;
    this.#settings = read.settings;
  }

  /** Null without a repository, and in one in which nothing was committed. */
  static async of(folder: string, given: WorktreeSurroundings): Promise<Repository | null> {
    const ask = (...command: string[]): Promise<string | null> => askGit(folder, command, given);
    const root = line(await ask('rev-parse', '--show-toplevel'));
    if (!root || (await ask('rev-parse', '-q', '--verify', 'HEAD^{commit}')) === null) return null;
    const prefix = line(await ask('rev-parse', '--show-prefix')) ?? '';
    const isTrusted = given.isTrusted(folder);
    const settings = isTrusted ? [] : await withoutFilters(folder, given);
    return new Repository(folder, given, { root, prefix, isTrusted, settings });
  }

  /** Null if git says no. @param folder another worktree of the repository */
  async ask(command: readonly string[], folder = this.root): Promise<string | null> {
    const { isDone, stdout } = await runGit(folder, command, this.#given, { settings: this.#settings });
    return isDone ? stdout : null;
  }

  /** Null when it is done; otherwise what git said. */
  async change(command: readonly string[], folder = this.root): Promise<string | null> {
    const options = { settings: this.#settings, timeout: longestWorkMs };
    const { isDone, stderr } = await runGit(folder, command, this.#given, options);
    if (isDone) return null;
    const said = stderr.split('\n').filter((one) => /^(?:fatal|error): /.test(one));
    return said.map((one) => one.replace(/^\w+: /, '')).join(' ') || 'it gave no reason';
  }

  /** The repository's own folder first. */
  async worktrees(): Promise<ListedWorktree[]> {
    const command = ['worktree', 'list', '--porcelain'];
    const listed = await this.ask([...command, '-z']);
    // An older git has no -z.
    const parts = listed === null ? ((await this.ask(command)) ?? '').split('\n') : listed.split('\0');
    const found: ListedWorktree[] = [];
    for (const part of parts) {
      const [, name = '', value = ''] = /^(\S+) ?(.*)$/s.exec(part) ?? [];
      const last = found.at(-1);
      if (name === 'worktree') found.push({ path: value, branch: null, isBare: false, lock: null });
      else if (last === undefined) continue;
      else if (name === 'branch') last.branch = value.replace(/^refs\/heads\//, '');
      else if (name === 'bare') last.isBare = true;
      else if (name === 'locked') last.lock = value;
    }
    return found;
  }

  /** A worktree other than the repository's own folder. Rejects where there is none at this path. */
  async linked(path: string): Promise<ListedWorktree> {
    const [, ...linked] = await this.worktrees();
    const wanted = await realOrSame(path);
    for (const one of linked) if (one.path === path || (await realOrSame(one.path)) === wanted) return one;
    throw new SessionError(
      'folder-gone',
      t('{path} is no worktree of this repository.', { path }),
      t('Look at the list again.'),
    );
  }
}

/** As the system resolves it; as it was given where nothing is there. */
export function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function line(answer: string | null): string | null {
  return answer === null ? null : answer.replace(/\r?\n$/, '');
}

/**
 * Git runs filters of files (git-lfs and others) when it checks files out and compares them, and a repository's own
 * settings name them. Rejects where one has a name that can't be switched off.
 */
async function withoutFilters(folder: string, given: GitSurroundings): Promise<string[]> {
  const keys = await askGit(folder, ['config', '--null', '--name-only', '--list'], given);
  const names = new Set((keys ?? '').split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []));
  if (keys === null || [...names].some((name) => !/^[\w .-]+$/.test(name))) {
    const message = t('This repository names programs for its files (filters) that Jumpseat can’t switch off.');
    throw new SessionError('not-possible', message, t('Trust the folder first, or use git in a terminal.'));
  }
  return [...names].flatMap((name) => [
    `filter.${name}.process=`,
    ...[`filter.${name}.smudge=`, `filter.${name}.clean=`, `filter.${name}.required=false`],
  ]);
}

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
