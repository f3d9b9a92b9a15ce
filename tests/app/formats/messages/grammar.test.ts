import { describe, expect, it } from 'vitest';
import { MessagesGrammar } from '../../../../app/formats/messages/grammar.ts';

type Step = [type: string, index?: number, detail?: string];

function firstWrong(steps: Step[]): string | null {
  const grammar = new MessagesGrammar();
  for (const [type, index, detail] of steps) {
    const wrong = grammar.take(type, index ?? null, detail ?? null);
    if (wrong !== null) return wrong;
  }
  return null;
}

const start: Step = ['message_start'];
const block: Step[] = [
  ['content_block_start', 0, 'text'],
  ['content_block_delta', 0, 'text_delta'],
  ['content_block_stop', 0],
];

describe('MessagesGrammar', () => {
  it('takes a whole message, with pings and unknown events between', () => {
    const grammar = new MessagesGrammar();
    const steps: Step[] = [
      ['ping'],
      start,
      ['ping'],
      ...block,
      ['tomorrow'],
      ['message_delta'],
      ['message_delta'],
      ['message_stop'],
    ];
    expect(steps.map(([type, index, detail]) => grammar.take(type, index, detail))).toEqual(steps.map(() => null));
    expect([grammar.ended, grammar.failed, grammar.open]).toEqual([true, false, null]);
  });

  it('takes a message without a block', () => {
    expect(firstWrong([start, ['message_delta'], ['message_stop']])).toBeNull();
  });

  it('an error ends it anywhere', () => {
    expect(firstWrong([['error']])).toBeNull();
    expect(firstWrong([start, ['content_block_start', 0, 'text'], ['error']])).toBeNull();
    expect(firstWrong([start, ['error'], ['content_block_stop', 0]])).toBe('content_block_stop after the end');
    expect(firstWrong([start, ['error'], ['message_stop']])).toBe('message_stop after the end');
  });

  it.each<[string, Step[]]>([
    ['content_block_start before message_start', [['content_block_start', 0, 'text']]],
    ['a second message_start', [start, start]],
    ['content_block_start 1 where 0 was due', [start, ['content_block_start', 1, 'text']]],
    [
      'content_block_start while block 0 is open',
      [start, ['content_block_start', 0, 'text'], ['content_block_start', 1, 'text']],
    ],
    ['content_block_delta 0 without its block', [start, ...block, ['content_block_delta', 0, 'text_delta']]],
    [
      'content_block_delta 1 without its block',
      [start, ['content_block_start', 0, 'text'], ['content_block_delta', 1, 'text_delta']],
    ],
    ['content_block_stop 0 without its block', [start, ['content_block_stop', 0]]],
    [
      'input_json_delta in a text block',
      [start, ['content_block_start', 0, 'text'], ['content_block_delta', 0, 'input_json_delta']],
    ],
    [
      'text_delta in a tool_use block',
      [start, ['content_block_start', 0, 'tool_use'], ['content_block_delta', 0, 'text_delta']],
    ],
    ['message_delta while block 0 is open', [start, ['content_block_start', 0, 'text'], ['message_delta']]],
    ['message_stop while block 0 is open', [start, ['content_block_start', 0, 'text'], ['message_stop']]],
    ['message_stop before message_delta', [start, ...block, ['message_stop']]],
    ['content_block_start after message_delta', [start, ['message_delta'], ['content_block_start', 0, 'text']]],
    ['ping after the end', [start, ['message_delta'], ['message_stop'], ['ping']]],
  ])('refuses %s', (sentence, steps) => {
    expect(firstWrong(steps)).toBe(sentence);
  });

  it('lets deltas of tomorrow and tools of the server pass', () => {
    expect(
      firstWrong([
        start,
        ['content_block_start', 0, 'server_tool_use'],
        ['content_block_delta', 0, 'input_json_delta'],
      ]),
    ).toBeNull();
    expect(
      firstWrong([start, ['content_block_start', 0, 'compaction'], ['content_block_delta', 0, 'compaction_delta']]),
    ).toBeNull();
  });
});
