import { isDeepStrictEqual } from 'node:util';
import {
  applyPatch,
  createTwoFilesPatch,
  diffArrays,
  diffLines,
  formatPatch,
  OMIT_HEADERS,
  reversePatch,
  type StructuredPatch,
  structuredPatch,
} from 'diff';
import type { ThreeWay } from '../../api/sessions.ts';
import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';

/** One step that takes a file from one version to another; null for no file. */
export interface Step {
  from: string | null;
  to: string | null;
}

/** Longer comparisons are given up: patches are empty then, and nothing is put together. */
export const comparingMs = 2_000;

/**
 * Takes steps back, the last one first. `isExact`: at each the file was as the step had left it. Else `merged` is what
 * comes out where the other changes are kept; null if they contradict each other.
 */
export function takeBack(
  current: string | null,
  steps: readonly Step[],
): { text: string | null; isExact: boolean; isClear: boolean } {
  let text = current;
  let isExact = true;
  for (const { from, to } of steps.toReversed()) {
    if (text === to) {
      text = from;
      continue;
    }
    isExact = false;
    const merged = merge(text, to, from);
    if (merged === null) return { text: null, isExact, isClear: false };
    text = merged;
  }
  return { text, isExact, isClear: true };
}

/**
 * Steps as one. What something else changed between two of them is in both versions, so that it is neither shown as
 * theirs nor taken back with them. Null if both changed the same lines.
 */
export function asOneStep(steps: readonly Step[]): Step | null {
  const left = steps.at(-1)?.to ?? null;
  const { text, isClear } = takeBack(left, steps);
  return isClear ? { from: text, to: left } : null;
}

/**
 * The three versions of a file that an edit can't simply be taken back in. `since` has what else happened between two
 * steps and after the last one, a patch for each.
 */
export function threeWay(name: string, current: string | null, steps: readonly Step[]): ThreeWay {
  const left = steps.at(-1)?.to ?? null;
  const before = steps[0]?.from ?? null;
  const { text, isClear } = takeBack(current, steps);
  const since = steps.map(({ to }, index) => {
    const next = steps[index + 1];
    const now = next === undefined ? current : next.from;
    return now === to
      ? ''
      : patch(name, to, now, 'as it was left', next === undefined ? 'now' : 'before the next edit');
  });
  return {
    since: since.join(''),
    back: patch(name, left, before, 'as it was left', 'as it would be'),
    merged: isClear ? text : null,
  };
}

/** `current` with the way from `base` to `target` applied; null if both changed the same lines, or next to them. */
function merge(current: string | null, base: string | null, target: string | null): string | null {
  if (current === null || base === null || target === null) return null;
  const lines = base.split('\n');
  const [ours, theirs] = [replacements(lines, current), replacements(lines, target)];
  if (ours === null || theirs === null) return null;
  const merged: string[][] = [];
  let last: Replacement | null = null;
  for (const one of [...ours, ...theirs].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (last !== null && one.start <= last.end) {
      if (isDeepStrictEqual(one, last)) continue;
      return null;
    }
    merged.push(lines.slice(last?.end ?? 0, one.start), one.lines);
    last = one;
  }
  merged.push(lines.slice(last?.end ?? 0));
  return merged.flat().join('\n');
}

/** Lines in the place of others: those from `start` up to `end`, counted from 0. */
interface Replacement {
  start: number;
  end: number;
  lines: string[];
}

/** Replacements that turn these lines into `text`; null if comparing takes too long. */
function replacements(base: readonly string[], text: string): Replacement[] | null {
  const parts = diffArrays([...base], text.split('\n'), { timeout: comparingMs });
  if (parts === undefined) return null;
  const found: Replacement[] = [];
  let at = 0;
  for (const { added, removed, value } of parts) {
    const last = found.at(-1);
    const one = last !== undefined && last.end === at ? last : { start: at, end: at, lines: [] };
    if (!added) at += value.length;
    if (!added && !removed) continue;
    if (added) one.lines = [...one.lines, ...value];
    else one.end = at;
    if (one !== last) found.push(one);
  }
  return found;
}

export function patch(
  name: string,
  from: string | null,
  to: string | null,
  fromHeader = 'before',
  toHeader = 'after',
): string {
  const made = createTwoFilesPatch(name, name, from ?? '', to ?? '', fromHeader, toHeader, { timeout: comparingMs });
  return made ?? '';
}

/**
 * A file with one place of the difference between two versions taken back; undefined: there is no such place.
 * @param header its line in the patch, `@@ -1,3 +1,4 @@`
 * @returns null for no file
 */
export function withoutHunk(before: string | null, after: string | null, header: string): string | null | undefined {
  const made = structuredPatch('', '', before ?? '', after ?? '', '', '', { timeout: comparingMs });
  const hunk = made?.hunks.find((one) => headerOf({ ...made, hunks: [one] }) === header.trim());
  if (made === undefined || hunk === undefined) return undefined;
  const text = applyPatch(after ?? '', reversePatch({ ...made, hunks: [hunk] }));
  if (text === false) return undefined;
  // What was created by it goes with its only place.
  return text === '' && before === null ? null : text;
}

function headerOf(patch: StructuredPatch): string | undefined {
  return formatPatch(patch, OMIT_HEADERS)
    .split('\n')
    .find((line) => line.startsWith('@@'))
    ?.trim();
}

/** What these edits did to their file, one after the other. Null if a version is kept no longer, or never was. */
export function stepsOf(store: Pick<SessionStore, 'edits'>, edits: readonly FileEdit[]): Step[] | null {
  const steps: Step[] = [];
  for (const { before, after, state } of edits) {
    if (state === 'untracked') return null;
    const from = before === null ? null : store.edits.content(before);
    const to = after === null ? null : store.edits.content(after);
    if ((before !== null && from === null) || (after !== null && to === null)) return null;
    steps.push({ from, to });
  }
  return steps;
}

/** Edits by the file that they changed. What commands changed has no path, and is left out. */
export function byPath(edits: readonly FileEdit[]): Map<string, FileEdit[]> {
  return Map.groupBy(
    edits.filter(({ path }) => path !== ''),
    ({ path }) => path,
  );
}

/** How many lines came and went; none where comparing takes longer. */
export function countLines(
  before: string | null,
  after: string | null,
  timeout: number,
): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const { added, removed, count } of diffLines(before ?? '', after ?? '', { timeout }) ?? []) {
    if (added) counts.added += count;
    if (removed) counts.removed += count;
  }
  return counts;
}
