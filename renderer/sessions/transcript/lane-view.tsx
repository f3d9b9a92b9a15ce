import classNames from 'classnames/bind';
import { Fragment, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import type { Block, Lane } from '../state/conversation.ts';
import { LongText } from '../text/long-text.tsx';
import text from '../text/text.module.css';
import { itemsOfBlocks } from './items.ts';
import styles from './steps.module.css';
import { useTranscript } from './transcript-context.ts';

const css = classNames.bind({ ...text, ...styles });

const mostShown = 200;
const levelsShown = 4;

interface LaneViewProps {
  itemKey: string;
  lane: Lane;
  turnId: string;
  depth: number;
}

/** A subagent's task, steps and words. */
export function LaneView({ itemKey, lane, turnId, depth }: LaneViewProps) {
  const { drawItem } = useTranscript();
  const [isWhole, setWhole] = useState(false);
  const [isDeeper, setDeeper] = useState(false);
  if (depth >= levelsShown && !isDeeper) {
    const levels = levelsIn(lane.blocks);
    return (
      <LinkButton className={css('show-all')} onClick={() => setDeeper(true)}>
        {t('Show {levels, plural, one {# more level} other {# more levels}}', { levels })}
      </LinkButton>
    );
  }
  const items = itemsOfBlocks(lane.blocks, turnId, itemKey);
  const shown = isWhole ? items : items.slice(-mostShown);
  return (
    <div className={css('lane-body')}>
      {lane.task !== null && (
        <p className={css('lane-task', 'muted', 'small')}>
          <LongText text={lane.task} />
        </p>
      )}
      {shown.length < items.length && (
        <LinkButton className={css('show-all')} onClick={() => setWhole(true)}>
          {t('Show {count} earlier', { count: grouped(items.length - shown.length) })}
        </LinkButton>
      )}
      {shown.map((item) => (
        <Fragment key={item.key}>{drawItem(item, isDeeper ? 0 : depth + 1)}</Fragment>
      ))}
    </div>
  );
}

function levelsIn(blocks: readonly Block[]): number {
  const below = blocks.map((block) => (block.kind === 'step' && block.lane !== null ? levelsIn(block.lane.blocks) : 0));
  return 1 + Math.max(0, ...below);
}
