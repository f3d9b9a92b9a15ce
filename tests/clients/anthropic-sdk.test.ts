import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from './product.ts';

let product: Product;
let client: Anthropic;
beforeAll(async () => {
  product = await startProduct();
  client = new Anthropic({ baseURL: product.baseUrl, authToken: `${product.key}.sdk`, apiKey: null, maxRetries: 0 });
});
afterAll(() => product.close());

const tools: Anthropic.Tool[] = [
  {
    name: 'Bash',
    description: 'Runs a command',
    input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
];
const ask = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];

describe.each(['claude-sonnet-4.6', 'gpt-4.1'])('B9.14 the official Anthropic SDK, %s', (model) => {
  it('whole', async () => {
    const message = await client.messages.create({ model, max_tokens: 300, messages: ask('hello there') });
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(message.content).toEqual([{ type: 'text', text: expect.stringContaining('hello there') }]);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  it('stream: the same text as its pieces', async () => {
    const stream = client.messages.stream({ model, max_tokens: 300, messages: ask('hello there') });
    let pieces = '';
    stream.on('text', (text) => {
      pieces += text;
    });
    const message = await stream.finalMessage();
    expect(message).toMatchObject({
      role: 'assistant',
      model,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: pieces }],
    });
    expect(pieces).toContain('hello there');
  });

  it('tools: the call, its result, the answer', async () => {
    const messages = ask('run: echo hi');
    const first = await client.messages.stream({ model, max_tokens: 300, tools, messages }).finalMessage();
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ name: 'Bash', input: { command: 'echo hi' } });
    const second = await client.messages.create({
      model,
      max_tokens: 300,
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'hi from the tool' }] },
      ],
    });
    expect(second.content).toMatchObject([{ type: 'text', text: expect.stringContaining('hi from the tool') }]);
    const row = await product.ended(
      ({ client: label, askedModel, reason }) =>
        label === 'sdk' && askedModel === model && reason?.code === 'tool-results',
    );
    expect(row.initiator).toBe('agent');
  });

  it('abort: the upstream is left within 2 s', async () => {
    const path = model.startsWith('claude') ? '/v1/messages' : '/chat/completions';
    product.simulator.script.next(
      { kind: 'usual', before: (at) => (at < 3 ? undefined : new Promise(() => {})) },
      path,
    );
    const aborted = product.simulator.script.aborted(path);
    const stream = client.messages.stream({ model, max_tokens: 300, messages: ask('count to 50') });
    stream.once('streamEvent', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
    await aborted;
    await product.ended(({ askedModel, outcome }) => askedModel === model && outcome === 'cancelled');
  });
});

describe('errors arrive as the SDK’s own classes', () => {
  it('an unknown model', async () => {
    await expect(client.messages.create({ model: 'nope', max_tokens: 10, messages: ask('x') })).rejects.toThrow(
      Anthropic.NotFoundError,
    );
  });
  it('a wrong key', async () => {
    const stranger = new Anthropic({ baseURL: product.baseUrl, authToken: 'wrong.sdk', apiKey: null, maxRetries: 0 });
    await expect(stranger.messages.create({ model: 'x', max_tokens: 10, messages: ask('x') })).rejects.toThrow(
      Anthropic.AuthenticationError,
    );
  });
  it('count_tokens and models', async () => {
    const counted = await client.messages.countTokens({ model: 'claude-sonnet-4.6', messages: ask('hello there') });
    expect(counted.input_tokens).toBeGreaterThan(0);
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toContain('claude-sonnet-4.6');
    expect((await client.models.retrieve('claude-sonnet-4-6')).display_name).toBe('Claude Sonnet 4.6');
  });
});
