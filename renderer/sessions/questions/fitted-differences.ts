import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import type { DifferenceSource } from '../text/difference-lines.ts';
import type { AskedDifference } from './asked.ts';

/** What would become of one file. */
export interface FittedDifference {
  path: string;
  source: DifferenceSource;
  /** Of the whole file, where it is known. */
  whole: DifferenceSource | null;
}

const fewLines = 8;

type Texts = Extract<DifferenceSource, { kind: 'texts' }>;

/**
 * The differences that an agent asks for, on the files that they are about: then their lines have numbers. Where a file
 * can't be read, or they don't fit it, they stay as they were asked.
 */
export function fitDifferences(
  differences: readonly AskedDifference[],
  files: readonly AskedFile[] | null,
  { isWrite, isEverywhere }: { isWrite: boolean; isEverywhere: boolean },
): FittedDifference[] {
  const paths = [...new Set(differences.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const ofPath = differences.filter((one) => one.path === path);
    const file = files?.find(({ named }) => named === path) ?? null;
    const fitted = file === null ? null : fit(ofPath, file, { isWrite, isEverywhere });
    return fitted ?? ofPath.map(({ source }) => ({ path, source, whole: null }));
  });
}

function fit(
  differences: readonly AskedDifference[],
  { named: path, state, text }: AskedFile,
  { isWrite, isEverywhere }: { isWrite: boolean; isEverywhere: boolean },
): FittedDifference[] | null {
  const before = state === 'missing' ? null : text;
  if (before === null && state !== 'missing') return null;
  let after = before ?? '';
  for (const { source } of differences) {
    if (source.kind !== 'texts') return null;
    const changed = isWrite ? source.after : changedBy(source, after, isEverywhere);
    if (changed === null) return null;
    after = changed;
  }
  const source: Texts = { kind: 'texts', before, after, firstLine: 1 };
  // A short file is seen whole anyway.
  const hasMore = (before ?? '').split('\n', fewLines + 1).length > fewLines;
  return [{ path, source, whole: hasMore ? { ...source, isWholeFile: true } : null }];
}

/** Null: it doesn't stand there. */
function changedBy({ before, after }: Texts, text: string, isEverywhere: boolean): string | null {
  if (before === null || before === '') return text === '' ? after : null;
  if (before === text) return after;
  // A line that goes takes its end along.
  const isLineGone = after === '' && !before.endsWith('\n') && text.includes(`${before}\n`);
  const old = isLineGone ? `${before}\n` : before;
  if (!text.includes(old)) return null;
  return isEverywhere ? text.split(old).join(after) : text.replace(old, () => after);
}
