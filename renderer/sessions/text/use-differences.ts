import { useEffect, useReducer } from 'react';
import { BesideWindow } from './beside-window.ts';
import type { DifferenceSource } from './difference-lines.ts';
import { type DifferenceInput, differenceOf, type FoundDifference, isSmall } from './difference-of.ts';

const differences = new BesideWindow<DifferenceInput, FoundDifference>(
  () => new Worker(new URL('./difference-worker.ts', import.meta.url), { type: 'module' }),
  async (input) => differenceOf(input),
);

/** Each is worked out once for as long as its texts are held. */
const known = new WeakMap<DifferenceSource, Map<string, FoundDifference | null>>();

const keyOf = ({ most, isWhole = false, hasHeaders = false }: DifferenceInput): string =>
  `${most} ${isWhole} ${hasHeaders}`;

function keep(input: DifferenceInput, found: FoundDifference | null): FoundDifference | null {
  const ofSource = known.get(input.source) ?? new Map<string, FoundDifference | null>();
  known.set(input.source, ofSource.set(keyOf(input), found));
  return found;
}

/** Undefined: it takes longer than the window can be held. */
function found(input: DifferenceInput): FoundDifference | null | undefined {
  const before = known.get(input.source)?.get(keyOf(input));
  if (before !== undefined) return before;
  return isSmall(input) ? keep(input, differenceOf(input)) : undefined;
}

/**
 * Differences in the order in which they are given: small ones at once, large ones when they were found beside the
 * window, and undefined until then; null: it can't be compared.
 * @param inputs the same array for as long as the same is asked for
 */
export function useDifferences(inputs: readonly DifferenceInput[]): readonly (FoundDifference | null | undefined)[] {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const missing = inputs.filter((input) => found(input) === undefined);
    if (missing.length === 0) return;
    const stopped = new AbortController();
    for (const input of missing) {
      void differences.do(input, stopped.signal).then((difference) => {
        if (stopped.signal.aborted) return;
        keep(input, difference);
        drawAgain();
      });
    }
    return () => stopped.abort();
  }, [inputs]);
  return inputs.map(found);
}
