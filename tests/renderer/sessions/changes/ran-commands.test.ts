import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../../../renderer/sessions/changes/ran-commands.tsx';
import type { Block, Conversation, Step } from '../../../../renderer/sessions/state/conversation.ts';

const step = (id: string, more: Partial<Step> = {}) =>
  ({ kind: 'step', id, stepKind: 'shell', state: 'done', input: { command: id }, lane: null, ...more }) as Step;
const turn = (id: string, ...blocks: Block[]) => ({ id, blocks }) as unknown as Conversation['turns'][number];

describe('commands that ran', () => {
  it('are those of a turn or of all, with those of subagents, without what was denied or only looked at', () => {
    const inner = step('inner');
    const lane = { blocks: [inner] } as unknown as Step['lane'];
    const agent = step('agent', { stepKind: 'subagent', lane });
    const others = [step('no', { state: 'denied' }), step('out', { input: { bash_id: '1' } })];
    const turns = [
      turn('one', step('a'), step('read', { stepKind: 'read' })),
      turn('two', agent, ...others, step('b')),
    ];
    expect(commandsIn({ turns }, 'one').map(({ id }) => id)).toEqual(['a']);
    expect(commandsIn({ turns }, null).map(({ id }) => id)).toEqual(['a', 'inner', 'b']);
  });
});
