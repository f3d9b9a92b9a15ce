import {
  applyPatch,
  createTwoFilesPatch,
  formatPatch,
  OMIT_HEADERS,
  reversePatch,
  type StructuredPatch,
  structuredPatch,
} from 'diff';
import { diff3Merge } from 'node-diff3';
import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';

/** One step that takes a file from one version to another; null: no file. */
export interface Step {
  from: string | null;
  to: string | null;
}

interface ThreeWay {
  /** What happened to the file since the edit, or since it was undone, as a patch. */
  since: string;
  /** What undo or redo would do to the file as it was left before, as a patch. */
  back: string;
  /** The file with both; null: they contradict each other. */
  merged: string | null;
}

/** Longer comparisons are given up; patches say so by being empty. */
const comparingMs = 2_000;

/**
 * Takes steps back, the last one first. `isExact`: at each the file was as the step had left it. Else `merged` is what
 * comes out where the other changes are kept; null: they contradict each other.
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

/** The three versions of a file that an edit can't simply be taken back in. */
export function threeWay(name: string, current: string | null, steps: readonly Step[]): ThreeWay {
  const left = steps.at(-1)?.to ?? null;
  const before = steps[0]?.from ?? null;
  const { text, isClear } = takeBack(current, steps);
  return {
    since: patch(name, left, current, 'as it was left', 'now'),
    back: patch(name, left, before, 'as it was left', 'as it would be'),
    merged: isClear ? text : null,
  };
}

/** `current` with the way from `base` to `target` applied; null where lines of both differ. */
function merge(current: string | null, base: string | null, target: string | null): string | null {
  if (current === null || base === null || target === null) return null;
  const regions = diff3Merge(current.split('\n'), base.split('\n'), target.split('\n'), {
    excludeFalseConflicts: true,
  });
  const lines: string[] = [];
  for (const region of regions) {
    if (region.ok === undefined) return null;
    lines.push(...region.ok);
  }
  return lines.join('\n');
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
 * @returns null: no file
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

/** What these edits did to their file, one after the other. Null: a version is kept no longer, or never was. */
export function stepsOf(store: SessionStore, edits: readonly FileEdit[]): Step[] | null {
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
