import type { AskedFile, AskedFiles } from '../../api/session-surroundings.ts';
import { type FoundFile, findAskedFile, readAskedFile } from './asked-file.ts';
import { type AskedPath, askedPaths } from './asked-paths.ts';
import { askGit, type GitSurroundings } from './git.ts';

export interface AskedFilesOf {
  /** Of a question that waits. */
  request: unknown;
  cwd: string;
  directories: readonly string[];
  /** Where the agent keeps its plans; null: nowhere. */
  plans: string | null;
  /** What was answered before; null: nothing was. */
  version: string | null;
}

/** The files that an open question names, as they are on disk. Null: as they were at `version`. */
export async function askedFiles(
  { request, cwd, directories, plans, version }: AskedFilesOf,
  git: GitSurroundings,
): Promise<AskedFiles | null> {
  const asked = askedPaths(request);
  const withPlans = plans === null ? directories : [...directories, plans];
  const found = await Promise.all(
    asked.map(({ path, shows }) => findAskedFile(path, cwd, shows === 'plan' ? withPlans : directories)),
  );
  const now = JSON.stringify(found.map(({ real, state, stats }) => [real, state, `${stats?.mtimeNs} ${stats?.size}`]));
  if (now === version) return null;
  const files = await Promise.all(
    found.map(async (file, at) => ({
      named: asked[at]?.path ?? file.path,
      ...(await lookInto(file, asked[at]?.shows ?? 'there')),
      isUnknownToGit: await isUnknown(file, git),
    })),
  );
  return { version: now, files };
}

async function lookInto(
  found: FoundFile,
  shows: AskedPath['shows'],
): Promise<Omit<AskedFile, 'named' | 'isUnknownToGit'>> {
  const { path, real, isOutside, state, stats } = found;
  const modifiedAt = stats === null ? null : Number(stats.mtimeMs);
  const about = { path, leadsTo: real === path ? null : real, isOutside, modifiedAt };
  // Any file can be named as that of a plan.
  if (state !== 'there' || shows === 'there' || (shows === 'plan' && isOutside))
    return { ...about, state, text: null, lines: null };
  const text = await readAskedFile(found).catch(() => undefined);
  if (text === undefined) return { ...about, state: 'unreadable', text: null, lines: null };
  if (text === null) return { ...about, state: 'not-text', text: null, lines: null };
  return { ...about, state, text: shows === 'lines' ? null : text, lines: linesIn(text) };
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Whether a file lies in a repository that does not track it, so that git could not bring it back. */
async function isUnknown({ real, state, isOutside }: FoundFile, git: GitSurroundings): Promise<boolean> {
  if (isOutside || (state !== 'there' && state !== 'too-large')) return false;
  const folder = real.slice(0, Math.max(real.lastIndexOf('/'), real.lastIndexOf('\\'))) || '/';
  return (await askGit(folder, ['--literal-pathspecs', 'ls-files', '-z', '--', real], git)) === '';
}
