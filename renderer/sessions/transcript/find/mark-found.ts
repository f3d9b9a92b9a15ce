import { type RefObject, useEffect } from 'react';
import text from '../../text/text.module.css';
import steps from '../steps.module.css';
import transcript from '../transcript.module.css';
import { type Match, mostMatches, placesIn } from './find-matches.ts';
import type { Find } from './use-find.ts';

/** Where a line ends for who reads: words don't go on from one of these to the next. */
const lines = 'p, li, td, th, tr, div, pre, h1, h2, h3, h4, h5, h6, button, summary, dt, dd, figcaption';
/** Words for screen readers alone, figures, buttons, and what is shown a second time are not searched. */
const passedOver = [
  ...['.sr', '[data-repeated]', `.${steps.cut}:not(.${steps.tool})`],
  ...[steps.took, steps.out, steps['whole-path'], transcript.time, transcript.acts].map((name) => `.${name}`),
  ...[transcript['prompt-acts'], text['block-head'], text['show-all'], text.place, text.sign].map((name) => `.${name}`),
].join(', ');

/** Ranges of a pattern's matches in a part of the page, as it is drawn now. */
function rangesIn(row: HTMLElement, pattern: RegExp): Range[] {
  const nodes: { node: Text; from: number }[] = [];
  let text = '';
  let line: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || parent === null || parent.closest(passedOver) !== null) continue;
    const of = parent.closest(lines);
    if (line !== null && of !== line) text += '\n';
    line = of;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  let at = 0;
  for (const { from, to } of placesIn(text, pattern)) {
    while ((nodes[at + 1]?.from ?? Infinity) <= from) at += 1;
    let end = at;
    while ((nodes[end + 1]?.from ?? Infinity) < to) end += 1;
    const [first, last] = [nodes[at], nodes[end]];
    if (first === undefined || last === undefined) break;
    const range = new Range();
    range.setStart(first.node, Math.min(first.node.data.length, from - first.from));
    range.setEnd(last.node, Math.min(last.node.data.length, to - last.from));
    ranges.push(range);
    if (ranges.length === mostMatches) break;
  }
  return ranges;
}

/** `found`: all of them. `found-now`: the one that was gone to. Nothing in the page is changed for it. */
function showMarks(all: readonly Range[], now: Range | null): void {
  // Not in every browser that shows the dashboard; there the place is gone to all the same.
  if (!('highlights' in CSS)) return;
  CSS.highlights.set('found', new Highlight(...all));
  CSS.highlights.set('found-now', now === null ? new Highlight() : new Highlight(now));
}

function clearMarks(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-now');
}

/** Range of a match; the last one if the page doesn't show which it is. */
function rangeOf(ranges: readonly Range[], nth: number): Range | null {
  return ranges[Math.min(nth, ranges.length - 1)] ?? null;
}

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

/** Frames in which an item comes into the page, and what is closed in it opens. */
const mostFrames = 30;
/** Nobody reads this near to an edge of the view, in CSS pixels. */
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

function rowOf(scroller: HTMLElement, key: string): HTMLElement | null {
  return [...scroller.querySelectorAll<HTMLElement>('[data-key]')].find(({ dataset }) => dataset.key === key) ?? null;
}
