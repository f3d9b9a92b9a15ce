import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { Step } from './three-way.ts';

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
