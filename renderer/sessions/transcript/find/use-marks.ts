import { type RefObject, useEffect } from 'react';
import { clearMarks, rangeOf, rangesIn, showMarks } from './mark-found.ts';
import type { Find } from './use-find.ts';

/** Marks what was found in the part of the page that is drawn, and keeps the marks as that changes. */
export function useMarks(inner: RefObject<HTMLElement | null>, { pattern, matches, match }: Find): void {
  useEffect(() => {
    const element = inner.current;
    if (element === null || pattern === null) return;
    const keys = new Set(matches.map(({ key }) => key));
    let frame: number | null = null;
    const mark = (): void => {
      frame = null;
      const rows = [...element.querySelectorAll<HTMLElement>('[data-key]')].filter(({ dataset }) =>
        keys.has(dataset.key ?? ''),
      );
      const found = rows.map((row) => ({ key: row.dataset.key, ranges: rangesIn(row, pattern) }));
      const now = match === null ? [] : (found.find(({ key }) => key === match.key)?.ranges ?? []);
      showMarks(
        found.flatMap(({ ranges }) => ranges),
        rangeOf(now, match?.nth ?? 0),
      );
    };
    const later = (): void => {
      frame ??= requestAnimationFrame(mark);
    };
    later();
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      if (frame !== null) cancelAnimationFrame(frame);
      clearMarks();
    };
  }, [inner, pattern, matches, match]);
}
