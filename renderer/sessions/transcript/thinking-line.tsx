import { memo } from 'react';
import { duration } from '../../../app/words/times.ts';
import { LightBulb, Ring } from '../../parts/icons.tsx';
import type { ThinkingBlock } from '../state/conversation.ts';
import { LongText } from '../text/long-text.tsx';
import type { Edge } from './items.ts';
import { Took } from './took.tsx';
import { ToolLine } from './tool-line.tsx';

/** What the model thought, folded. */
export const ThinkingLine = memo(function ThinkingLine(props: { itemKey: string; block: ThinkingBlock; edge: Edge }) {
  const { itemKey, block, edge } = props;
  const { startedAt, endedAt } = block;
  const verb = block.isOpen ? 'Thinking' : 'Thought';
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
        <p className="thought" dir="auto">
          {block.text.trim() === '' ? 'Not shown by the model.' : <LongText text={block.text.trim()} />}
        </p>
      )}
    />
  );
});
