import { diffWordsWithSpace, parsePatch, structuredPatch } from 'diff';

export type DifferenceLine =
  | {
      look: 'same' | 'added' | 'removed';
      /** Line numbers before and after; null: it is not there, or where it stands is not known. */
      before: number | null;
      after: number | null;
      parts: readonly Part[];
    }
  | { look: 'gap'; header: string };

/** A piece of a line. `isChanged`: it is what differs from the line it took the place of. */
export interface Part {
  text: string;
  isChanged: boolean;
}

export type DifferenceSource =
  | { kind: 'texts'; before: string | null; after: string /** Null: not known. */; firstLine: number | null }
  | { kind: 'patch'; patch: string };

/** `isWhole`: however large it is, nothing is left out. `hasHeaders`: each place has its `@@` line. */
export interface DifferenceWishes {
  isWhole?: boolean;
  hasHeaders?: boolean;
}

/** More is not compared. */
export const mostCompared = 1_000_000;
const mostMs = 150;
const mostWordCompare = 400;
const context = 3;

interface Hunk {
  oldStart: number;
  newStart: number;
  oldLines: number;
  newLines: number;
  lines: string[];
}

/** Null: too large to compare. Throws for a patch that is none. */
export function differenceLines(
  source: DifferenceSource,
  { isWhole = false, hasHeaders = false }: DifferenceWishes = {},
): DifferenceLine[] | null {
  if (source.kind === 'patch') {
    if (source.patch.length > mostCompared && !isWhole) return null;
    const hunks = parsePatch(source.patch).flatMap((file) => file.hunks);
    return linesOf(hunks, { offset: 0, hasNumbers: true, hasHeaders });
  }
  const { before, after, firstLine } = source;
  const numbers = { offset: (firstLine ?? 1) - 1, hasNumbers: firstLine !== null, hasHeaders };
  const isLarge = (before?.length ?? 0) + after.length > mostCompared;
  if (isLarge && !isWhole) return null;
  if (before === null || before === '') return linesOf([allAdded(after)], numbers);
  const patch = isLarge ? undefined : structuredPatch('', '', before, after, '', '', { context, timeout: mostMs });
  return linesOf(patch === undefined ? [replaced(before, after)] : patch.hunks, numbers);
}

/** How many lines came and went. */
export function countOf(lines: readonly DifferenceLine[]): { added: number; removed: number } {
  const count = (wanted: string): number => lines.filter(({ look }) => look === wanted).length;
  return { added: count('added'), removed: count('removed') };
}

const split = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

function allAdded(text: string): Hunk {
  const lines = text === '' ? [] : split(text).map((line) => `+${line}`);
  return { oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, lines };
}

/** Where comparing takes too long: all of the one, then all of the other. */
function replaced(before: string, after: string): Hunk {
  const lines = [...split(before).map((line) => `-${line}`), ...split(after).map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: split(before).length, newStart: 1, newLines: split(after).length, lines };
}

interface Numbers {
  offset: number;
  hasNumbers: boolean;
  hasHeaders: boolean;
}

function linesOf(hunks: readonly Hunk[], { offset, hasNumbers, hasHeaders }: Numbers): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const isLater = index === 0 && hunk.newStart > 1 && offset === 0 && hasNumbers;
    if (hasHeaders || hunks.length > 1 || isLater) lines.push({ look: 'gap', header: headerOf(hunk) });
    lines.push(...linesOfHunk(hunk, offset, hasNumbers));
  }
  return lines;
}

/** As it stands in a patch: a range without lines is named by the line before it. */
function headerOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const from = oldLines === 0 ? Math.max(0, oldStart - 1) : oldStart;
  const to = newLines === 0 ? Math.max(0, newStart - 1) : newStart;
  return `@@ -${from},${oldLines} +${to},${newLines} @@`;
}

function linesOfHunk(hunk: Hunk, offset: number, hasNumbers: boolean): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  let before = hunk.oldStart + offset;
  let after = hunk.newStart + offset;
  let removed: Extract<DifferenceLine, { parts: unknown }>[] = [];
  let added: typeof removed = [];
  const flush = (): void => {
    if (removed.length === added.length) for (const [at, line] of removed.entries()) markWords(line, added[at]);
    removed = [];
    added = [];
  };
  const number = (value: number): number | null => (hasNumbers ? value : null);
  for (const raw of hunk.lines) {
    const parts = [{ text: raw.slice(1), isChanged: false }];
    if (raw.startsWith('-')) {
      if (added.length > 0) flush();
      removed.push({ look: 'removed', before: number(before++), after: null, parts });
      lines.push(removed.at(-1) ?? { look: 'gap', header: '' });
    } else if (raw.startsWith('+')) {
      added.push({ look: 'added', before: null, after: number(after++), parts });
      lines.push(added.at(-1) ?? { look: 'gap', header: '' });
    } else if (!raw.startsWith('\\')) {
      flush();
      lines.push({ look: 'same', before: number(before++), after: number(after++), parts });
    }
  }
  flush();
  return lines;
}

interface WithParts {
  parts: readonly Part[];
}

/** A line in the place of another: which words differ. Where most do, none is marked. */
function markWords(removed: WithParts, added: WithParts | undefined): void {
  const [before, after] = [removed.parts[0]?.text ?? '', added?.parts[0]?.text ?? ''];
  if (added === undefined || before.length > mostWordCompare || after.length > mostWordCompare) return;
  const changes = diffWordsWithSpace(before, after);
  const same = changes
    .filter((change) => !change.added && !change.removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  if (same * 3 < Math.max(before.trim().length, after.trim().length)) return;
  removed.parts = changes
    .filter((change) => !change.added)
    .map(({ value, removed: isChanged }) => ({ text: value, isChanged }));
  added.parts = changes
    .filter((change) => !change.removed)
    .map(({ value, added: isChanged }) => ({ text: value, isChanged }));
}
