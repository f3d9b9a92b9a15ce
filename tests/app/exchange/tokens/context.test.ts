import { expect, it } from 'vitest';
import { contextOf } from '../../../../app/exchange/tokens/context.ts';

const long = (tokens: number) => 'word'.repeat(tokens);
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400_000) } };

it.each([
  [
    'Messages',
    {
      max_tokens: 32_000,
      system: [{ type: 'text', text: long(100) }],
      tools: [
        { name: 'Read', description: long(50), input_schema: {} },
        { name: 'mcp__git__log', description: long(300), input_schema: {} },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `<system-reminder>${long(200)}` },
            { type: 'text', text: long(10) },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: long(20), signature: long(9_000) },
            { type: 'redacted_thinking', data: long(9_000) },
            { type: 'tool_use', id: 't', name: 'Read', input: { path: long(40) } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ text: long(500) }, image] }] },
      ],
    },
    { system: 100, tools: 63, mcp: 315, memory: 204, user: 10, assistant: 84, results: 500, images: 1330 },
    32_000,
  ],
  [
    'Chat Completions',
    {
      max_completion_tokens: 500,
      tools: [{ type: 'function', function: { name: 'mcp__a__b', description: long(100) } }],
      messages: [
        { role: 'developer', content: long(30) },
        {
          role: 'user',
          content: [
            { type: 'text', text: long(7) },
            { type: 'image_url', image_url: { url: long(9) } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'x', arguments: long(60) } }] },
        { role: 'tool', tool_call_id: 'c', content: long(80) },
      ],
    },
    { system: 30, mcp: 118, user: 7, assistant: 71, results: 80, images: 1330 },
    500,
  ],
  [
    'Responses',
    {
      instructions: long(30),
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: long(7) }] },
        { type: 'reasoning', encrypted_content: long(9_000), summary: [{ type: 'summary_text', text: long(20) }] },
        { type: 'function_call', name: 'shell', arguments: long(60) },
        { type: 'function_call_output', call_id: 'c', output: long(80) },
      ],
    },
    { system: 30, user: 7, assistant: 108, results: 80 },
    null,
  ],
  ['Responses with a text alone', { input: long(5) }, { user: 5 }, null],
])('what %s fill the context with, without what nobody but the vendor reads', (_api, body, parts, room) => {
  expect(contextOf(body)).toEqual({ parts, room });
});

it('nothing, or what is none, fills nothing', () => {
  expect(contextOf({})).toBeNull();
  expect(contextOf({ messages: [null, 7, { role: 'user', content: 5 }], tools: [null, 'x'], system: 3 })).toBeNull();
  let deep: object = {};
  for (let depth = 0; depth < 50_000; depth += 1) deep = { deep };
  expect(contextOf({ tools: [deep] })?.parts).toEqual({ tools: expect.any(Number) });
});
