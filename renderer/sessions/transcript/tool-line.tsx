import { type ReactNode, useId } from 'react';
import { ChevronDown, ChevronRight } from '../../parts/icons.tsx';
import { CutPath } from '../text/shown-text.tsx';
import type { Edge } from './items.ts';
import { useIsOpen, useTranscript } from './transcript-context.ts';

export interface ToolLineProps {
  /** Of the item: what is open is kept under it. */
  itemKey: string;
  edge: Edge;
  look: string;
  icon: ReactNode;
  verb: string;
  object?: ReactNode;
  isWords?: boolean;
  isPath?: boolean;
  /** The object is shown once more, and whole, where it is open. */
  isRepeated?: boolean;
  result?: ReactNode;
  took?: ReactNode;
  /** All of it, for screen readers. */
  name: string;
  testId?: string | undefined;
  /** What it does now, below its line. */
  live?: ReactNode;
  /** Drawn while it is open. */
  opened: () => ReactNode;
}

/** One line of the box of steps, and what it holds where it is open. */
export function ToolLine(props: ToolLineProps) {
  const {
    itemKey,
    edge,
    look,
    icon,
    verb,
    object,
    isWords = false,
    isPath = false,
    isRepeated = false,
    result,
    took,
    name,
    testId,
    live,
  } = props;
  const { openSteps } = useTranscript();
  const isOpen = useIsOpen(itemKey);
  const body = useId();
  const classes = ['tool', look, edge.isFirst ? 'first' : '', edge.isLast ? 'last' : ''];
  return (
    <div className={classes.filter(Boolean).join(' ')} data-testid={testId}>
      <button
        type="button"
        className="tool-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        data-step={itemKey}
        data-failed={look === 'failed' || undefined}
        onClick={() => openSteps.set(itemKey, !isOpen)}
      >
        <span className="sr">{name}</span>
        {icon}
        <span className="verb" title={verb} aria-hidden="true">
          {verb}
        </span>
        <span
          className={isWords ? 'on words' : 'on'}
          data-repeated={isRepeated || undefined}
          title={typeof object === 'string' ? object : undefined}
          aria-hidden="true"
        >
          {isPath && typeof object === 'string' ? <CutPath path={object} /> : <bdi>{object}</bdi>}
        </span>
        <span className="out" aria-hidden="true">
          {result}
        </span>
        {took}
        <span className="chev">{isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}</span>
      </button>
      {live}
      {isOpen && (
        <div className="tool-open" id={body}>
          {props.opened()}
        </div>
      )}
    </div>
  );
}
