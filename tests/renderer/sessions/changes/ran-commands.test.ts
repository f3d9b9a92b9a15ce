import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../../../renderer/sessions/changes/ran-commands.tsx';
import type { Block, Step } from '../../../../renderer/sessions/state/conversation.ts';
import { newTurn } from '../../../../renderer/sessions/state/fold.ts';
import { lane } from '../transcript-page/example.ts';

const step = (id: string, more: Partial<Step> = {}) =>
  ({ kind: 'step', id, stepKind: 'shell', state: 'done', input: { command: id }, lane: null, ...more }) as Step;
const turn = (id: string, ...blocks: Block[]) => ({ ...newTurn(id, null), blocks });

describe('commands that ran', () => {
  it('are those of a turn or of all, with those of subagents, without what was denied, waits for an answer or was only looked at', () => {
    const inner = step('inner');
    const of = lane({ blocks: [inner] });
    const agent = step('agent', { stepKind: 'subagent', lane: of });
    const others = [
      step('no', { state: 'denied' }),
      step('asked', { state: 'waiting' }),
      step('out', { input: { bash_id: '1' } }),
    ];
    const turns = [
      turn('one', step('a'), step('read', { stepKind: 'read' })),
      turn('two', agent, ...others, step('b')),
    ];
    expect(commandsIn({ turns }, 'one').map(({ id }) => id)).toEqual(['a']);
    expect(commandsIn({ turns }, null).map(({ id }) => id)).toEqual(['a', 'inner', 'b']);
  });
});
