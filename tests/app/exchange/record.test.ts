import { expect, it } from 'vitest';
import { requestShape, toolsBefore } from '../../../app/exchange/record.ts';

it.each([
  ['nothing', null, {}],
  ['a list', [1], {}],
  [
    'messages that are none',
    { messages: [null, 'x', { role: 7 }, { role: 'my secret role!' }] },
    { messages: { other: 2 } },
  ],
  [
    'Responses input',
    {
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_image' }, { type: 'input_text' }] },
        { type: 'function_call_output', output: [{ type: 'input_image' }] },
      ],
      reasoning: { effort: 'low' },
      tools: [{}, {}],
    },
    { messages: { user: 1, function_call_output: 1 }, images: 2, tools: 2, thinking: 'effort low' },
  ],
  [
    'images in tool results',
    {
      messages: [
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'image' }, { type: 'text' }] }] },
        { role: 'user', content: [{ type: 'image_url' }] },
      ],
      thinking: { type: 'enabled', budget_tokens: 8000 },
    },
    { messages: { user: 2 }, images: 2, thinking: '8000 tokens' },
  ],
  [
    'words where a word of the format belongs',
    { thinking: { type: 'Our secret plan' }, output_config: { effort: 'Also secret' } },
    { thinking: 'other, effort other' },
  ],
  ['thinking that is off', { thinking: { type: 'disabled' }, reasoning_effort: 'high' }, { thinking: 'effort high' }],
])('the shape of %s', (_name, body, shape) => {
  expect(requestShape(body, 9)).toEqual({ bytes: 9, messages: {}, tools: 0, images: 0, thinking: null, ...shape });
});

it.each([
  [undefined, []],
  ['', []],
  [
    'Bash=24;Read=3',
    [
      ['Bash', 24],
      ['Read', 3],
    ],
  ],
  ['mcp__a__b.c:d=0.5', [['mcp__a__b.c:d', 0.5]]],
  ['no list, but words of a person', []],
  ['Bash=-1;Read=1e9;=3;Read', []],
  ['x=1;'.repeat(1000), Array.from({ length: 64 }, () => ['x', 1])],
])('tools before, of %j', (value, tools) => {
  expect(toolsBefore({ 'x-claude-code-prev-tool-durations': value }).map(({ name, took }) => [name, took])).toEqual(
    tools,
  );
});
