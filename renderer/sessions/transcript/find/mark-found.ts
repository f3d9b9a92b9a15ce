/** Where a line ends for who reads: words don't go on from one of these to the next. */
const lines = 'p, li, td, th, tr, div, pre, h1, h2, h3, h4, h5, h6, button, summary, dt, dd, figcaption';
/** Words for the ears alone, and figures that nobody looks for. */
const passedOver = '.sr, .took, .time, .acts, .prompt-acts, .block-head';

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
  return [...text.matchAll(pattern)].flatMap(({ index, 0: words }) => {
    const start = placeIn(nodes, index);
    const end = placeIn(nodes, index + words.length - 1);
    if (start === null || end === null) return [];
    const range = new Range();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, Math.min(end.node.data.length, end.offset + 1));
    return [range];
  });
}

function placeIn(nodes: readonly { node: Text; from: number }[], at: number): { node: Text; offset: number } | null {
  const found = nodes.findLast(({ from }) => from <= at);
  return found === undefined ? null : { node: found.node, offset: Math.min(found.node.data.length, at - found.from) };
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
