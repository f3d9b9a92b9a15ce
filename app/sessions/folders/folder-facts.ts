import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FolderFacts } from '../../api/session-surroundings.ts';
import { askGit, type GitSurroundings } from './git.ts';

export interface FolderSurroundings extends GitSurroundings {
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

/** It looks at what changed, for which a repository can name filters that are run. */
async function status(path: string, git: GitSurroundings): Promise<Pick<FolderFacts, 'branch' | 'uncommitted'>> {
  const told = await askGit(path, ['status', '--porcelain=v2', '--branch', '--untracked-files=all', '-z'], git);
  // Too large to be counted: its branch is known all the same.
  if (told === null) return { branch: await branchOf(path, git), uncommitted: null };
  const lines = told.split('\0');
  const head = lines.find((line) => line.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? null;
  // `2` is a rename, whose old name follows as a field of its own.
  const uncommitted = lines.filter((line) => /^[12u?] /.test(line)).length;
  return { branch: head === '(detached)' ? null : head, uncommitted };
}
