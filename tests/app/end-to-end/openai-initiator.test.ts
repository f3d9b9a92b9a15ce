import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../stack.ts';

/**
 * Who started it, as Copilot is told for clients of OpenAI's APIs: from the request as it came in, whatever the client
 * says of itself.
 */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const user = (content: unknown) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'a file' };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const tools = [{ type: 'function', function: { name: 'Bash', parameters: { type: 'object', properties: {} } } }];

const itemCall = { type: 'function_call', call_id: 'c1', name: 'Bash', arguments: '{}' };
const itemResult = { type: 'function_call_output', call_id: 'c1', output: 'a file' };
const flatTools = [{ type: 'function', name: 'Bash', strict: false, parameters: { type: 'object', properties: {} } }];

type Row = [name: string, body: Record<string, unknown>, initiator: 'user' | 'agent', code: string];
const chat: Row[] = [
  ['a text', { messages: [user('hi')] }, 'user', 'prompt'],
  ['parts', { messages: [user([{ type: 'text', text: 'hi' }])] }, 'user', 'prompt'],
  ['an image alone', { messages: [user([image])] }, 'user', 'prompt'],
  ['a prompt of old', { prompt: 'hi' }, 'user', 'prompt'],
  ['A12.36 a text after turns', { messages: [user('a'), said('b'), user('c')] }, 'user', 'prompt'],
  ['A12.37 a prepared answer', { messages: [user('a'), said('b')] }, 'user', 'prompt'],
  ['a system message last', { messages: [user('a'), { role: 'system', content: 's' }] }, 'user', 'prompt'],
  ['A12.35 a result', { tools, messages: [user('a'), call, result] }, 'agent', 'tool-results'],
  [
    'a result, and a system message last',
    { tools, messages: [user('a'), call, result, { role: 'developer', content: 's' }] },
    'user',
    'unclear',
  ],
  ['a result, and words', { tools, messages: [user('a'), call, result, user('and this')] }, 'user', 'prompt'],
  ['a result, and an image', { tools, messages: [user('a'), call, result, user([image])] }, 'user', 'prompt'],
  ['nothing that was said', { messages: [{ role: 'system', content: 's' }] }, 'user', 'unclear'],
];
const responses: Row[] = [
  ['a text', { input: 'hi' }, 'user', 'prompt'],
  ['an item', { input: [user('hi')] }, 'user', 'prompt'],
  ['A12.38 a result', { tools: flatTools, input: [user('a'), itemCall, itemResult] }, 'agent', 'tool-results'],
  [
    'A12.39 a result, and words',
    { tools: flatTools, input: [user('a'), itemCall, itemResult, user('and this')] },
    'user',
    'prompt',
  ],
];

describe.each([
  ['/v1/chat/completions', 'gpt-4.1', chat],
  // Translated, where the messages are others when they go out.
  ['/v1/chat/completions', 'gpt-5.4', chat.filter(([name]) => name !== 'nothing that was said')],
  ['/v1/responses', 'gpt-5.4', responses],
])('%s with %s', (path, model, rows) => {
  it.each(rows)('%s', async (_name, body, initiator, code) => {
    const before = stack.simulator.requests.length;
    const answer = await stack.send({
      method: 'POST',
      path,
      // A12.32, A12.33: the client's own word is dropped in either direction.
      headers: { 'x-initiator': initiator === 'user' ? 'agent' : 'user' },
      body: JSON.stringify({ model, ...body }),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const sent = stack.simulator.requests.slice(before).filter((each) => each.method === 'POST');
    expect(sent.map((each) => each.initiator)).toEqual([initiator]);
    const [row] = (await stack.app.exchanges({ limit: 1 })).slice(-1);
    expect([row?.initiator, row?.reason?.code]).toEqual([initiator, code]);
  });
});
