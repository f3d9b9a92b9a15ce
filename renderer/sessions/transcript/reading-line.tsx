import { memo } from 'react';
import type { Step, StepState } from '../state/conversation.ts';
import type { Edge } from './items.ts';
import { lookOf, StepIcon } from './step-icon.tsx';
import { StepLine } from './step-line.tsx';
import { readingWords } from './step-words.ts';
import { Took } from './took.tsx';
import { ToolLine } from './tool-line.tsx';

/** Of those in a row; the latest. */
const mostShown = 200;

export interface ReadingLineProps {
  itemKey: string;
  steps: readonly Step[];
  turnId: string;
  edge: Edge;
  depth: number;
}

/** Reads and searches in a row: one line whose words count up, or each of them. */
export const ReadingLine = memo(function ReadingLine(props: ReadingLineProps) {
  const { itemKey, steps, turnId, edge, depth } = props;
  const [first] = steps;
  if (first === undefined) return null;
  if (steps.length === 1) {
    return <StepLine itemKey={itemKey} step={first} turnId={turnId} edge={edge} depth={depth} />;
  }
  const state = stateOf(steps);
  const failed = steps.filter((step) => step.state === 'failed').length;
  const words = readingWords(steps);
  const isSearch = steps.some(({ stepKind }) => stepKind === 'search');
  const result = failed === 0 ? '' : `${failed} failed`;
  return (
    <ToolLine
      itemKey={itemKey}
      edge={edge}
      look={failed > 0 && state !== 'running' ? 'failed' : lookOf(state)}
      icon={<StepIcon kind={isSearch ? 'search' : 'read'} state={state} />}
      verb={words}
      isWords
      result={result}
      took={<Took startedAt={first.startedAt} endedAt={lastEnd(steps)} isRunning={state === 'running'} />}
      name={result === '' ? words : `${words}, ${result}`}
      testId={`step-${first.id}`}
      opened={() => (
        <div className="tools inner">
          {steps.slice(-mostShown).map((step, index, shown) => {
            const key = `${itemKey}#${step.id}`;
            const at = { isFirst: index === 0, isLast: index === shown.length - 1 };
            return <StepLine key={key} itemKey={key} step={step} turnId={turnId} edge={at} depth={depth} />;
          })}
        </div>
      )}
    />
  );
});

function stateOf(steps: readonly Step[]): StepState {
  const states = new Set(steps.map(({ state }) => state));
  for (const state of ['running', 'cut'] as const) if (states.has(state)) return state;
  return 'done';
}

function lastEnd(steps: readonly Step[]): number | null {
  const ends = steps.flatMap(({ endedAt }) => endedAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}
