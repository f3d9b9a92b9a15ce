import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderFacts, SessionFileList } from '../../api/session-surroundings.ts';
import { sparseEnvironment } from '../agents/sparse-environment.ts';

/** What git says of a folder: what it holds, its branch, what was changed and not committed. */

export interface GitSurroundings {
  environment: Readonly<Record<string, string | undefined>>;
}

/** The first is a list of the ways in which git may fetch. An old git doesn't know the second. */
const fetchesNothing = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };

const longestMs = 5_000;
const mostBytes = 8 * 1024 * 1024;

/**
 * Asks git something of a folder. Null if there is no git, no repository, or no answer within seconds and megabytes. A
 * repository's own settings may name programs: the one that every command would run is off, an object that is missing
 * is not fetched, by whatever program, and no command is asked here that runs others, but `status`, which is for
 * trusted folders.
 */
export async function askGit(
  folder: string,
  command: readonly string[],
  given: GitSurroundings,
): Promise<string | null> {
  const { isDone, stdout } = await runGit(folder, command, given);
  return isDone ? stdout : null;
}

interface GitRun {
  isDone: boolean;
  stdout: string;
  stderr: string;
}

/** The same, with git's own words where it fails. No hook runs. `settings`: further ones, as git's `-c` takes them. */
export function runGit(
  folder: string,
  command: readonly string[],
  given: GitSurroundings,
  { settings = [], timeout = longestMs }: { settings?: readonly string[]; timeout?: number } = {},
): Promise<GitRun> {
  const env = sparseEnvironment(given.environment, process.platform);
  const all = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', ...settings].flatMap((setting) => ['-c', setting]);
  return new Promise((resolve) => {
    execFile(
      'git',
      // Not as the process's folder: on Windows a git.exe that lies in it would be run.
      ['-C', folder, ...all, ...command],
      {
        env: { ...env, ...fetchesNothing, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
        ...{ timeout, maxBuffer: mostBytes, windowsHide: true, encoding: 'utf8' },
      },
      (error, stdout, stderr) => resolve({ isDone: error === null, stdout, stderr }),
    );
  });
}

interface FolderSurroundings extends GitSurroundings {
  userHome: string;
  isTrusted: boolean;
  /** What agents run or follow in a trusted folder. */
  heeded: readonly string[];
}

/** @param path as the system resolves it */
export async function folderFacts(path: string, given: FolderSurroundings): Promise<FolderFacts> {
  const { userHome, isTrusted, heeded } = given;
  return {
    ...{ path, isTrusted },
    ...(isTrusted ? await status(path, given) : { branch: await branchOf(path, given), uncommitted: null }),
    gives: heeded.filter((name) => existsSync(join(path, name))),
    isWide: path === userHome || dirname(path) === path,
  };
}

async function branchOf(path: string, git: GitSurroundings): Promise<string | null> {
  return (await askGit(path, ['symbolic-ref', '--short', '-q', 'HEAD'], git))?.trim() || null;
}

/** Finds changed files; a repository can name filters that git runs for that. */
async function status(path: string, git: GitSurroundings): Promise<Pick<FolderFacts, 'branch' | 'uncommitted'>> {
  const reported = await askGit(path, ['status', '--porcelain=v2', '--branch', '--untracked-files=all', '-z'], git);
  // Too large to be counted: its branch is known all the same.
  if (reported === null) return { branch: await branchOf(path, git), uncommitted: null };
  const lines = reported.split('\0');
  const head = lines.find((line) => line.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? null;
  // `2` is a rename, whose old name follows as a field of its own.
  const uncommitted = lines.filter((line) => /^[12u?] /.test(line)).length;
  return { branch: head === '(detached)' ? null : head, uncommitted };
}

/**
 * The last commit of a repository, and the files that differ from it, relative to its root. Null without one. Only for
 * trusted folders.
 */
export async function workingState(
  folder: string,
  git: GitSurroundings,
): Promise<{ root: string; commit: string; differing: string[] } | null> {
  const root = (await askGit(folder, ['rev-parse', '--show-toplevel'], git))?.replace(/\r?\n$/, '');
  const looking = ['status', '--porcelain=v2', '--branch', '--untracked-files=all', '--no-renames'];
  const reported = await askGit(folder, [...looking, '--ignore-submodules=all', '-z'], git);
  if (!root || reported === null) return null;
  const lines = reported.split('\0');
  const commit = lines.find((line) => line.startsWith('# branch.oid '))?.slice('# branch.oid '.length) ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return null;
  // `1 .M N... 100644 100644 100644 <hash> <hash> path`; `u` has two fields more; `? path`.
  const differing = lines.flatMap((line) => {
    const fields = { '1': 8, u: 10, '?': 1 }[line.charAt(0)];
    return fields === undefined ? [] : line.split(' ').slice(fields).join(' ');
  });
  return { root, commit, differing };
}

const mostFiles = 20_000;
const mostFolders = 5_000;

/**
 * Files below a folder, without what git ignores. Where git does not help, without folders that are never meant by `@`.
 */
export async function folderFiles(folder: string, git: GitSurroundings): Promise<SessionFileList> {
  const listed = await askGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], git);
  if (listed === null) return walk(folder);
  // A file that is in conflict is listed once for each side.
  const files = [...new Set(listed.split('\0').filter(Boolean))];
  return { files: files.slice(0, mostFiles), isWhole: files.length <= mostFiles };
}

const leftOut: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Nearer ones first. Links are named, and not followed. */
async function walk(folder: string): Promise<SessionFileList> {
  const files: string[] = [];
  const folders = [''];
  for (const [looked, below] of folders.entries()) {
    if (looked >= mostFolders) return { files, isWhole: false };
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) files.push(path);
      else if (!leftOut.has(entry.name)) folders.push(path);
      if (files.length >= mostFiles) return { files, isWhole: false };
    }
  }
  return { files, isWhole: true };
}
