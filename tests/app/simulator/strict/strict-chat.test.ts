import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { findModel } from '../../../../app/simulator/catalog.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';
import { type ChatCheck, checkChat } from '../../../../app/simulator/strict/strict-chat.ts';
import { sample } from '../sample.ts';

const user = (content: unknown): JsonObject => ({ role: 'user', content });
const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'Bash', arguments: '{}' } });
const calls = (...ids: string[]): JsonObject => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
const answered = (tool_call_id: string): JsonObject => ({ role: 'tool', tool_call_id, content: '' });
const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'function',
  function: { name, parameters: { type: 'object' }, ...more },
});
const picture = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } });

function check(body: JsonObject, more: Partial<ChatCheck> & { id?: string } = {}): ReturnType<typeof checkChat> {
  const { id = 'gpt-4.1', ...rest } = more;
  const model = findModel(defaultModels(), id);
  if (model === null) throw new Error(id);
  return checkChat({ body: { model: id, messages: [user('Hello')], ...body }, model, vision: true, ...rest });
}

describe('refused', () => {
  it('error-400-empty-text-block.chat-completions', () => {
    const recorded = { status: 400, body: sample('error-400-empty-text-block.chat-completions.json') };
    expect(check({ messages: [user([{ type: 'text', text: ' ' }])] })).toEqual(recorded);
    expect(check({ messages: [user('')] })).toEqual(recorded);
  });

  const table: [string, JsonObject, string?][] = [
    ['top-level system', { system: 'x' }],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['output_config', { output_config: { effort: 'low' } }],
    ['context_management', { context_management: { edits: [] } }],
    ['stop_sequences', { stop_sequences: ['x'] }],
    ['no messages', { messages: [] }],
    ['stream_options of a whole answer', { stream_options: { include_usage: true } }],
    ['a block of the Messages API', { messages: [user([{ type: 'tool_result', tool_use_id: 'x' }])] }],
    ['cache_control', { messages: [user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }])] }],
    ['a tool of the Messages API', { tools: [{ name: 'Bash', input_schema: { type: 'object' } }] }],
    ['a name of 65 letters', { tools: [tool('x'.repeat(65))] }],
    ['a name with a dot', { tools: [tool('a.b')] }],
    ['129 tools', { tools: Array.from({ length: 129 }, (_, at) => tool(`t${at}`)) }],
    ['a schema without a type', { tools: [tool('a', { parameters: {} })] }],
    ['tool_choice without tools', { tool_choice: 'auto' }],
    [
      'a forced tool that is not there',
      { tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
    ],
    ['an unanswered call', { messages: [user('a'), calls('c1', 'c2'), answered('c1'), user('b')] }],
    ['an unanswered call at the end', { messages: [user('a'), calls('c1')] }],
    ['an answer nobody called for', { messages: [user('a'), answered('c1')] }],
    [
      'reasoning_text alone',
      { messages: [user('a'), { role: 'assistant', content: 'b', reasoning_text: 'c' }, user('d')] },
    ],
    ['a picture by its address', { messages: [user([picture('https://a/b.png')])] }],
    [
      'two pictures where one is taken',
      { messages: [user([picture('data:image/png;base64,AA'), picture('data:image/png;base64,AA')])] },
    ],
    ['max_tokens over the limit', { max_tokens: 16_385 }],
    ['an effort the model has not', { reasoning_effort: 'high' }],
    ['a prompt that is too long', { messages: [user('x'.repeat(520_000))] }],
    ['a begun answer', { messages: [user('a'), { role: 'assistant', content: 'b' }] }, 'claude-sonnet-4.6'],
  ];
  it.each(table)('%s', (_, body, id) => {
    expect(check(body, id === undefined ? {} : { id })?.status).toBe(400);
  });

  it('a picture without the vision header', () => {
    const messages = [user([picture('data:image/png;base64,AA')])];
    expect(check({ messages }, { vision: false })?.body).toEqual({
      error: { message: 'missing required Copilot-Vision-Request header for vision requests', code: '' },
    });
    expect(check({ messages })).toBeNull();
  });
});

describe('taken', () => {
  const table: [string, JsonObject, string?][] = [
    [
      'tools and their answers',
      { tools: [tool('Bash')], messages: [user('a'), calls('c1', 'c2'), answered('c2'), answered('c1')] },
    ],
    ['copilot_cache_control', { messages: [{ ...user('a'), copilot_cache_control: { type: 'ephemeral' } }] }],
    [
      'both halves of reasoning',
      {
        messages: [
          user('a'),
          { role: 'assistant', content: 'b', reasoning_text: 'c', reasoning_opaque: 'd' },
          user('e'),
        ],
      },
    ],
    ['128 tools', { tools: Array.from({ length: 128 }, (_, at) => tool(`t${at}`)) }],
    ['a stream with usage', { stream: true, stream_options: { include_usage: true } }],
    ['an effort the model has', { reasoning_effort: 'low' }, 'gpt-5-mini'],
    [
      'a begun answer of an older model',
      { messages: [user('a'), { role: 'assistant', content: 'b' }] },
      'claude-sonnet-4.5',
    ],
  ];
  it.each(table)('%s', (_, body, id) => {
    expect(check(body, id === undefined ? {} : { id })).toBeNull();
  });
});
