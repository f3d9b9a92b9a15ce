import {
  countOf,
  type DifferenceLine,
  type DifferenceOptions,
  type DifferenceSource,
  differenceLines,
  isTooLarge,
} from './difference-lines.ts';
import { lineCount } from './lines.ts';

export interface DifferenceInput extends DifferenceOptions {
  source: DifferenceSource;
  /** How many of its lines are wanted. */
  most: number;
}

export interface FoundDifference {
  /** The first of them. */
  lines: readonly DifferenceLine[];
  /** Of all its lines, shown between places or not. */
  count: number;
  added: number;
  removed: number;
}

/** Null: too large to compare, or nothing that could be compared. */
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
