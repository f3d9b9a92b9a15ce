import classNames from 'classnames/bind';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import styles from './detail.module.css';
import { linesOf, type Place, piecesOf, placesOf } from './find-in-text.ts';

const css = classNames.bind(styles);

interface BodyTextProps {
  label: string;
  text: string;
  wrapped: boolean;
  /** What is looked for; empty: nothing. */
  words: string;
  /** Index of the match that is shown. */
  current: number;
  found: (count: number) => void;
}

const lineHeight = 18;

/**
 * A body as text, whatever is in it. In pieces, so that the browser lays out and paints those in sight alone; what is
 * found is marked without a change of the page.
 */
export function BodyText({ label, text, wrapped, words, current, found }: BodyTextProps) {
  const box = useRef<HTMLElement>(null);
  const pieces = useMemo(() => piecesOf(text), [text]);
  const places = useMemo(() => placesOf(pieces, words), [pieces, words]);
  useEffect(() => found(places.length), [found, places]);
  useMarks(box, pieces, places, current);
  return (
    <section
      ref={box}
      className={css('body-text', 'verbatim', { wrapped: wrapped })}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
      tabIndex={0}
    >
      {pieces.map((piece, index) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text.
          key={index}
          style={{ containIntrinsicBlockSize: `auto ${piece.split('\n').length * lineHeight}px` }}
        >
          {piece}
        </pre>
      ))}
    </section>
  );
}

/** Marks that one text has at a time: there is one body on the page. */
function useMarks(
  box: RefObject<HTMLElement | null>,
  pieces: readonly string[],
  places: readonly Place[],
  current: number,
): void {
  useEffect(() => {
    const all = box.current;
    if (all === null || !('highlights' in CSS)) return;
    const mark = (name: string, marked: readonly Place[]): void => {
      const ranges = marked.map((place) => rangeOf(all, place)).filter((range) => range !== null);
      CSS.highlights.set(name, new Highlight(...ranges));
    };
    const now = places[current];
    mark('body-gone', linesOf(pieces, '− '));
    mark('body-came', linesOf(pieces, '+ '));
    mark('body-found', places);
    mark('body-current', now === undefined ? [] : [now]);
    return () => {
      for (const name of ['body-gone', 'body-came', 'body-found', 'body-current']) CSS.highlights.delete(name);
    };
  }, [box, pieces, places, current]);

  useEffect(() => {
    const all = box.current;
    const now = places[current];
    if (all === null || now === undefined) return;
    // Only what is in sight is laid out: the piece comes first, then the place in it.
    all.children[now.piece]?.scrollIntoView({ block: 'nearest' });
    const frame = requestAnimationFrame(() => {
      const at = rangeOf(all, now)?.getBoundingClientRect();
      const panel = all.closest('[role="tabpanel"]');
      if (at === undefined || panel === null) return;
      const seen = panel.getBoundingClientRect();
      if (at.top < seen.top + 80 || at.bottom > seen.bottom)
        panel.scrollBy({ top: at.top - seen.top - seen.height / 3 });
    });
    return () => cancelAnimationFrame(frame);
  }, [box, places, current]);
}

function rangeOf(all: HTMLElement, { piece, from, to }: Place): Range | null {
  const text = all.children[piece]?.firstChild;
  if (!(text instanceof Text) || text.length < to) return null;
  const range = document.createRange();
  range.setStart(text, from);
  range.setEnd(text, to);
  return range;
}
