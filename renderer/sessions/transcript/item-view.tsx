import classNames from 'classnames/bind';
import { memo } from 'react';
import type { WhyNot } from '../../../app/api/calls/customizations.ts';
import { sentences } from '../../../app/language/sentences.ts';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { shortened } from '../../../app/words/text.ts';
import { clockTime } from '../../../app/words/times.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Ring } from '../../parts/icons.tsx';
import { whyWords } from '../customizations/customization-words.ts';
import type { CompactionBlock, NoteBlock, SteeredBlock, Turn } from '../state/conversation.ts';
import { fieldsOf, figureOf, isFields, textOf } from '../state/fields.ts';
import { inLineWords } from '../state/session-words.ts';
import { Markdown } from '../text/markdown.tsx';
import { Divider, EndBox } from './end-box.tsx';
import { type Item, saidIn } from './items.ts';
import { Attached, PromptBox, SaidWords } from './prompt-box.tsx';
import { ReadingLine, StepLine } from './step-line.tsx';
import { ThinkingLine } from './tool-line.tsx';
import styles from './transcript.module.css';
import { useIsOpen, useTranscript } from './transcript-context.ts';
import { TurnFoot } from './turn-foot.tsx';

const css = classNames.bind(styles);

interface ItemViewProps {
  item: Item;
  /** Depth in subagents; 0: in the session itself. */
  depth?: number;
  /** True if it belongs to the first turn of the session. */
  isFirst?: boolean;
  /** True if it belongs to the last turn. */
  isLast?: boolean;
  /** True if no turn is under way. */
  isIdle?: boolean;
}

/** One item by its kind. */
export const ItemView = memo(function ItemView(props: ItemViewProps) {
  const { item, depth = 0, isFirst = false, isLast = false, isIdle = false } = props;
  const { actions, agent } = useTranscript();
  const { key, turnId } = item;
  switch (item.kind) {
    case 'prompt':
      return <PromptBox turn={item.turn} isFirst={isFirst} isIdle={isIdle} />;
    case 'begun':
      return <Divider>{begunWords(item.turn)}</Divider>;
    case 'text':
      return <Markdown text={item.block.text} isOpen={item.block.isOpen} actions={actions} />;
    case 'thinking':
      return <ThinkingLine itemKey={key} block={item.block} edge={item.edge} />;
    case 'step':
      return <StepLine itemKey={key} step={item.step} turnId={turnId} edge={item.edge} depth={depth} />;
    case 'reading':
      return <ReadingLine itemKey={key} steps={item.steps} turnId={turnId} edge={item.edge} depth={depth} />;
    case 'steered':
      return <Steered block={item.block} />;
    case 'compaction':
      return <Compaction itemKey={key} block={item.block} />;
    case 'note':
      return <Divider>{noteWords(item.block, agent)}</Divider>;
    case 'awaited':
      return <Awaited />;
    case 'end':
      return <EndBox turn={item.turn} isLast={isLast} />;
    case 'figures':
      return <TurnFoot turn={item.turn} />;
  }
});

function begunWords(turn: Turn): string {
  if (turn.begunBy === 'earlier-conversation') return t('Continued from an earlier conversation.');
  return turn.task === null
    ? t('A background task ended')
    : t('A background task ended: {task}', { task: shortened(turn.task, 200) });
}

function Steered({ block: { prompt, at } }: { block: SteeredBlock }) {
  return (
    <div className={css('prompt', 'steered')}>
      <SaidWords text={saidIn({ prompt })} />
      <span className={css('time')}>
        {at === null ? t('Steered') : t('Steered at {time}', { time: clockTime(at) })}
      </span>
      <Attached prompt={prompt} />
    </div>
  );
}

function Compaction({ itemKey, block }: { itemKey: string; block: CompactionBlock }) {
  const { actions, openSteps } = useTranscript();
  const isOpen = useIsOpen(itemKey);
  const { at, before, after, summary } = block;
  if (block.isOpen) return <Divider>{t('Compacting…')}</Divider>;
  return (
    <>
      <Divider>
        {at === null ? t('Compacted.') : t('Compacted at {time}.', { time: clockTime(at) })}
        {before !== null && after !== null && ` ${becameWords(before, after)}`}{' '}
        {summary !== null && (
          <LinkButton aria-expanded={isOpen} onClick={() => openSteps.set(itemKey, !isOpen)}>
            {isOpen ? t('Hide summary') : t('Show summary')}
          </LinkButton>
        )}
      </Divider>
      {isOpen && summary !== null && (
        <div className={css('summary')}>
          <Markdown text={summary} actions={actions} />
        </div>
      )}
    </>
  );
}

function becameWords(before: number, after: number): string {
  return t('{before} tokens became {after}.', { before: grouped(before), after: grouped(after) });
}

function noteWords({ code, detail }: NoteBlock, agent: string): string {
  if (code === 'not-loaded') {
    const name = textOf(detail, 'name') ?? '';
    const why = fieldsOf(detail, 'why');
    const whyNot = { code: textOf(why, 'code') as WhyNot['code'], detail: textOf(why, 'detail') };
    const isPart = isFields(detail) && detail.isPart === true;
    const what = isPart ? t('A part of {name} wasn’t loaded.', { name }) : t('{name} wasn’t loaded.', { name });
    return sentences(what, whyWords(whyNot, agent, textOf(detail, 'source') ?? name));
  }
  if (code === 'turn-cut') {
    const entries = figureOf(detail, 'entries');
    return entries === null
      ? t('The beginning of this turn is no longer saved.')
      : t('The first {entries, plural, one {# entry} other {# entries}} of this turn are no longer saved.', {
          entries,
        });
  }
  return (
    textOf(detail, 'text') ??
    t(
      'More requests of this turn are marked user than you sent messages. After an error, one may have been sent again.',
    )
  );
}

/** Shown until the first word or step arrives. */
function Awaited() {
  const { state, starting, retrying, before } = useTranscript();
  return (
    <p className={css('awaited')}>
      <Ring size={14} />
      {state === 'starting' ? starting : state === 'in-line' ? inLineWords(before) : (retrying ?? t('Thinking'))}
    </p>
  );
}
