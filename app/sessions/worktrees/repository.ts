import { realpath } from 'node:fs/promises';
import { t } from '../../language/translate.ts';
import { askGit, type GitSurroundings, runGit } from '../folders/git.ts';
import { SessionError } from '../session/error.ts';

/** How git is asked about worktrees. */
export interface WorktreeSurroundings extends GitSurroundings {
  /** Whether the person trusts a folder, by its real path. */
  isTrusted(path: string): boolean;
}

/** A worktree as git lists it. */
export interface ListedWorktree {
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
