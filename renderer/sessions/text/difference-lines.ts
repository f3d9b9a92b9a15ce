import { diffWordsWithSpace, parsePatch, structuredPatch } from 'diff';
import { lineCount } from './lines.ts';

export type DifferenceLine =
  | {
      look: 'same' | 'added' | 'removed';
      /** Line numbers before and after; null if there is none, or it is unknown. */
      before: number | null;
      after: number | null;
      parts: readonly Part[];
    }
  /** Between places. `header`: its `@@` line; `place`: as it is shown. */
  | { look: 'gap'; header: string; place: string };

/** A piece of a line. `isChanged`: it is what differs from the line it took the place of. */
interface Part {
  text: string;
  isChanged: boolean;
}

export type DifferenceSource =
  | {
      kind: 'texts';
      before: string | null;
      after: string;
      /** Null if unknown. */
      firstLine: number | null;
      /** Every line is shown, also those that stay. */
      isWholeFile?: boolean;
    }
  | { kind: 'patch'; patch: string };

/** `isWhole`: however large it is, nothing is left out. `hasHeaders`: each place has its `@@` line. */
interface DifferenceOptions {
  isWhole?: boolean;
  hasHeaders?: boolean;
}

/** More is not compared. */
const mostCompared = 1_000_000;
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

/** Compared only if a person has to decide about it. */
function isTooLarge(source: DifferenceSource): boolean {
  if (source.kind === 'patch') return source.patch.length > mostCompared;
  return (source.before?.length ?? 0) + source.after.length > mostCompared;
}

/** Null if it is too large to compare. Throws for a patch that is none. */
export function differenceLines(
  source: DifferenceSource,
  { isWhole = false, hasHeaders = false }: DifferenceOptions = {},
): DifferenceLine[] | null {
  if (isTooLarge(source) && !isWhole) return null;
  if (source.kind === 'patch') {
    const hunks = parsePatch(source.patch).flatMap((file) => file.hunks);
    return linesOf(hunks, { offset: 0, hasNumbers: true, hasHeaders, text: null });
  }
  const { before, after, firstLine, isWholeFile = false } = source;
  const numbers = { offset: (firstLine ?? 1) - 1, hasNumbers: firstLine !== null, hasHeaders, text: before };
  if (before === null || before === '') return linesOf([allAdded(after)], numbers);
  const around = isWholeFile ? 1_000_000 : context;
  const differing = isWholeFile ? { before, after, skipped: 0 } : withoutEnds(before, after);
  const isStillLarge = differing.before.length + differing.after.length > mostCompared;
  const limits = { context: around, timeout: mostMs };
  const patch = isStillLarge ? undefined : structuredPatch('', '', differing.before, differing.after, '', '', limits);
  const hunks = patch === undefined ? [replaced(differing.before, differing.after)] : patch.hunks;
  const { skipped } = differing;
  const placed = hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
  return linesOf(placed, numbers);
}

/** What stays at both ends is not compared, but for some lines: a small change in a large file is found at once. */
function withoutEnds(before: string, after: string): { before: string; after: string; skipped: number } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last += 1;
  const skipped = Math.max(0, first - context);
  const left = Math.max(0, last - context);
  const pick = (lines: string[]): string => {
    // A line's end goes with it, so that the last one is not taken for one without.
    const picked = lines.slice(skipped, lines.length - left).join('\n');
    return left > 0 ? `${picked}\n` : picked;
  };
  return { before: pick(old), after: pick(now), skipped };
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
  /** What the places are in; null if unknown. */
  text: string | null;
}

function linesOf(hunks: readonly Hunk[], { offset, hasNumbers, hasHeaders, text }: Numbers): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  const all = text === null || hunks.length === 0 ? [] : text.split('\n');
  for (const [index, hunk] of hunks.entries()) {
    const isLater = index === 0 && hunk.newStart > 1 && hasNumbers;
    if (hasHeaders || hunks.length > 1 || isLater) {
      const name = nameBefore(all, hunk.oldStart - 1);
      const place = hasNumbers ? `@@ ${hunk.newStart + offset} @@ ${name}`.trimEnd() : `@@ ${name}`.trimEnd();
      lines.push({ look: 'gap', header: headerOf(hunk), place });
    }
    lines.push(...linesOfHunk(hunk, offset, hasNumbers));
  }
  return lines;
}

/** What a place is in, as git names it: the last line before it that begins with a letter. */
function nameBefore(lines: readonly string[], at: number): string {
  for (let line = Math.min(at, lines.length) - 1; line >= 0; line -= 1) {
    const found = lines[line] ?? '';
    if (/^[A-Za-z_$]/.test(found)) return found.slice(0, 80);
  }
  return '';
}

/** Header in the form of a patch: a range without lines is named by the line before it. */
function headerOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const from = oldLines === 0 ? Math.max(0, oldStart - 1) : oldStart;
  const to = newLines === 0 ? Math.max(0, newStart - 1) : newStart;
  return `@@ -${from},${oldLines} +${to},${newLines} @@`;
}

const noLine: DifferenceLine = { look: 'gap', header: '', place: '' };

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
      lines.push(removed.at(-1) ?? noLine);
    } else if (raw.startsWith('+')) {
      added.push({ look: 'added', before: null, after: number(after++), parts });
      lines.push(added.at(-1) ?? noLine);
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

export interface DifferenceInput extends DifferenceOptions {
  source: DifferenceSource;
  /** How many of its lines to return. */
  most: number;
}

export interface FoundDifference {
  /** The first of them. */
  lines: readonly DifferenceLine[];
  /** Number of lines, including those not shown. */
  count: number;
  added: number;
  removed: number;
}

/** Null if it is too large to compare, or nothing that could be compared. */
export function differenceOf({ source, most, ...options }: DifferenceInput): FoundDifference | null {
  try {
    const lines = differenceLines(source, options);
    if (lines === null) return null;
    return { lines: lines.length > most ? lines.slice(0, most) : lines, count: lines.length, ...countOf(lines) };
  } catch {
    return null;
  }
}

/** Characters and lines that differ, up to which it takes the window about 10 ms. */
const mostCharacters = 12_000;
const mostLines = 200;

/** Whether the window can work it out itself: the time grows with the square of the lines that differ. */
export function isSmall({ source, isWhole = false }: DifferenceInput): boolean {
  if (isTooLarge(source) && !isWhole) return true;
  if (source.kind === 'patch') return areFew(source.patch);
  const { before, after, isWholeFile = false } = source;
  if (before === null || before === '') return true;
  if (isWholeFile) return areFew(before, after);
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  return areFew(before.slice(first, before.length - last), after.slice(first, after.length - last));
}

function areFew(...texts: string[]): boolean {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return characters <= mostCharacters && texts.reduce((sum, text) => sum + lineCount(text), 0) <= mostLines;
}
