// biome-ignore-all lint/a11y/noNoninteractiveTabindex: keys lead through the feed, and what scrolls has to be reached.
import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { counted } from '../../../app/words/numbers.ts';
import { ArrowDown } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices, useWindow } from '../../state/services.ts';
import type { Conversation } from '../state/model.ts';
import { copiedText } from './copied-text.ts';
import { ItemView } from './item-view.tsx';
import { estimateOf, type Item, itemsOf, stepCount } from './items.ts';
import type { KeptPlace } from './place.ts';
import { StuckPrompt } from './stuck-prompt.tsx';
import { moveFor } from './transcript-keys.ts';
import { turnName } from './turn-name.ts';
import { useFollow } from './use-follow.ts';
import { useSpokenTurns } from './use-spoken-turns.ts';

/** Of the view's height, drawn above and below it. */
const screensAround = 1;
const padding = { start: 0, end: 20 };
const stuckHeight = 30;

export interface FeedProps {
  conversation: Conversation;
  place: KeptPlace;
  loadOlder: () => void;
}

/** The turns. Only what is in view and a screen around it is in the page; measured heights are kept. */
export function Feed({ conversation, place, loadOlder }: FeedProps) {
  const { store } = useServices();
  useSpokenTurns(conversation);
  const letterKeys = useWindow((state) => state.letterKeys);
  const scroller = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const items = useMemo(() => itemsOf(conversation), [conversation]);
  const places = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);

  const measured = useRef<readonly VirtualItem[]>([]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index] === undefined ? 0 : estimateOf(items[index])),
    getItemKey: useStableKeys(items),
    initialMeasurementsCache: place.heights,
    initialOffset: () => (place.anchor === null ? Number.MAX_SAFE_INTEGER : 0),
    paddingStart: padding.start,
    paddingEnd: padding.end,
    rangeExtractor: (range): number[] => around(range, scroller.current, measured.current),
  });
  measured.current = virtualizer.measurementsCache;
  // Where a person reads is kept by what is in the page, not by what was estimated.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useEffect(
    () => () => {
      place.heights = virtualizer.measurementsCache;
    },
    [virtualizer, place],
  );

  const topOf = useCallback(
    (key: string): number | null => {
      const index = places.get(key);
      return index === undefined ? null : (virtualizer.measurementsCache[index]?.start ?? null);
    },
    [places, virtualizer],
  );
  const itemAt = useCallback(
    (top: number) => {
      const item = virtualizer.getVirtualItemForOffset(top);
      return item === undefined ? null : { key: `${item.key}`, start: item.start };
    },
    [virtualizer],
  );
  const { isFollowing, goToEnd, goTo, stop } = useFollow(scroller, inner, place, topOf, itemAt);

  const most = Math.max(0, virtualizer.getTotalSize() - (scroller.current?.clientHeight ?? 0));
  const scrolled = Math.min(virtualizer.scrollOffset ?? 0, most);
  const drawn = virtualizer.getVirtualItems();
  const first = drawn[0];
  const isNearTop = first !== undefined && first.index === 0 && scrolled < 400;
  useEffect(() => {
    if (isNearTop && conversation.hasOlder && !isFollowing) loadOlder();
  }, [isNearTop, conversation.hasOlder, isFollowing, loadOlder]);
  // What is too short to be scrolled is filled up.
  const isShort = virtualizer.getTotalSize() < (scroller.current?.clientHeight ?? 0);
  useEffect(() => {
    if (isShort && conversation.hasOlder) loadOlder();
  }, [isShort, conversation.hasOlder, loadOlder]);

  const steps = stepCount(conversation);
  const seen = useRef(steps);
  if (isFollowing) seen.current = steps;
  const fresh = Math.max(0, steps - seen.current);

  const atTop = virtualizer.getVirtualItemForOffset(scrolled + stuckHeight)?.index ?? 0;
  const cursor = useRef<string | null>(null);

  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target } = event;
    const isField = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'End') {
      event.preventDefault();
      goToEnd();
      return;
    }
    if (event.key === 'Home' || event.key === 'PageUp') stop();
    if (event.key.length === 1 && !letterKeys) return;
    const focused = document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key ?? cursor.current;
    const from = focused === null ? undefined : places.get(focused);
    const isInView = from !== undefined && drawn.some(({ index }) => index === from);
    const move = moveFor(event, items, isInView ? from : null, atTop);
    const item = move === null ? undefined : items[move.index];
    if (move === null || item === undefined) return;
    event.preventDefault();
    if (move.kind === 'copy') {
      const text = copiedText(item);
      if (text !== '') void copyText(store, text);
      return;
    }
    cursor.current = item.key;
    goTo(item.key, offsetOf(scroller.current, virtualizer.measurementsCache[move.index]));
    focusWhenDrawn(scroller, item.key);
  };

  const turns = conversation.turns;
  const lastTurn = turns.at(-1);
  const isIdle = lastTurn?.state !== 'running';
  const topItem = items[atTop];
  const topTurn = topItem === undefined ? undefined : turns.find(({ id }) => id === topItem.turnId);
  const promptEnd = virtualizer.measurementsCache[places.get(`${topTurn?.id}:prompt`) ?? -1]?.end;
  const stuck = topTurn !== undefined && promptEnd !== undefined && promptEnd < scrolled + 8 ? topTurn : null;
  const groups = groupsOf(drawn.flatMap(({ index }) => items[index] ?? []));
  const offset = first?.start ?? 0;
  return (
    <div className="talk-frame">
      {stuck !== null && <StuckPrompt turn={stuck} show={() => goTo(`${stuck.id}:prompt`, 8)} />}

      <div
        ref={scroller}
        className="talk"
        role="feed"
        aria-label="Conversation"
        aria-busy={!isIdle}
        tabIndex={0}
        data-testid="transcript"
        onKeyDown={press}
      >
        <div ref={inner} className="talk-inner" style={{ height: virtualizer.getTotalSize(), paddingTop: offset }}>
          {groups.map(({ turnId, inTurn }) => {
            const index = turns.findIndex(({ id }) => id === turnId);
            const turn = turns[index];
            if (turn === undefined) return null;
            return (
              <article
                key={turnId}
                className="turn"
                aria-label={turnName(turn)}
                aria-posinset={index + 1}
                aria-setsize={conversation.hasOlder ? -1 : turns.length}
                data-testid={`turn-${turnId}`}
              >
                {inTurn.map((item) => (
                  <div
                    key={item.key}
                    ref={virtualizer.measureElement}
                    className={`item${spaceOf(item)}`}
                    data-kind={item.kind}
                    data-key={item.key}
                    data-index={places.get(item.key)}
                  >
                    <ItemView item={item} isLast={turn === lastTurn} isIdle={isIdle} />
                  </div>
                ))}
              </article>
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <button type="button" className="to-end" onClick={goToEnd}>
          <ArrowDown size={14} />
          {fresh === 0 ? 'Go to the end' : counted(fresh, 'new step')}
        </button>
      )}
    </div>
  );
}

/** The same function for as long as the keys are the same: another one has every place worked out anew. */
function useStableKeys(items: readonly Item[]): (index: number) => string {
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

function around(range: Range, element: Element | null, measured: readonly { start: number; end: number }[]): number[] {
  const more = (element?.clientHeight ?? 800) * screensAround;
  const [top, bottom] = [measured[range.startIndex]?.start ?? 0, measured[range.endIndex]?.end ?? 0];
  let { startIndex, endIndex } = range;
  while (startIndex > 0 && (measured[startIndex]?.start ?? 0) > top - more) startIndex -= 1;
  while (endIndex < range.count - 1 && (measured[endIndex]?.end ?? 0) < bottom + more) endIndex += 1;
  return defaultRangeExtractor({ ...range, startIndex, endIndex, overscan: 0 });
}

function groupsOf(items: readonly Item[]): { turnId: string; inTurn: Item[] }[] {
  const groups: { turnId: string; inTurn: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.turnId === item.turnId) last.inTurn.push(item);
    else groups.push({ turnId: item.turnId, inTurn: [item] });
  }
  return groups;
}

/** Where an item is shown: as it stands if all of it is in view, else near the edge it comes from. */
function offsetOf(element: HTMLElement | null, item: { start: number; end: number } | undefined): number {
  if (element === null || item === undefined) return stuckHeight + 10;
  const offset = item.start - element.scrollTop;
  const lowest = element.clientHeight - Math.min(item.end - item.start, element.clientHeight / 2) - 10;
  return Math.max(stuckHeight + 10, Math.min(lowest, offset));
}

/** An item comes into the page a moment after it was gone to. */
function focusWhenDrawn(scroller: RefObject<HTMLElement | null>, key: string, tries = 20): void {
  const row = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
    ({ dataset }) => dataset.key === key,
  );
  if (row === undefined && tries > 0) requestAnimationFrame(() => focusWhenDrawn(scroller, key, tries - 1));
  else (row?.querySelector<HTMLElement>('.tool-line') ?? scroller.current)?.focus({ preventScroll: true });
}

/** Room above: lines of one box touch. */
function spaceOf(item: Item): string {
  return 'edge' in item && !item.edge.isFirst ? ' joined' : '';
}
