import classNames from 'classnames/bind';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import changes from '../changes/changes.module.css';
import type { Comment } from '../composer/draft.ts';
import { isKey, sessionShortcuts } from '../session-shortcuts.ts';
import { Difference } from '../text/difference.tsx';
import text from '../text/text.module.css';
import { CommentCard, OtherComments } from './comment-card.tsx';
import styles from './review.module.css';
import { type CommentPlace, lineKey, linesBetween, linesOfPatch, placeOf } from './review-lines.ts';
import type { Review } from './use-review.ts';

const css = classNames.bind(styles);

/** Where the keyboard goes in a difference that a key opened. */
export type Arrival = 'line' | 'first' | 'last';

export interface CommentedDifferenceProps {
  /** Absolute. */
  file: string;
  /** The same, as it is shown. */
  path: string;
  patch: string;
  scope: Comment['scope'];
  review: Review;
  hunkAction?: ((header: string) => ReactNode) | undefined;
  openFile?: (() => void) | undefined;
  /** Where the keyboard is to go, once; null for where it is. */
  arrival: Arrival | null;
  arrived: () => void;
}

/** More lines of a difference are shown only on request. */
const shownAtFirst = 400;

/** A difference with comments below their lines. Lines are chosen with the pointer, or with keys. */
export function CommentedDifference(props: CommentedDifferenceProps) {
  const { file, path, patch, scope, review, hunkAction, openFile, arrival, arrived } = props;
  const source = useMemo(() => ({ kind: 'patch', patch }) as const, [patch]);
  const lines = useMemo(() => linesOfPatch(patch), [patch]);
  const [choice, setChoice] = useState<{ from: string; to: string } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isDragging = useRef(false);
  const placed = placedComments({ file, scope, review }, (comment) => placeOf(comment, lines));
  const below = new Map<string, typeof placed>();
  for (const one of placed) {
    const last = one.place.state === 'gone' ? undefined : one.place.lines.at(-1);
    if (last !== undefined) below.set(lineKey(last), [...(below.get(lineKey(last)) ?? []), one]);
  }
  const keys = lines.map((line) => (line === null ? '' : lineKey(line)));
  const chosen = useMemo(
    () => new Set(choice === null ? [] : linesBetween(lines, choice.from, choice.to).map(lineKey)),
    [choice, lines],
  );
  useArrival(box, arrival, arrived);
  const button = (key: string): HTMLElement | null =>
    box.current?.querySelector(`tr[data-line="${CSS.escape(key)}"] .${text['line-comment']}`) ?? null;
  const begin = (from: string, to: string): void => {
    const wanted = linesBetween(lines, from, to);
    setChoice(null);
    if (wanted.length > 0) review.begin({ path: file, scope }, lines, wanted);
  };
  const down = (event: PointerEvent): void => {
    const key = keyAt(event.target);
    if (key === null || event.button !== 0 || !isLineButton(event.target)) return;
    isDragging.current = true;
    setChoice(event.shiftKey && choice !== null ? { ...choice, to: key } : { from: key, to: key });
  };
  const over = (event: PointerEvent): void => {
    const key = keyAt(event.target);
    if (!isDragging.current || choice === null || key === null || key === choice.to) return;
    if (linesBetween(lines, choice.from, key).length > 0) setChoice({ ...choice, to: key });
  };
  const press = (event: KeyboardEvent): void => {
    const key = keyAt(event.target);
    if (key === null || !isLineButton(event.target)) return;
    const more = isKey(event, sessionShortcuts.changes.moreLines);
    const next = arrows[event.key];
    if (next !== undefined && (more || (!event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey))) {
      const to = keys[keys.indexOf(key) + next];
      const ahead = to === '' && !more ? keys[keys.indexOf(key) + 2 * next] : to;
      if (ahead) {
        button(ahead)?.focus();
        setChoice({ from: more ? (choice?.from ?? key) : ahead, to: ahead });
      }
    } else if (event.key === 'Escape') {
      setChoice(null);
      box.current
        ?.closest(`.${changes['change-item']}`)
        ?.querySelector<HTMLElement>(`.${changes['change-open']}`)
        ?.focus();
    } else if (event.key === 'Enter' || event.key === ' ' || isKey(event, sessionShortcuts.changes.comment)) {
      begin(choice?.from ?? key, choice?.to ?? key);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(() => {
    const up = (): void => {
      isDragging.current = false;
    };
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', up);
    return () => {
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
    };
  }, []);
  const isFarDown = [...below.keys()].some((key) => keys.indexOf(key) >= shownAtFirst);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons of the lines act; this hears them all.
    <div
      ref={box}
      className={css('commented')}
      onPointerDown={down}
      onPointerOver={over}
      onPointerUp={() => {
        if (isDragging.current && choice !== null) begin(choice.from, choice.to);
      }}
      onKeyDown={press}
    >
      <OtherComments review={review} comments={placed.filter(({ place }) => place.state === 'gone')} />
      <Difference
        {...{ path, source, hunkAction }}
        showsAll={isFarDown}
        {...(openFile !== undefined && { openFile })}
        commenting={{
          chosen,
          below: (key) =>
            below
              .get(key)
              ?.map(({ comment, place, isOwn }) => (
                <CommentCard
                  key={comment.id}
                  {...{ comment, review, place, isOwn }}
                  left={() => button(key)?.focus()}
                />
              )) ?? null,
        }}
      />
    </div>
  );
}

const arrows: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Comments on a file with where they are. `isOwn`: written on these changes. */
export function placedComments<Place extends CommentPlace | null>(
  { file, scope, review }: Pick<CommentedDifferenceProps, 'file' | 'scope' | 'review'>,
  place: (comment: Comment) => Place,
): { comment: Comment; place: Place; isOwn: boolean }[] {
  const own = JSON.stringify(scope);
  return review.comments
    .filter((comment) => comment.path === file)
    .map((comment) => ({ comment, place: place(comment), isOwn: JSON.stringify(comment.scope) === own }));
}

const isLineButton = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(`.${text['line-comment']}`) !== null;

/** The line of a difference that something is in; null if it is in none. */
function keyAt(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('tr[data-line]')?.getAttribute('data-line') ?? null) : null;
}

/** Gives the keyboard to a line or a place, as soon as it is drawn. */
function useArrival(box: { readonly current: HTMLElement | null }, arrival: Arrival | null, arrived: () => void): void {
  const done = useRef(arrived);
  done.current = arrived;
  useEffect(() => {
    const within = box.current;
    if (arrival === null || within === null) return;
    const look = (): boolean => {
      const target = targetOf(within, arrival);
      if (target === null) return false;
      target.scrollIntoView({ block: 'nearest' });
      target.focus({ preventScroll: true });
      done.current();
      return true;
    };
    if (look()) return;
    // A large difference is found beside the window.
    const drawn = new MutationObserver(() => {
      if (look()) drawn.disconnect();
    });
    drawn.observe(within, { childList: true, subtree: true });
    return () => drawn.disconnect();
  }, [box, arrival]);
}

function targetOf(box: HTMLElement, arrival: Arrival): HTMLElement | null {
  if (arrival !== 'line') {
    const places = [...box.querySelectorAll<HTMLElement>(`.${text['patch-gap']}`)];
    const place = arrival === 'first' ? places[0] : places.at(-1);
    return place === undefined ? null : placeTarget(place);
  }
  const lines = [
    ...box.querySelectorAll<HTMLElement>(`tr:is(.${text.added}, .${text.removed}) .${text['line-comment']}`),
  ];
  const now = document.activeElement;
  const isBehind = (line: HTMLElement): boolean =>
    now !== null && (now.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  // From a place of the difference on; from the file, its first line.
  return (now !== null && box.contains(now) ? lines.find(isBehind) : undefined) ?? lines[0] ?? null;
}

/** What of a place has the keyboard: its `Undo`, or its line. */
export function placeTarget(place: HTMLElement): HTMLElement {
  const target = place.querySelector<HTMLElement>('button') ?? place.querySelector('td') ?? place;
  if (!(target instanceof HTMLButtonElement)) target.tabIndex = -1;
  return target;
}
