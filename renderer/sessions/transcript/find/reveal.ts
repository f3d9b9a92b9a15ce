import type { Match } from './find-matches.ts';
import { rangeOf, rangesIn } from './mark-found.ts';

/** Frames in which an item comes into the page, and what is closed in it opens. */
const mostFrames = 30;
/** So near to an edge of the view nothing is read, in CSS pixels. */
const edge = 44;

/**
 * Brings a place into view, where it is not.
 * @param goTo shows an item so far below the top of the view
 */
export function reveal(
  scroller: HTMLElement,
  match: Match,
  pattern: RegExp,
  goTo: (key: string, offset: number) => void,
  frames = mostFrames,
): void {
  const row = rowOf(scroller, match.key);
  if (row === null && frames === mostFrames) goTo(match.key, edge);
  const range = row === null ? null : rangeOf(rangesIn(row, pattern), match.nth);
  if (row === null || range === null) {
    if (frames > 0) requestAnimationFrame(() => reveal(scroller, match, pattern, goTo, frames - 1));
    else if (row !== null) goTo(match.key, edge);
    return;
  }
  const view = scroller.getBoundingClientRect();
  const place = range.getBoundingClientRect();
  if (place.top >= view.top + edge && place.bottom <= view.bottom - edge) return;
  goTo(match.key, view.height / 3 - (place.top - row.getBoundingClientRect().top));
}

export function rowOf(scroller: HTMLElement, key: string): HTMLElement | null {
  return [...scroller.querySelectorAll<HTMLElement>('[data-key]')].find(({ dataset }) => dataset.key === key) ?? null;
}
