import { applyPatch, formatPatch, OMIT_HEADERS, reversePatch, type StructuredPatch, structuredPatch } from 'diff';
import { comparingMs } from './three-way.ts';

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
