import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BranchChanges, BranchFile } from '../../api/session-surroundings.ts';
import { patch } from '../edits/three-way.ts';
import { askGit, type GitSurroundings } from './git.ts';

type ReadFile = Omit<BranchFile, 'isAccepted'>;
type ReadChanges = Omit<BranchChanges, 'files'> & { files: ReadFile[] };

/** More files are not listed, and larger new ones not read, in bytes. */
const mostFiles = 500;
const largestNew = 1_000_000;

/**
 * What a working folder's files differ in from where its branch left the default branch: committed, not committed, and
 * new files that git does not ignore. Null without a repository, a default branch or a common commit. git may run
 * programs that the repository names, so the folder has to be trusted.
 */
export async function branchChanges(folder: string, given: GitSurroundings): Promise<ReadChanges | null> {
  const ask = async (...command: string[]): Promise<string | null> => askGit(folder, command, given);
  const branch = await defaultBranch(ask);
  const from = branch === null ? null : (await ask('merge-base', branch, 'HEAD'))?.trim();
  const root = (await ask('rev-parse', '--show-toplevel'))?.replace(/\r?\n$/, '');
  if (branch === null || !from || !root) return null;
  const base = shortBranch(branch);
  // One command for list and patches: a file that is written meanwhile is in both as it was.
  const reported = await ask(...differing, from, '--');
  const known = reported === null ? null : readDifference(reported);
  if (known === null) return { base, files: [], isWhole: false };
  const others = await askGit(root, ['ls-files', '-z', '--others', '--exclude-standard'], given);
  const fresh = (others ?? '').split('\0').filter(Boolean);
  const read: ReadFile[] = [];
  for (const { name, shown, isNew, isDeleted } of known.slice(0, mostFiles)) {
    read.push(await asFile(join(root, name), shown, { isNew, isDeleted }));
  }
  for (const name of fresh.slice(0, mostFiles - read.length)) {
    const path = join(root, name);
    const text = await newText(path);
    read.push(await asFile(path, text === null ? null : patch(name, null, text), { isNew: true, isDeleted: false }));
  }
  const files = read.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { base, files, isWhole: others !== null && known.length + fresh.length <= mostFiles };
}

/** Runs nothing that a repository names, so that it may be asked of any folder. */
export async function isInRepository(folder: string, given: GitSurroundings): Promise<boolean> {
  return (await askGit(folder, ['rev-parse', '--show-toplevel'], given)) !== null;
}

/** Runs no program that shows differences in its own way, and looks into no other repository within. */
const differing = [
  ...['diff', '--raw', '--patch', '-z', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'],
  ...['--ignore-submodules=all', '--src-prefix=a/', '--dst-prefix=b/', '--unified=3', '--no-relative'],
];

/** Full name of the branch that others are merged into; null if there is none. */
export async function defaultBranch(ask: (...command: string[]) => Promise<string | null>): Promise<string | null> {
  const named = (await ask('symbolic-ref', '-q', 'refs/remotes/origin/HEAD'))?.trim();
  const usual = ['refs/remotes/origin/main', 'refs/remotes/origin/master', 'refs/heads/main', 'refs/heads/master'];
  for (const branch of [...(named ? [named] : []), ...usual]) {
    if ((await ask('rev-parse', '-q', '--verify', `${branch}^{commit}`)) !== null) return branch;
  }
  return null;
}

/** `main`, of `refs/heads/main` and of `refs/remotes/origin/main`. */
export function shortBranch(branch: string): string {
  return branch.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
}

interface Differing {
  /** Relative to the repository's root. */
  name: string;
  /** Null for a binary file. */
  shown: string | null;
  isNew: boolean;
  isDeleted: boolean;
}

/**
 * A list with two fields for each file, an empty field, and a patch for each file in the same order. Files in conflict
 * are in the list alone, and what became another kind of file has two patches. Null if the two don't fit.
 */
function readDifference(reported: string): Differing[] | null {
  if (reported === '') return [];
  const end = reported.indexOf('\0\0');
  if (end === -1) return null;
  const fields = reported.slice(0, end).split('\0');
  // A line of a file begins with a sign or a blank, so these begin nothing but what git adds.
  const patches = reported
    .slice(end + 2)
    .replaceAll(/^\* Unmerged path .*\n/gm, '')
    .split(/^(?=diff --git )/m);
  const found: Differing[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const state = fields[at]?.split(' ').at(-1);
    if (state === 'U') continue;
    const text = patches.splice(0, state === 'T' ? 2 : 1).join('');
    if (!text.startsWith('diff --git ')) return null;
    const shown = /^(?:Binary files |GIT binary patch)/m.test(text.split(/^@@ /m, 1)[0] ?? '') ? null : text;
    found.push({ name: fields[at + 1] ?? '', shown, isNew: state === 'A', isDeleted: state === 'D' });
  }
  return patches.every((text) => text.trim() === '') ? found : null;
}

async function asFile(
  path: string,
  shown: string | null,
  kind: Pick<ReadFile, 'isNew' | 'isDeleted'>,
): Promise<ReadFile> {
  const lines =
    shown === null
      ? []
      : shown
          .split(/^(?=@@ )/m)
          .slice(1)
          .join('')
          .split('\n');
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const seen =
    shown ??
    (await lstat(path).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      () => 'gone',
    ));
  const version = createHash('sha256').update(seen).digest('hex');
  return { path, patch: shown, added: count('+'), removed: count('-'), ...kind, version };
}

/** Null for what is no plain text file. */
async function newText(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > largestNew) return null;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
