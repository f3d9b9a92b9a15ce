import { expect, it } from 'vitest';
import type { Shape } from '../../../../app/api/exchange.ts';
import { answerShape, requestShape } from '../../../../renderer/requests/detail/shape-words.ts';
import { exchange } from '../../../exchange.ts';

const shape: Shape = {
  request: {
    bytes: 241_882,
    messages: { user: 8, assistant: 7 },
    tools: 12,
    images: 0,
    thinking: 'adaptive, effort high',
  },
  answer: {
    bytes: 38_204,
    events: 318,
    blocks: [
      { type: 'thinking', name: null },
      { type: 'text', name: null },
      { type: 'tool_use', name: 'Read' },
      { type: 'tool_use', name: 'Bash' },
      { type: 'tool_use', name: 'Read' },
    ],
    longestGap: 1920,
    pings: 0,
  },
  toolsBefore: [],
};

const reported = (entries: ReturnType<typeof requestShape>) =>
  entries.filter((entry) => entry !== null).map(({ name, value }) => [name, value]);

it('a request in figures', () => {
  expect(reported(requestShape(exchange({ shape })))).toEqual([
    ['Size', '241,882 bytes'],
    ['Messages', '15 (8 user, 7 assistant)'],
    ['Tools', '12'],
    ['Images', '0'],
    ['Thinking', 'adaptive, effort high'],
    ['Streamed', 'Yes'],
  ]);
});

it('an answer in figures', () => {
  expect(reported(answerShape(exchange({ shape })))).toEqual([
    ['Stop reason', 'tool_use'],
    ['Blocks', '1 thinking, 1 text, 3 tool_use (Read, Bash)'],
    ['Events', '318'],
    ['Size', '38,204 bytes'],
  ]);
});

it('of rows from before there is what they hold', () => {
  expect(reported(requestShape(exchange({ streamed: false })))).toEqual([
    ['Input', '412 tokens'],
    ['Streamed', 'No'],
  ]);
  expect(reported(answerShape(exchange()))).toEqual([
    ['Stop reason', 'tool_use'],
    ['Output', '1,187 tokens'],
  ]);
});
