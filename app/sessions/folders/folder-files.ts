import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionFileList } from '../../api/session-surroundings.ts';
import { askGit, type GitSurroundings } from './git.ts';

export const mostFiles = 20_000;
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
