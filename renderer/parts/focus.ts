import { type RefObject, useEffect, useRef } from 'react';

/** Nothing has the keyboard but the page or the whole view: what is typed is lost. */
export function isNowhere(at: Element | null): boolean {
  return at === null || at === document.body || at.id === 'main';
}

/**
 * Where what had the focus in a part goes away, its heir gets it.
 * @param heirOf asked when something of the part gets the focus
 */
export function useHeir(part: RefObject<HTMLElement | null>, heirOf: (has: Element) => HTMLElement | null): void {
  const latest = useRef(heirOf);
  latest.current = heirOf;
  useEffect(() => {
    const now = part.current;
    if (now === null) return;
    let last: { had: Element; heir: HTMLElement | null } | null = null;
    const enter = ({ target }: FocusEvent): void => {
      const isIn = target instanceof Element && now.contains(target);
      last = isIn ? { had: target, heir: latest.current(target) } : null;
    };
    const changes = new MutationObserver(() => {
      if (last === null || last.had.isConnected) return;
      const { heir } = last;
      last = null;
      if (isNowhere(document.activeElement)) heir?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', enter);
    changes.observe(now, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', enter);
      changes.disconnect();
    };
  }, [part]);
}
