import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Conversation, Turn } from '../../state/conversation.ts';
import { patternOf, type Sought } from '../../text/long-text.tsx';
import type { Item } from '../items.ts';
import { firstMatch, lookingFor, type Match, sameMatch } from './find-matches.ts';

/** What is asked to be found. `at`: from the place that was said then, in ms since the epoch. */
export interface FindRequest {
  words: string;
  at: number | null;
}

interface FindGiven {
  /** Null if nothing is looked for. Another object is another search. */
  request: FindRequest | null;
  conversation: Conversation;
  items: readonly Item[];
  /** Position of each item, by its key. */
  order: ReadonlyMap<string, number>;
  cwd: string | null;
  sought: Sought;
  /** Older turns are being read. */
  isReading: boolean;
  loadOlder: () => void;
  /** The index of the first item in view. */
  top: RefObject<number>;
  show: (match: Match) => void;
  close: () => void;
}

export interface Find {
  isOpen: boolean;
  words: string;
  /** A new object each time the field should get the focus; null if the search came from outside. */
  asked: FindRequest | null;
  count: number;
  /** Index of the current match; -1 if none. */
  now: number;
  match: Match | null;
  matches: readonly Match[];
  pattern: RegExp | null;
  /** Older turns are still being read, or what was read is not looked through yet. */
  isLooking: boolean;
  look: (words: string) => void;
  on: () => void;
  back: () => void;
  close: () => void;
}

/** Words in a conversation: in what is read of it, and in its older turns, which are read for it. */
export function useFind(given: FindGiven): Find {
  const { request, conversation, items, order, cwd, sought, isReading, loadOlder, top, show } = given;
  const [words, setWords] = useState('');
  const [match, setMatch] = useState<Match | null>(null);
  const isOpen = request !== null;
  const sure = useDeferredValue(isOpen ? words : '');
  const pattern = useMemo(() => patternOf(sure), [sure]);
  const { matches, isLooking: isLookingThrough } = useMatches(items, pattern, cwd);
  const { hasOlder, turns } = conversation;
  const isReadFor = pattern !== null && hasOlder;
  const isLooking = isReadFor || isLookingThrough;
  const now = sameMatch(matches, match ?? undefined);

  const go = useCallback(
    (next: Match | undefined): void => {
      setMatch(next ?? null);
      if (next !== undefined) show(next);
    },
    [show],
  );

  /** Words whose place was not shown yet, and the time that they are to be found at. */
  const wanted = useRef<{ at: number | null } | null>(null);
  useEffect(() => {
    if (request === null) return;
    wanted.current = { at: request.at };
    setMatch(null);
    if (request.words !== '') setWords(request.words);
  }, [request]);

  useEffect(() => sought.set(pattern), [sought, pattern]);
  useEffect(() => () => sought.set(null), [sought]);

  // All of it is looked through: a count of a part would be none.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came leads to the one before it.
  useEffect(() => {
    if (isReadFor && !isReading) loadOlder();
  }, [isReadFor, isReading, turns.length, loadOlder]);

  useEffect(() => {
    const at = wanted.current?.at ?? null;
    if (wanted.current === null || pattern === null || words !== sure) return;
    if (at !== null && hasOlder && !reaches(turns, at)) return;
    if (matches.length === 0) return;
    wanted.current = null;
    go(matches[at === null ? firstMatch(matches, order, top.current) : matchAt(matches, turns, at)]);
  }, [pattern, words, sure, matches, order, turns, hasOlder, top, go]);

  const step = (by: 1 | -1): void => {
    if (matches.length === 0) return;
    const from = now === -1 ? firstMatch(matches, order, top.current) - (by === 1 ? 1 : 0) : now;
    go(matches.at((from + by + matches.length) % matches.length));
  };
  return {
    asked: request?.at === null ? request : null,
    ...{ isOpen, words, count: matches.length, now, match, matches, pattern, isLooking },
    look: (next) => {
      wanted.current = { at: null };
      setMatch(null);
      setWords(next);
    },
    on: () => step(1),
    back: () => step(-1),
    close: given.close,
  };
}

/** What was said at a time has been read. */
function reaches(turns: readonly Turn[], at: number): boolean {
  const first = turns.find(({ startedAt }) => startedAt !== null)?.startedAt ?? null;
  return first !== null && first <= at;
}

function matchAt(matches: readonly Match[], turns: readonly Turn[], at: number): number {
  const turn = turns.findLastIndex(({ startedAt }) => startedAt !== null && startedAt <= at);
  const after = new Set(turns.slice(Math.max(0, turn)).map(({ id }) => id));
  const found = matches.findIndex(({ turnId }) => after.has(turnId));
  return found === -1 ? matches.length - 1 : found;
}

/** How long one search may take before the page is drawn, in ms. */
const sliceMs = 6;

const none: readonly Match[] = [];

interface Found {
  /** Pattern that these matches were found with. */
  pattern: RegExp;
  matches: readonly Match[];
}

/**
 * The places of words, looked for a few milliseconds at a time. While words come in, what was found before stays until
 * all was looked through again.
 */
function useMatches(
  items: readonly Item[],
  pattern: RegExp | null,
  cwd: string | null,
): { matches: readonly Match[]; isLooking: boolean } {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (pattern === null) return;
    const looking = lookingFor(items, pattern, cwd);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const until = performance.now() + sliceMs;
      let step = looking.next();
      while (step.done !== true && performance.now() < until) step = looking.next();
      if (step.done !== true) timer = setTimeout(look);
      else setFound(after(pattern, step.value));
    };
    look();
    return () => clearTimeout(timer);
  }, [items, pattern, cwd]);
  const isOf = pattern !== null && found?.pattern === pattern;
  return { matches: isOf ? found.matches : none, isLooking: pattern !== null && !isOf };
}

/** The same places are the same object, so that nothing is drawn again for them. */
function after(pattern: RegExp, matches: readonly Match[]): (found: Found | null) => Found {
  return (found) => {
    const isSame =
      found?.pattern === pattern &&
      found.matches.length === matches.length &&
      found.matches.every(({ key, nth }, index) => matches[index]?.key === key && matches[index]?.nth === nth);
    return isSame ? found : { pattern, matches };
  };
}
