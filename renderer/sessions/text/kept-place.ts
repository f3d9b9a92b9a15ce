import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { DifferenceLine } from './difference-lines.ts';
import styles from './text.module.css';

/** The line at the top of what is in sight. */
interface Place {
  line: Exclude<DifferenceLine, { look: 'gap' }>;
  index: number;
  /** Its distance from the top of the box, in CSS pixels. */
  top: number;
}

/**
 * What is read of a difference in its scrolled box stays where it is when lines come or go above it. Returns what has
 * to be called when the box scrolls.
 */
export function useKeptPlace(box: RefObject<HTMLElement | null>, lines: readonly DifferenceLine[]): () => void {
  const place = useRef<Place | null>(null);
  const now = useRef(lines);
  const note = useCallback(() => {
    place.current = box.current === null ? null : placeIn(box.current, now.current);
  }, [box]);
  useLayoutEffect(() => {
    now.current = lines;
    const { current: shown } = box;
    const before = place.current;
    if (shown === null || before === null) return;
    const row = rowsOf(shown)[indexNow(lines, before)];
    if (row !== undefined) shown.scrollTop += topIn(shown, row) - before.top;
    note();
  }, [box, lines, note]);
  return note;
}

/** Null where it is read from its beginning. */
function placeIn(box: HTMLElement, lines: readonly DifferenceLine[]): Place | null {
  if (box.scrollTop === 0) return null;
  for (const [index, row] of rowsOf(box).entries()) {
    const line = lines[index];
    const top = topIn(box, row);
    if (top >= 0 && line !== undefined && line.look !== 'gap') return { line, index, top };
  }
  return null;
}

/** What was there before has its number still; an added line is the nearest one of its text. */
function indexNow(lines: readonly DifferenceLine[], { line, index }: Place): number {
  if (line.before !== null) return lines.findIndex((one) => one.look !== 'gap' && one.before === line.before);
  const text = textOf(line);
  const same = lines.flatMap((one, at) => (one.look === 'added' && textOf(one) === text ? [at] : []));
  return same.toSorted((one, other) => Math.abs(one - index) - Math.abs(other - index))[0] ?? -1;
}

const textOf = (line: DifferenceLine): string =>
  line.look === 'gap' ? '' : line.parts.map((part) => part.text).join('');

const rowsOf = (box: HTMLElement): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>(`tbody > tr:not(.${styles['patch-comment']})`),
];

const topIn = (box: HTMLElement, row: HTMLElement): number =>
  row.getBoundingClientRect().top - box.getBoundingClientRect().top;
