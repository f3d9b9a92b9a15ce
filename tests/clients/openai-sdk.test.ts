import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Product, startProduct } from './product.ts';

let product: Product;
let client: OpenAI;
beforeAll(async () => {
  product = await startProduct();
  client = new OpenAI({ baseURL: `${product.baseUrl}/v1`, apiKey: `${product.key}.openai-sdk`, maxRetries: 0 });
});
afterAll(() => product.close());

const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'Bash', parameters } }];
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];

/** Chat passed through, to a Claude's chat, and translated to Responses. */
describe.each(['gpt-4.1', 'claude-sonnet-4.6', 'gpt-5.4'])('B9.14 the official OpenAI SDK, chat, %s', (model) => {
  it('whole', async () => {
    const completion = await client.chat.completions.create({ model, messages: ask('hello there') });
    expect(completion).toMatchObject({ object: 'chat.completion', model });
    expect(completion.choices).toMatchObject([
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: expect.stringContaining('hello there') },
      },
    ]);
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('stream: the same text as its pieces, and the usage that was asked for', async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: ask('hello there'),
      stream_options: { include_usage: true },
    });
    let pieces = '';
    stream.on('content', (delta) => {
      pieces += delta;
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.content).toBe(pieces);
    expect(pieces).toContain('hello there');
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  it('tools: the call, its result, the answer', async () => {
    const messages = ask('run: echo hi');
    const first = await client.chat.completions.stream({ model, tools, messages }).finalChatCompletion();
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (message === undefined || call?.type !== 'function') throw new Error('There was no call.');
    expect([call.function.name, JSON.parse(call.function.arguments)]).toMatchObject(['Bash', { command: 'echo hi' }]);
    const second = await client.chat.completions.create({
      model,
      tools,
      messages: [...messages, message, { role: 'tool', tool_call_id: call.id, content: 'hi from the tool' }],
    });
    expect(second.choices[0]?.message.content).toContain('hi from the tool');
    const row = await product.ended(
      ({ api, askedModel, reason }) => api === 'chat' && askedModel === model && reason?.code === 'tool-results',
    );
    expect([row.client, row.initiator]).toEqual(['openai-sdk', 'agent']);
  });

  it('structured output: `parse` gives the object of the schema', async () => {
    const answer = z.object({ city: z.string(), degrees: z.number(), sunny: z.boolean() });
    const completion = await client.chat.completions.parse({
      model,
      messages: ask('hello there'),
      response_format: zodResponseFormat(answer, 'weather'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ city: 'example', degrees: 1, sunny: true });
  });

  it('structured output: `parse` gives the arguments of a strict tool', async () => {
    const completion = await client.chat.completions.parse({
      model,
      messages: ask('run: echo hi'),
      tools: [zodFunction({ name: 'Bash', parameters: z.object({ command: z.string() }) })],
    });
    const call = completion.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && call.function.parsed_arguments).toMatchObject({ command: 'echo hi' });
  });

  it('abort: the upstream is left', async () => {
    const path = model === 'gpt-5.4' ? '/responses' : '/chat/completions';
    product.simulator.script.next(
      { kind: 'usual', before: (at) => (at < 9 ? undefined : new Promise(() => {})) },
      path,
    );
    const aborted = product.simulator.script.aborted(path);
    const stream = await client.chat.completions.create({ model, messages: ask('count to 50'), stream: true });
    for await (const _ of stream) break;
    await aborted;
    await product.ended(
      ({ api, askedModel, outcome }) => api === 'chat' && askedModel === model && outcome === 'cancelled',
    );
  });
});

describe.each([
  ['gpt-5.4', '/responses'],
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-4.1', '/chat/completions'],
])('B9.14 the official OpenAI SDK, responses, %s', (model, path) => {
  it('whole', async () => {
    const response = await client.responses.create({ model, input: 'hello there' });
    expect([response.status, response.model, response.output_text]).toEqual([
      'completed',
      model,
      expect.stringContaining('hello there'),
    ]);
  });

  it('stream and tools', async () => {
    const bash = [{ type: 'function' as const, name: 'Bash', strict: false, parameters }];
    const stream = client.responses.stream({ model, tools: bash, input: 'run: echo hi' });
    const first = await stream.finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    expect(JSON.parse(call?.arguments ?? 'null')).toMatchObject({ command: 'echo hi' });
    const second = await client.responses.create({
      model,
      tools: bash,
      input: [
        { role: 'user', content: 'run: echo hi' },
        {
          type: 'function_call',
          call_id: call?.call_id ?? '',
          name: call?.name ?? '',
          arguments: call?.arguments ?? '',
        },
        { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'hi from the tool' },
      ],
    });
    expect(second.output_text).toContain('hi from the tool');
  });

  it('a cut answer is an error, not an end', async () => {
    product.simulator.script.next({ kind: 'usual', cutAfter: 6 }, path);
    const stream = await client.responses.create({ model, input: 'hello there', stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow('ended early');
  });

  it('a schema for the answer, read by the SDK', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema' as const, name: 'answer', strict: true, schema };
    const response = await client.responses.parse({ model, input: 'is it?', text: { format } });
    expect(response.output_parsed).toEqual({ ok: true });
  });

  it('an earlier response is not known', async () => {
    const asked = client.responses.create({ model, input: 'x', previous_response_id: 'resp_1' });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });
});

describe('B9.14 the official OpenAI SDK, the rest', () => {
  it('embeddings: the same numbers in either encoding', async () => {
    const asked = { model: 'text-embedding-3-small', input: ['hello', 'there'] };
    const usual = await client.embeddings.create(asked);
    const plain = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    expect(usual.data).toHaveLength(2);
    expect(usual.data[1]?.embedding).toEqual(plain.data[1]?.embedding.map(Math.fround));
  });

  it('models: one list for this SDK and for Anthropic’s', async () => {
    const anthropic = new Anthropic({ baseURL: product.baseUrl, authToken: `${product.key}.sdk`, apiKey: null });
    const ours: OpenAI.Model[] = (await client.models.list()).data;
    const theirs: Anthropic.ModelInfo[] = (await anthropic.models.list()).data;
    expect(ours.map(({ id }) => id)).toEqual(theirs.map(({ id }) => id));
    expect(ours.map(({ id }) => id)).toContain('gpt-5.4');
    expect(await client.models.retrieve('gpt-4.1')).toMatchObject({
      id: 'gpt-4.1',
      object: 'model',
      created: 0,
      owned_by: 'Azure OpenAI',
    });
    expect(await anthropic.models.retrieve('claude-sonnet-4.6')).toMatchObject({
      id: 'claude-sonnet-4.6',
      type: 'model',
      max_input_tokens: 168_000,
      max_tokens: 32_000,
      capabilities: { thinking: { supported: true }, batch: { supported: false } },
      line: 'sonnet',
    });
  });

  it('errors as its own classes', async () => {
    const messages = ask('x');
    const stranger = new OpenAI({ baseURL: `${product.baseUrl}/v1`, apiKey: 'wrong.sdk', maxRetries: 0 });
    await expect(stranger.chat.completions.create({ model: 'gpt-4.1', messages })).rejects.toThrow(
      OpenAI.AuthenticationError,
    );
    await expect(client.chat.completions.create({ model: 'nope', messages })).rejects.toThrow(OpenAI.NotFoundError);
    await expect(client.chat.completions.create({ model: 'gpt-4.1', messages, store: true })).rejects.toThrow(
      OpenAI.BadRequestError,
    );
    product.simulator.script.next({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { message: 'slow', code: 'user_model_rate_limited' } },
    });
    await expect(client.chat.completions.create({ model: 'gpt-4.1', messages })).rejects.toThrow(OpenAI.RateLimitError);
  });
});
