import { useEffect, useReducer } from 'react';
import { BesideWindow } from './beside-window.ts';
import type { DifferenceSource } from './difference-lines.ts';
import { type DifferenceWish, differenceOf, type FoundDifference, isSmall } from './difference-of.ts';

const differences = new BesideWindow<DifferenceWish, FoundDifference>(
  () => new Worker(new URL('./difference-worker.ts', import.meta.url), { type: 'module' }),
  async (wish) => differenceOf(wish),
);

/** Each is worked out once for as long as its texts are held. */
const known = new WeakMap<DifferenceSource, Map<string, FoundDifference | null>>();

const keyOf = ({ most, isWhole = false, hasHeaders = false }: DifferenceWish): string =>
  `${most} ${isWhole} ${hasHeaders}`;

function keep(wish: DifferenceWish, found: FoundDifference | null): FoundDifference | null {
  const ofSource = known.get(wish.source) ?? new Map<string, FoundDifference | null>();
  known.set(wish.source, ofSource.set(keyOf(wish), found));
  return found;
}

/** Undefined: it takes longer than the window can be held. */
function found(wish: DifferenceWish): FoundDifference | null | undefined {
  const before = known.get(wish.source)?.get(keyOf(wish));
  if (before !== undefined) return before;
  return isSmall(wish) ? keep(wish, differenceOf(wish)) : undefined;
}

/**
 * Differences in the order of their wishes: small ones at once, large ones when they were found beside the window, and
 * undefined until then; null: it can't be compared.
 * @param wishes the same array for as long as the same is wished
 */
export function useDifferences(wishes: readonly DifferenceWish[]): readonly (FoundDifference | null | undefined)[] {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const missing = wishes.filter((wish) => found(wish) === undefined);
    if (missing.length === 0) return;
    const stopped = new AbortController();
    for (const wish of missing) {
      void differences.do(wish, stopped.signal).then((difference) => {
        if (stopped.signal.aborted) return;
        keep(wish, difference);
        drawAgain();
      });
    }
    return () => stopped.abort();
  }, [wishes]);
  return wishes.map(found);
}
