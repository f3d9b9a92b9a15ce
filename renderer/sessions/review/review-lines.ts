import { parsePatch } from 'diff';
import { t } from '../../../app/language/translate.ts';
import type { Comment, CommentedLine } from '../composer/draft.ts';

/** The lines of a file's difference; null between two places of it. */
export type ReviewLines = readonly (CommentedLine | null)[];

/** Throws nothing: a patch that is none has no lines. */
export function linesOfPatch(patch: string): ReviewLines {
  try {
    return parsePatch(patch).flatMap(({ hunks }) =>
      hunks.flatMap(({ oldStart, newStart, lines }) => {
        let [before, after] = [oldStart, newStart];
        const found = lines.flatMap((line): CommentedLine[] => {
          const text = line.slice(1);
          if (line.startsWith('-')) return [{ look: 'removed', before: before++, after: null, text }];
          if (line.startsWith('+')) return [{ look: 'added', before: null, after: after++, text }];
          return line.startsWith('\\') ? [] : [{ look: 'same', before: before++, after: after++, text }];
        });
        return [null, ...found];
      }),
    );
  } catch {
    return [];
  }
}

/** Which line of a difference it is. */
export const lineKey = ({ before, after }: Pick<CommentedLine, 'before' | 'after'>): string =>
  `${before ?? ''}:${after ?? ''}`;

/** Lines from one to the other, whichever is first; none where they aren't in one place of the difference. */
export function linesBetween(lines: ReviewLines, one: string, other: string): CommentedLine[] {
  const at = (key: string): number => lines.findIndex((line) => line !== null && lineKey(line) === key);
  const [from, to] = [at(one), at(other)].toSorted((a, b) => a - b);
  if (from === undefined || to === undefined || from < 0) return [];
  const found = lines.slice(from, to + 1);
  return found.includes(null) ? [] : found.filter((line) => line !== null);
}

/** The line before these and the one after them, as they are shown; null where the difference shows none. */
export function aroundOf(lines: ReviewLines, chosen: readonly CommentedLine[]): Comment['around'] {
  const at = (line: CommentedLine | undefined): number => (line === undefined ? -1 : lines.indexOf(line));
  const [first, last] = [at(chosen[0]), at(chosen.at(-1))];
  return [lines[first - 1]?.text ?? null, lines[last + 1]?.text ?? null];
}

/**
 * Where a comment's lines are in a difference. `same`: at the numbers they had. `moved`: with others, and nowhere else
 * as likely. `gone`: they aren't there, or can't be told from others that read the same.
 */
export type CommentPlace = { state: 'same' | 'moved'; lines: readonly CommentedLine[] } | { state: 'gone' };

export function placeOf(
  { lines: wanted, around }: Pick<Comment, 'lines' | 'around'>,
  lines: ReviewLines,
): CommentPlace {
  const count = wanted.length;
  const reads = (at: number): boolean =>
    wanted.every(({ look, text }, index) => lines[at + index]?.look === look && lines[at + index]?.text === text);
  const score = (at: number): number =>
    [lines[at - 1]?.text ?? null, lines[at + count]?.text ?? null].filter((text, index) => text === around[index])
      .length;
  const found = lines.flatMap((_, at) => (count > 0 && reads(at) ? [{ at, score: score(at) }] : []));
  const best = found.reduce((most, one) => Math.max(most, one.score), 0);
  const likely = found.filter((one) => one.score === best);
  const first = wanted[0];
  const isWhereItWas = ({ at }: { at: number }): boolean => {
    const line = lines[at];
    return line != null && first !== undefined && lineKey(line) === lineKey(first);
  };
  const same = likely.find(isWhereItWas);
  const place = same ?? (likely.length === 1 ? likely[0] : undefined);
  // One line of many that read alike, with others around it: it may be any of them.
  if (place === undefined || (place.score === 0 && found.length > 1)) return { state: 'gone' };
  const there = lines.slice(place.at, place.at + count).filter((line) => line !== null && line !== undefined);
  return { state: same === undefined ? 'moved' : 'same', lines: there };
}

/**
 * `line 12`, `lines 12–14`; of lines that were removed, `line 12 before the change`. In English, as messages have it;
 * `shownLines` for a person.
 */
export function linesWords(lines: readonly NumberedLine[]): string {
  const numbers = numbersOf(lines);
  if (numbers === null) return 'lines';
  const { first, last, areRemoved } = numbers;
  const words = first === last ? `line ${first}` : `lines ${first}–${last}`;
  return areRemoved ? `${words} before the change` : words;
}

/** The same in the shown language. */
export function shownLines(lines: readonly NumberedLine[]): string {
  const numbers = numbersOf(lines);
  if (numbers === null) return t('lines');
  const { first, last, areRemoved } = numbers;
  if (areRemoved)
    return first === last
      ? t('line {line} before the change', { line: first })
      : t('lines {first}–{last} before the change', { first, last });
  return first === last ? t('line {line}', { line: first }) : t('lines {first}–{last}', { first, last });
}

type NumberedLine = Pick<CommentedLine, 'before' | 'after'>;

/** Null if there are none. */
function numbersOf(lines: readonly NumberedLine[]): { first: number; last: number; areRemoved: boolean } | null {
  const after = lines.flatMap((line) => line.after ?? []);
  const areRemoved = after.length === 0;
  const numbers = areRemoved ? lines.flatMap((line) => line.before ?? []) : after;
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === undefined || last === undefined ? null : { first, last, areRemoved };
}
