import classNames from 'classnames/bind';
import { memo, type ReactNode, useId } from 'react';
import { t } from '../../../app/language/translate.ts';
import { duration } from '../../../app/words/times.ts';
import {
  Branch,
  Checklist,
  ChevronDown,
  ChevronRight,
  Clock,
  Commands,
  Failed,
  File,
  FileAdded,
  Globe,
  type IconProps,
  LightBulb,
  Mcp,
  Pencil,
  Question,
  Ring,
  Search,
  Skipped,
  Tasklist,
  Terminal,
  Tools,
} from '../../parts/icons.tsx';
import { useTenth } from '../../parts/now.ts';
import type { StepKind, StepState, ThinkingBlock } from '../state/conversation.ts';
import { LongText } from '../text/long-text.tsx';
import { CutPath } from '../text/shown-text.tsx';
import type { Edge } from './items.ts';
import styles from './steps.module.css';
import { useIsOpen, useTranscript } from './transcript-context.ts';

const css = classNames.bind(styles);

interface ToolLineProps {
  /** Key of the item, under which its open state is saved. */
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
  return (
    <div className={css('tool', look, { first: edge.isFirst, last: edge.isLast })} data-testid={testId}>
      <button
        type="button"
        className={css('tool-line')}
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        data-step={itemKey}
        data-failed={look === 'failed' || undefined}
        onClick={() => openSteps.set(itemKey, !isOpen)}
      >
        <span className="sr">{name}</span>
        {icon}
        <span className={css('verb', 'ell')} title={verb} aria-hidden="true">
          {verb}
        </span>
        <span
          className={css('on', { words: isWords }, 'ell')}
          data-repeated={isRepeated || undefined}
          title={typeof object === 'string' ? object : undefined}
          aria-hidden="true"
        >
          {isPath && typeof object === 'string' ? <CutPath path={object} /> : <bdi>{object}</bdi>}
        </span>
        <span className={css('out', 'ell')} aria-hidden="true">
          {result}
        </span>
        {took}
        <span className={css('chev')}>{isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}</span>
      </button>
      {live}
      {isOpen && (
        <div className={css('tool-open')} id={body}>
          {props.opened()}
        </div>
      )}
    </div>
  );
}

interface TookProps {
  startedAt: number | null;
  endedAt: number | null;
  isRunning: boolean;
}

/** How long it took, or takes so far. */
export function Took({ startedAt, endedAt, isRunning }: TookProps) {
  const now = useTenth(isRunning && startedAt !== null);
  const until = isRunning ? now : endedAt;
  return (
    <span className={css('took')} aria-hidden="true">
      {startedAt === null || until === null ? '' : duration(Math.max(0, until - startedAt))}
    </span>
  );
}

const byState: Partial<Record<StepState, (props: IconProps) => React.ReactNode>> = {
  running: Ring,
  waiting: Question,
  failed: Failed,
  denied: Skipped,
  cut: Skipped,
  background: Clock,
};

const byKind: Record<StepKind, (props: IconProps) => React.ReactNode> = {
  shell: Terminal,
  read: File,
  search: Search,
  write: FileAdded,
  edit: Pencil,
  notebook: Pencil,
  web: Globe,
  mcp: Mcp,
  'client-tool': Tools,
  tasks: Tasklist,
  skill: Commands,
  subagent: Branch,
  question: Question,
  plan: Checklist,
  other: Tools,
};

export function StepIcon({ kind, state, size = 16 }: { kind: StepKind; state: StepState; size?: 14 | 16 }) {
  const Icon = byState[state] ?? byKind[kind];
  return <Icon size={Icon === Ring ? 12 : size} />;
}

/** The class of a step's line. */
export function lookOf(state: StepState): string {
  return state === 'waiting' ? 'waits' : state;
}

/** What the model thought, folded. */
export const ThinkingLine = memo(function ThinkingLine(props: { itemKey: string; block: ThinkingBlock; edge: Edge }) {
  const { itemKey, block, edge } = props;
  const { startedAt, endedAt } = block;
  const verb = block.isOpen ? t('Thinking') : t('Thought');
  const took = startedAt === null || endedAt === null ? '' : `, ${duration(endedAt - startedAt)}`;
  return (
    <ToolLine
      itemKey={itemKey}
      edge={edge}
      look={block.isOpen ? 'running' : 'done'}
      icon={block.isOpen ? <Ring size={16} /> : <LightBulb size={16} />}
      verb={verb}
      isWords
      took={<Took startedAt={startedAt} endedAt={endedAt} isRunning={block.isOpen} />}
      name={`${verb}${took}`}
      opened={() => (
        <p className={css('thought')} dir="auto">
          {block.text.trim() === '' ? t('Not shown by the model.') : <LongText text={block.text.trim()} />}
        </p>
      )}
    />
  );
});
