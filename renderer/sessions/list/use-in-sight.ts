import { useEffect, useRef } from 'react';
import type { Entry } from './list-rows.ts';

/** How long after the last scroll a person still scrolls the list, in ms. */
const scrollsMs = 500;

interface InSight {
  /** The session that is open; null if none is. */
  chosen: string | null;
  /** Null if the list is not in the page. */
  scroller: HTMLElement | null;
  entries: readonly Entry[];
  heightOf: (index: number) => number;
  /** For a session that has no entry; more than once changes nothing more. */
  openGroupOf: (session: string) => void;
  /** Called when the list has to scroll there. */
  found: (index: number, isInSight: boolean) => void;
}

/**
 * Brings the row of a session that was opened by its address into sight, once and as soon as the list has it: but not
 * while a person scrolls, and not where the row was clicked. Returns what is to be told of both.
 */
export function useInSight({ chosen, scroller, entries, heightOf, openGroupOf, found }: InSight) {
  const seen = useRef<string | null>(null);
  const clicked = useRef<string | null>(null);
  const wanted = useRef<string | null>(null);
  const moved = useRef({ isHeld: false, at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (seen.current !== chosen) {
      const { isHeld, at } = moved.current;
      const isStill = !isHeld && performance.now() - at > scrollsMs;
      wanted.current = isStill && clicked.current !== chosen ? chosen : null;
      clicked.current = null;
      seen.current = chosen;
    }
    const session = wanted.current;
    if (session === null || scroller === null) return;
    const index = entries.findIndex(({ key }) => key === session);
    if (index === -1) {
      openGroupOf(session);
      return;
    }
    wanted.current = null;
    const start = entries.slice(0, index).reduce((sum, _, at) => sum + heightOf(at), 0);
    const { scrollTop, clientHeight } = scroller;
    found(index, start >= scrollTop && start + heightOf(index) <= scrollTop + clientHeight);
  });
  useEffect(() => {
    if (scroller === null) return;
    const act = ({ type }: Event): void => {
      wanted.current = null;
      // A key may as well open another session.
      if (type === 'pointerdown') moved.current.isHeld = true;
      else if (type !== 'keydown') moved.current.at = performance.now();
    };
    const letGo = (): void => {
      moved.current.isHeld = false;
    };
    const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
    const ends = ['pointerup', 'pointercancel'];
    for (const name of acts) scroller.addEventListener(name, act, { passive: true });
    for (const name of ends) window.addEventListener(name, letGo, true);
    return () => {
      letGo();
      for (const name of acts) scroller.removeEventListener(name, act);
      for (const name of ends) window.removeEventListener(name, letGo, true);
    };
  }, [scroller]);
  return {
    clicks: (session: string): void => {
      clicked.current = session;
    },
  };
}
