import { useMemo } from 'react';
import type { Step, StepContent } from '../state/conversation.ts';
import { useDifferences } from '../text/difference.tsx';
import {
  type DifferenceInput,
  type DifferenceSource,
  differenceOf,
  type FoundDifference,
} from '../text/difference-lines.ts';
import type { ChangedLines } from './step-words.ts';

type DifferencePart = Extract<StepContent, { type: 'diff' }>;

const sources = new WeakMap<DifferencePart, DifferenceSource>();

/** The same object for the same part: a difference is worked out once. */
export function sourceOf(part: DifferencePart, firstLine: number | null): DifferenceSource {
  const known = sources.get(part);
  if (known?.kind === 'texts' && known.firstLine === firstLine) return known;
  const source = { kind: 'texts', before: part.oldText, after: part.newText, firstLine } as const;
  sources.set(part, source);
  return source;
}

const counted = new WeakMap<DifferencePart, DifferenceInput>();

/** The differences of a step whose lines are counted. Their places in the file do not matter for that. */
function inputsOf({ state, stepKind, content }: Step): DifferenceInput[] {
  const isEdit = stepKind === 'write' || stepKind === 'edit' || stepKind === 'notebook';
  if (state !== 'done' || !isEdit) return [];
  return content.flatMap((part) => {
    if (part.type !== 'diff') return [];
    const source = { kind: 'texts', before: part.oldText, after: part.newText, firstLine: null } as const;
    const input = counted.get(part) ?? { source, most: 0 };
    counted.set(part, input);
    return [input];
  });
}

/** Null: what can be compared changed nothing that could be counted. */
function sumOf(found: readonly (FoundDifference | null)[]): ChangedLines | null {
  const counts = found.filter((one) => one !== null);
  if (counts.length === 0) return null;
  const sum = (name: 'added' | 'removed'): number => counts.reduce((total, count) => total + count[name], 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** The lines that a step changed; null if it is neither an edit that could be compared nor a command that is known. */
export function changedBy(step: Step): ChangedLines | null {
  return sumOf(inputsOf(step).map(differenceOf)) ?? step.changed;
}

/** The same for a line that is drawn; undefined: not known yet. */
export function useChangedBy(step: Step): ChangedLines | null | undefined {
  const inputs = useMemo(() => inputsOf(step), [step]);
  const found = useDifferences(inputs);
  const known = found.filter((one) => one !== undefined);
  return known.length < found.length ? undefined : (sumOf(known) ?? step.changed);
}
