import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Anchor, KeptPlace } from './place.ts';

/** Within this distance of the end the view follows it. */
const nearEnd = 40;

interface Follow {
  isFollowing: boolean;
  goToEnd: () => void;
  /** Shows an item so far below the top of the view, and reads on from there. */
  goTo: (key: string, offset: number) => void;
  /** Reads on from here, whatever comes. */
  stop: () => void;
}

const rowsIn = (scroller: HTMLElement): HTMLElement[] => [...scroller.querySelectorAll<HTMLElement>('[data-key]')];

/**
 * Keeps what is read where it is: the end while it is followed, else the item at the top of the view, whatever grows,
 * opens or is added around it. What is in the page is measured; `topOf` says where an item stands that isn't.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  inner: RefObject<HTMLElement | null>,
  place: KeptPlace,
  topOf: (key: string) => number | null,
  itemAt: (top: number) => { key: string; start: number } | null,
): Follow {
  const [isFollowing, setFollowing] = useState(place.anchor === null);
  const following = useRef(isFollowing);
  const anchor = useRef<Anchor | null>(place.anchor);
  const last = useRef(-1);

  const follow = useCallback(
    (on: boolean): void => {
      following.current = on;
      if (on) place.anchor = null;
      setFollowing(on);
    },
    [place],
  );

  /** What is at the top of the view now. */
  const take = useCallback((): void => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.getBoundingClientRect().top;
    const row = rowsIn(element).find((one) => one.getBoundingClientRect().bottom > top + 1);
    const key = row?.dataset.key;
    if (row !== undefined && key !== undefined) anchor.current = { key, offset: row.getBoundingClientRect().top - top };
    else {
      // What is there now has not been drawn yet.
      const item = itemAt(element.scrollTop);
      if (item !== null) anchor.current = { key: item.key, offset: item.start - element.scrollTop };
    }
    place.anchor = following.current ? null : anchor.current;
  }, [scroller, place, itemAt]);

  /** Puts back what moved. */
  const settle = useCallback((): void => {
    const element = scroller.current;
    if (element === null || element.clientHeight === 0) return;
    if (following.current) {
      const end = element.scrollHeight - element.clientHeight;
      if (Math.abs(element.scrollTop - end) >= 1) element.scrollTop = end;
    } else {
      const end = element.scrollHeight - element.clientHeight;
      const moved = last.current < 0 ? 0 : element.scrollTop - last.current;
      // A scroll whose event has not come yet is the person's. A page that got too short for where it stood only moves
      // up, to its end.
      if (moved > 1 || (moved < -1 && element.scrollTop < end - 1)) {
        take();
        return;
      }
      restore(element, anchor.current, topOf);
    }
    last.current = element.scrollTop;
  }, [scroller, take, topOf]);

  useLayoutEffect(settle);

  useLayoutEffect(() => {
    const [element, content] = [scroller.current, inner.current];
    if (element === null || content === null) return;
    const observer = new ResizeObserver(settle);
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, [scroller, inner, settle]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const stop = (): void => {
      if (!following.current) return;
      follow(false);
      take();
    };
    const scroll = (): void => {
      const top = element.scrollTop;
      const left = element.scrollHeight - element.clientHeight - top;
      const moved = last.current < 0 ? 0 : top - last.current;
      last.current = top;
      // Our own: where it leads is known.
      if (Math.abs(moved) < 1) return;
      if (following.current && moved < -1 && left >= 2) follow(false);
      else if (!following.current && moved > 0 && left < nearEnd) follow(true);
      take();
    };
    const wheel = (event: WheelEvent): void => {
      if (event.deltaY < 0 && element.scrollHeight > element.clientHeight) stop();
    };
    const select = (): void => {
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)) stop();
    };
    element.addEventListener('scroll', scroll, { passive: true });
    element.addEventListener('wheel', wheel, { passive: true });
    element.addEventListener('touchmove', stop, { passive: true });
    document.addEventListener('selectionchange', select);
    return () => {
      element.removeEventListener('scroll', scroll);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('touchmove', stop);
      document.removeEventListener('selectionchange', select);
    };
  }, [scroller, follow, take]);

  return {
    isFollowing,
    goToEnd: useCallback(() => {
      follow(true);
      settle();
    }, [follow, settle]),
    goTo: useCallback(
      (key: string, offset: number) => {
        const element = scroller.current;
        if (element === null) return;
        follow(false);
        anchor.current = { key, offset };
        place.anchor = anchor.current;
        restore(element, anchor.current, topOf);
        last.current = element.scrollTop;
      },
      [scroller, follow, place, topOf],
    ),
    stop: useCallback(() => {
      follow(false);
      take();
    }, [follow, take]),
  };
}

function restore(element: HTMLElement, anchor: Anchor | null, topOf: (key: string) => number | null): void {
  if (anchor === null) return;
  const row = rowsIn(element).find(({ dataset }) => dataset.key === anchor.key);
  if (row === undefined) {
    const top = topOf(anchor.key);
    if (top !== null) element.scrollTop = top - anchor.offset;
    return;
  }
  const moved = row.getBoundingClientRect().top - element.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(moved) >= 0.5) element.scrollTop += moved;
}
