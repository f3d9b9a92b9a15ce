import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import type { Item } from './items.ts';

/** Of the view's height, drawn above and below it. */
const screensAround = 1;
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

/**
 * The items in view and a screen around them.
 * @param measured as they were placed before: an item that came since stands nowhere in it, and is no way further
 */
export function around(
  range: Range,
  element: Element | null,
  measured: readonly { start: number; end: number }[],
): number[] {
  const more = (element?.clientHeight ?? 800) * screensAround;
  const startOf = (index: number): number => measured[index]?.start ?? Number.NEGATIVE_INFINITY;
  const endOf = (index: number): number => measured[index]?.end ?? Number.POSITIVE_INFINITY;
  let { startIndex, endIndex } = range;
  const [top, bottom] = [startOf(startIndex), endOf(endIndex)];
  while (startIndex > 0 && startOf(startIndex) > top - more) startIndex -= 1;
  while (endIndex < range.count - 1 && endOf(endIndex) < bottom + more) endIndex += 1;
  return defaultRangeExtractor({ ...range, startIndex, endIndex, overscan: 0 });
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
