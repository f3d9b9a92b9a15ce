import { isDeepStrictEqual } from 'node:util';
import { applyPatch, structuredPatch } from 'diff';
import { type FileRecord, hashOf } from './client-record.ts';
import { isSameBut, parseDocumentText, valueAt, withEdit, withoutEmptied } from './document.ts';

/** A place that bears our name is ours, whatever it holds. */
export function isOwnPlace({ at }: Pick<FileRecord['entries'][number], 'at'>): boolean {
  const last = at.at(-1);
  return typeof last === 'object' || last?.toLowerCase() === 'jumpseat';
}

export function isOurs(
  known: FileRecord | null,
  now: unknown,
  { at, wrote }: Pick<FileRecord['entries'][number], 'at' | 'wrote'>,
): boolean {
  const value = valueAt(now, at);
  return known !== null && value !== undefined && hashOf(known.salt, value) === wrote;
}

export function isUntouched(known: FileRecord | null, text: string): boolean {
  return known !== null && hashOf('', text) === known.after;
}

/**
 * Our lines taken out of a text that a person has changed since, and what they replaced put back, line by line. Null
 * where they can't be told from the person's.
 */
export function takenBack(
  known: FileRecord,
  text: string,
  whole: string | null,
  written: string | null,
): string | null {
  const { format, entries } = known;
  if (written === null || hashOf('', written) !== known.after) return null;
  const taken = applyPatch(text, structuredPatch('', '', written, whole ?? '', '', '', { context: 1 }));
  if (taken === false) return null;
  try {
    const [now, next] = [text, taken].map((one) => parseDocumentText(format, one));
    const earlier = parseDocumentText(format, whole ?? '');
    const paths = entries.map(({ at }) => at);
    const isBack = paths.every((at) => isDeepStrictEqual(valueAt(next, at), valueAt(earlier, at)));
    return isBack && isSameBut(now, next, paths) ? taken : null;
  } catch {
    return null;
  }
}

/** The text with what still holds our value gone, and what it replaced back. Throws `DocumentError`. */
export function withoutOurs(known: FileRecord, text: string, whole: string | null): string {
  const { format, entries } = known;
  const earlier = parseDocumentText(format, whole ?? '');
  const now = parseDocumentText(format, text);
  // The last one first: elements of a list keep their places.
  return entries.toReversed().reduce((next, one) => {
    if (!isOurs(known, now, one) && !isOwnPlace(one)) return next;
    const old = valueAt(earlier, one.at);
    const edited = withEdit(format, next, one.at, old);
    return old === undefined ? withoutEmptied(format, edited, one.at, earlier) : edited;
  }, text);
}
