import { mostMatches, placesIn } from './find-matches.ts';

/** Where a line ends for who reads: words don't go on from one of these to the next. */
const lines = 'p, li, td, th, tr, div, pre, h1, h2, h3, h4, h5, h6, button, summary, dt, dd, figcaption';
/** Words for screen readers alone, figures, buttons, and what is shown a second time are not searched. */
const passedOver = [
  ...['.sr', '.took', '.time', '.acts', '.prompt-acts', '.block-head', '.out', '.place', '.sign'],
  ...['.cut:not(.tool)', '.show-all', '.whole-path', '[data-repeated]'],
].join(', ');

/** The places in a part of the page where a pattern stands, as it is drawn now. */
export function rangesIn(row: HTMLElement, pattern: RegExp): Range[] {
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
export function showMarks(all: readonly Range[], now: Range | null): void {
  // Not in every browser that shows the dashboard; there the place is gone to all the same.
  if (!('highlights' in CSS)) return;
  CSS.highlights.set('found', new Highlight(...all));
  CSS.highlights.set('found-now', now === null ? new Highlight() : new Highlight(now));
}

export function clearMarks(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-now');
}

/** One place of an item; where it can't be told from the page which it is, the last one there is. */
export function rangeOf(ranges: readonly Range[], nth: number): Range | null {
  return ranges[Math.min(nth, ranges.length - 1)] ?? null;
}
