import { createTwoFilesPatch } from 'diff';
import { diff3Merge } from 'node-diff3';

/** One step that takes a file from one version to another; null: no file. */
export interface Step {
  from: string | null;
  to: string | null;
}

export interface ThreeWay {
  /** What happened to the file since the edit, or since it was undone, as a patch. */
  since: string;
  /** What undo or redo would do to the file as it was left before, as a patch. */
  back: string;
  /** The file with both; null: they contradict each other. */
  merged: string | null;
}

/** Longer comparisons are given up; patches say so by being empty. */
export const comparingMs = 2_000;

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
