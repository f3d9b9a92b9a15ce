import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { findModel } from '../../../../app/simulator/catalog.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';
import { encrypt } from '../../../../app/simulator/signatures.ts';
import type { Check } from '../../../../app/simulator/strict/check.ts';
import { checkResponses } from '../../../../app/simulator/strict/strict-responses.ts';

const user = (...content: JsonObject[]): JsonObject => ({ type: 'message', role: 'user', content });
const text = (words: string): JsonObject => ({ type: 'input_text', text: words });
const said: JsonObject = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] };
const call = (call_id: string): JsonObject => ({ type: 'function_call', call_id, name: 'Bash', arguments: '{}' });
const output = (call_id: string): JsonObject => ({ type: 'function_call_output', call_id, output: '' });
const reasoning = (model = 'gpt-5.4', more: JsonObject = {}): JsonObject => ({
  type: 'reasoning',
  summary: [],
  encrypted_content: encrypt(model, 'hm'),
  ...more,
});
const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'function',
  name,
  parameters: { type: 'object' },
  strict: false,
  ...more,
});
const picture = (url: string): JsonObject => ({ type: 'input_image', image_url: url });

function check(body: JsonObject, more: Partial<Check> = {}): ReturnType<typeof checkResponses> {
  const model = findModel(defaultModels(), 'gpt-5.4');
  if (model === null) throw new Error('gpt-5.4');
  return checkResponses({ body: { model: model.id, input: [user(text('a'))], ...body }, model, ...more });
}

describe('refused', () => {
  const table: [string, JsonObject][] = [
    ['messages', { messages: [] }],
    ['system', { system: 'x' }],
    ['thinking', { thinking: { type: 'adaptive' } }],
    ['stop_sequences', { stop_sequences: ['x'] }],
    ['stop', { stop: ['x'] }],
    ['max_tokens', { max_tokens: 100 }],
    ['no input', { input: [] }],
    ['an earlier response', { previous_response_id: 'resp_1' }],
    ['store', { store: true }],
    ['fewer than 16 tokens', { max_output_tokens: 15 }],
    ['more tokens than the limit', { max_output_tokens: 128_001 }],
    ['a temperature', { temperature: 1 }],
    ['top_p', { top_p: 1 }],
    ['an effort the model has not', { reasoning: { effort: 'max' } }],
    ['a tool of Chat Completions', { tools: [{ type: 'function', function: { name: 'a' } }] }],
    ['a tool of the Messages API', { tools: [{ name: 'a', input_schema: { type: 'object' } }] }],
    ['a name with a dot', { tools: [tool('a.b')] }],
    ['129 tools', { tools: Array.from({ length: 129 }, (_, at) => tool(`t${at}`)) }],
    ['a schema without a type', { tools: [tool('a', { parameters: {} })] }],
    ['a loose schema, strict by default', { tools: [{ ...tool('a'), strict: undefined }] }],
    ['a forced tool without tools', { tool_choice: 'required' }],
    ['a forced tool that is not there', { tools: [tool('a')], tool_choice: { type: 'function', name: 'b' } }],
    ['a forced tool as Chat Completions has it', { tools: [tool('a')], tool_choice: { function: { name: 'a' } } }],
    ['a part of the Messages API', { input: [user({ type: 'text', text: 'a' })] }],
    ['an answer as input_text', { input: [{ ...said, content: [text('b')] }] }],
    ['a role nobody knows', { input: [{ type: 'message', role: 'tool', content: 'a' }] }],
    ['an item nobody knows', { input: [{ type: 'tool_result' }] }],
    ['a call without arguments', { input: [{ ...call('c1'), arguments: undefined }, output('c1')] }],
    ['an unanswered call', { input: [call('c1'), call('c2'), output('c1')] }],
    ['an answer nobody called for', { input: [output('c1')] }],
    ['an id of 65 letters', { input: [call('c'.repeat(65)), output('c'.repeat(65))] }],
    ['an output that is a list', { input: [call('c1'), { ...output('c1'), output: [text('a')] }] }],
    ['reasoning of another model', { input: [reasoning('gpt-5-mini'), said] }],
    ['reasoning nobody encrypted', { input: [{ ...reasoning(), encrypted_content: 'hm' }, said] }],
    ['reasoning under another id', { input: [reasoning('gpt-5.4', { id: 'rs_1' }), said] }],
    ['reasoning without a summary', { input: [reasoning('gpt-5.4', { summary: undefined }), said] }],
    ['reasoning that led to nothing', { input: [reasoning(), user(text('a'))] }],
    ['reasoning at the end', { input: [user(text('a')), reasoning()] }],
    ['a picture by its address', { input: [user(picture('https://a/b.png'))] }],
    ['two pictures where one is taken', { input: [user(picture('data:,'), picture('data:,'))] }],
    ['a prompt that is too long', { input: [user(text('x'.repeat(1_100_000)))] }],
  ];
  it.each(table)('%s', (_, body) => {
    expect(check(body)?.status).toBe(400);
  });
});

describe('taken', () => {
  const table: [string, JsonObject][] = [
    ['a plain string', { input: 'Hello' }],
    ['16 tokens', { max_output_tokens: 16 }],
    ['an effort the model has', { reasoning: { effort: 'low', summary: 'auto' }, store: false }],
    [
      'a strict schema',
      { tools: [tool('a', { strict: true, parameters: { type: 'object', additionalProperties: false } })] },
    ],
    ['a forced tool', { tools: [tool('a')], tool_choice: { type: 'function', name: 'a' } }],
    [
      'calls, their outputs, and the reasoning before them',
      { input: [user(text('a')), reasoning(), call('c1'), call('c2'), output('c2'), output('c1'), reasoning(), said] },
    ],
    ['a system message', { input: [{ type: 'message', role: 'system', content: [text('a')] }, user(text('b'))] }],
    ['a large picture', { input: [user(picture(`data:image/png;base64,${'A'.repeat(3_000_000)}`))] }],
  ];
  it.each(table)('%s', (_, body) => {
    expect(check(body)).toBeNull();
  });
});
