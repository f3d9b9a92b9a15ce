import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type RefObject, startTransition, useCallback, useRef, useState } from 'react';
import type { Item } from './items.ts';

/** Of the view's height, drawn above and below it. */
const screensAround = 1;
/** The same while somebody scrolls, and at first. */
const nearAround = 0.2;
export const stuckHeight = 30;

/** The same function for as long as the keys are the same: another one has every place worked out anew. */
export function useStableKeys(items: readonly Item[]): (index: number) => string {
  const known = useRef<{ items: readonly Item[]; keyOf: (index: number) => string } | null>(null);
  const before = known.current;
  const isSame =
    before !== null &&
    (before.items === items ||
      (before.items.length === items.length && items.every(({ key }, index) => before.items[index]?.key === key)));
  if (before !== null && isSame) return before.keyOf;
  const keyOf = (index: number): string => items[index]?.key ?? `none-${index}`;
  known.current = { items, keyOf };
  return keyOf;
}

interface Rows {
  from: number;
  to: number;
}

/**
 * The rows that are drawn. While somebody scrolls, what comes into view and little more, with what is there already:
 * so no frame has to draw much. At rest there is a screen around, for which React takes its time.
 */
export function useDrawnRows(scroller: RefObject<HTMLElement | null>, measured: RefObject<readonly Measured[]>) {
  const [isWide, setWide] = useState(false);
  const before = useRef<Rows | null>(null);
  const rangeExtractor = (range: Range, isScrolling: boolean): number[] => {
    const height = scroller.current?.clientHeight ?? 800;
    const far = rowsAround(range, measured.current, height * screensAround);
    const near = rowsAround(range, measured.current, height * nearAround);
    const drawn = isWide && !isScrolling ? far : withDrawn(near, far, before.current);
    before.current = drawn;
    return defaultRangeExtractor({ ...range, startIndex: drawn.from, endIndex: drawn.to, overscan: 0 });
  };
  const rests = useCallback((isScrolling: boolean): void => {
    if (isScrolling) setWide(false);
    else startTransition(() => setWide(true));
  }, []);
  return { rangeExtractor, rests };
}

interface Measured {
  start: number;
  end: number;
}

function rowsAround(range: Range, measured: readonly Measured[], more: number): Rows {
  const [top, bottom] = [measured[range.startIndex]?.start ?? 0, measured[range.endIndex]?.end ?? 0];
  let { startIndex: from, endIndex: to } = range;
  while (from > 0 && (measured[from]?.start ?? 0) > top - more) from -= 1;
  while (to < range.count - 1 && (measured[to]?.end ?? 0) < bottom + more) to += 1;
  return { from, to };
}

/** What was drawn and is still near stays. */
function withDrawn(near: Rows, far: Rows, before: Rows | null): Rows {
  if (before === null || before.from > near.to || before.to < near.from) return near;
  const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
  return { from: clamp(before.from, far.from, near.from), to: clamp(before.to, near.to, far.to) };
}

export function groupsOf(items: readonly Item[]): { turnId: string; inTurn: Item[] }[] {
  const groups: { turnId: string; inTurn: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.turnId === item.turnId) last.inTurn.push(item);
    else groups.push({ turnId: item.turnId, inTurn: [item] });
  }
  return groups;
}

/** Where an item is shown: as it stands if all of it is in view, else near the edge it comes from. */
export function offsetOf(element: HTMLElement | null, item: { start: number; end: number } | undefined): number {
  if (element === null || item === undefined) return stuckHeight + 10;
  const offset = item.start - element.scrollTop;
  const lowest = element.clientHeight - Math.min(item.end - item.start, element.clientHeight / 2) - 10;
  return Math.max(stuckHeight + 10, Math.min(lowest, offset));
}

/** An item comes into the page a moment after it was gone to. */
export function focusWhenDrawn(scroller: RefObject<HTMLElement | null>, key: string, tries = 20): void {
  const row = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
    ({ dataset }) => dataset.key === key,
  );
  if (row === undefined && tries > 0) requestAnimationFrame(() => focusWhenDrawn(scroller, key, tries - 1));
  else (row?.querySelector<HTMLElement>('.tool-line') ?? scroller.current)?.focus({ preventScroll: true });
}

/** Room above: lines of one box touch. */
export function spaceOf(item: Item): string {
  return 'edge' in item && !item.edge.isFirst ? ' joined' : '';
}
