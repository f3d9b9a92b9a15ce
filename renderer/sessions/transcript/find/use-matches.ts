import { useEffect, useState } from 'react';
import type { Item } from '../items.ts';
import { lookingFor, type Match } from './find-matches.ts';

/** So long one look takes at most before the page is drawn, in ms. */
const sliceMs = 6;

const none: readonly Match[] = [];

interface Found {
  /** Of what it was found. */
  pattern: RegExp;
  matches: readonly Match[];
}

/**
 * The places of words, looked for a few milliseconds at a time. While words come in, what was found before stays until
 * all was looked through again.
 */
export function useMatches(
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
