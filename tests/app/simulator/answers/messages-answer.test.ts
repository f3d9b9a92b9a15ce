import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { Client, eventsOf, question, simulate } from '../client.ts';
import { sample } from '../sample.ts';

/** A value with its texts and numbers left out: what is left is the shape, with the order of its fields. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.entries(value).map(([key, one]) => [key, key === 'input' ? 'input' : shape(one)]);
}

/** Neighbouring deltas of one kind count as one: where a text is cut means nothing. */
function shapes(events: readonly unknown[]): unknown[] {
  const all = events.map((event) => JSON.stringify(shape(event)));
  return all.filter((one, at) => one !== all[at - 1]).map((one) => JSON.parse(one));
}

const bash = { name: 'Bash', input_schema: { type: 'object' } };

async function stream(words: string, more: JsonObject = {}): Promise<JsonObject[]> {
  const client = await Client.of(await simulate());
  const text = await (await client.ask(words, { stream: true, ...more })).text();
  return eventsOf(text).map(({ event, data }) => {
    const read = data as JsonObject;
    expect(read.type).toBe(event);
    return read;
  });
}

describe('a stream has the shape of the recorded one', () => {
  it('text', async () => {
    const recorded = sample('messages-native-sonnet46-text.stream-events.json') as unknown[];
    expect(shapes(await stream('count to 9'))).toEqual(shapes(recorded));
  });

  it('a tool call', async () => {
    const recorded = sample('messages-native-sonnet46-tooluse.stream-events.json') as unknown[];
    expect(shapes(await stream('run: ls', { tools: [bash] }))).toEqual(shapes(recorded));
  });
});

it('the pieces of a call are its arguments again, empty piece first', async () => {
  const events = await stream('run: echo hello world and all that is in it', { tools: [bash] });
  const parts = events.flatMap((event) => {
    const delta = event.delta as JsonObject | undefined;
    return typeof delta?.partial_json === 'string' ? [delta.partial_json] : [];
  });
  expect(parts[0]).toBe('');
  expect(JSON.parse(parts.join(''))).toEqual({
    command: 'echo hello world and all that is in it',
    description: 'Run the command that was asked for',
  });
});

it('thinking is signed, and taken back with its signature', async () => {
  const client = await Client.of(await simulate());
  const thinking = { type: 'adaptive' };
  const whole = (await (await client.ask('think about it', { thinking })).json()) as { content: JsonObject[] };
  expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text']);
  const messages = [
    { role: 'user', content: 'think about it' },
    { role: 'assistant', content: whole.content },
    { role: 'user', content: 'go on' },
  ];
  expect((await client.ask('', { thinking, messages })).status).toBe(200);
});

it('omitted thinking is empty but signed', async () => {
  const events = await stream('think about it', { thinking: { type: 'adaptive', display: 'omitted' } });
  expect(events.slice(1, 4)).toEqual([
    { content_block: { signature: '', thinking: '', type: 'thinking' }, index: 0, type: 'content_block_start' },
    { delta: { signature: expect.any(String), type: 'signature_delta' }, index: 0, type: 'content_block_delta' },
    { index: 0, type: 'content_block_stop' },
  ]);
});

it('a whole answer has the fields of the recorded one, in alphabetical order', async () => {
  const client = await Client.of(await simulate());
  const answer = (await (await client.ask('Hello')).json()) as JsonObject;
  const recorded = sample('messages-native-opus48-with-copilot_usage.response.json') as JsonObject;
  expect(Object.keys(answer)).toEqual(Object.keys(recorded));
  expect(shape(answer.copilot_usage)).toEqual(shape(recorded.copilot_usage));
  expect(answer).toMatchObject({ id: expect.stringMatching(/^msg_bdrk_01\w{22}$/), model: 'claude-sonnet-4-6' });
});

it('context management is answered where it was sent', async () => {
  const client = await Client.of(await simulate());
  const beta = { 'anthropic-beta': 'context-management-2025-06-27' };
  const answer = await client.ask('Hello', { context_management: { edits: [] } }, beta);
  expect(await answer.json()).toMatchObject({ context_management: { applied_edits: [] } });
});

describe('the bill', () => {
  it('is the sum of tokens and prices', async () => {
    const client = await Client.of(await simulate());
    const { copilot_usage, usage } = (await (await client.ask('Hello')).json()) as {
      copilot_usage: { token_details: Record<string, number>[]; total_nano_aiu: number };
      usage: JsonObject;
    };
    const [input, , , output] = copilot_usage.token_details;
    expect(input).toMatchObject({ token_type: 'input', token_count: usage.input_tokens, cost_per_batch: 300e9 });
    expect(output).toMatchObject({ token_type: 'output', token_count: usage.output_tokens, cost_per_batch: 1500e9 });
    const total = copilot_usage.token_details.reduce(
      (sum, one) => sum + ((one.token_count ?? 0) * (one.cost_per_batch ?? 0)) / (one.batch_size ?? 1),
      0,
    );
    expect(copilot_usage.total_nano_aiu).toBe(total);
  });

  it('a marked prefix is written once and read from then on', async () => {
    const client = await Client.of(await simulate());
    const system = [{ type: 'text', text: 'rule '.repeat(2000), cache_control: { type: 'ephemeral' } }];
    const usage = async (words: string): Promise<JsonObject> => {
      const answer = (await (await client.ask(words, { system })).json()) as { usage: JsonObject };
      return answer.usage;
    };
    const first = await usage('Hello');
    const written = first.cache_creation_input_tokens;
    expect(written).toBeGreaterThan(2000);
    expect(first.cache_read_input_tokens).toBe(0);
    expect(await usage('Something else')).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: written,
    });
  });

  it('a prefix is found again although its mark has moved on', async () => {
    const client = await Client.of(await simulate());
    const marked = (words: string): JsonObject[] => [
      { type: 'text', text: words, cache_control: { type: 'ephemeral' } },
    ];
    const usage = async (messages: JsonObject[]): Promise<JsonObject> => {
      const answer = (await (await client.ask('', { messages })).json()) as { usage: JsonObject };
      return answer.usage;
    };
    const words = 'word '.repeat(2000);
    const { cache_creation_input_tokens: written } = await usage([{ role: 'user', content: marked(words) }]);
    const second = [
      { role: 'user', content: [{ type: 'text', text: words }] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: marked('And now?') },
    ];
    expect(await usage(second)).toMatchObject({ cache_read_input_tokens: written });
  });

  it('a short prefix is not kept', async () => {
    const client = await Client.of(await simulate());
    const content = [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }];
    const answer = await client.ask('', { ...question(''), messages: [{ role: 'user', content }] });
    expect(await answer.json()).toMatchObject({
      usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    });
  });
});

it('a request that is nested too deeply is refused', async () => {
  const client = await Client.of(await simulate());
  // Written as text: `JSON.stringify` would reach the end of its own stack.
  const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`;
  const body = JSON.stringify({
    ...question('hi'),
    tools: [{ name: 'a', input_schema: { type: 'object', deep: 0 } }],
  }).replace('"deep":0', `"deep":${deep}`);
  const answer = await fetch(`${client.url}/v1/messages`, {
    method: 'POST',
    headers: client.headers({ 'x-initiator': 'user' }),
    body,
  });
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'The request body is nested too deeply' }]);
});
