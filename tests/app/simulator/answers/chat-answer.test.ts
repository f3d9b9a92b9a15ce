import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import type { ChatQuirks } from '../../../../app/simulator/simulator.ts';
import { Client, eventsOf, simulate } from '../client.ts';

const tools = [{ type: 'function', function: { name: 'Bash', parameters: { type: 'object' } } }];
const usage = { stream: true, stream_options: { include_usage: true } };

interface Chunk {
  choices: { index: number; delta: JsonObject; finish_reason?: string }[];
  usage?: JsonObject | null;
  copilot_usage?: JsonObject;
  [key: string]: unknown;
}

async function ask(model: string, words: string, more: JsonObject = {}, quirks: ChatQuirks = {}): Promise<Response> {
  const simulator = await simulate();
  simulator.script.quirks(quirks);
  const client = await Client.of(simulator);
  return client.post('/chat/completions', { model, messages: [{ role: 'user', content: words }], ...more });
}

async function stream(
  model: string,
  words: string,
  more: JsonObject = usage,
  quirks: ChatQuirks = {},
): Promise<Chunk[]> {
  const events = eventsOf(await (await ask(model, words, more, quirks)).text());
  expect(events.every((event) => event.event === null)).toBe(true);
  expect(events.at(-1)?.data).toBe('[DONE]');
  return events.slice(0, -1).map((event) => event.data as Chunk);
}

const finishOf = (chunks: Chunk[]): Chunk | undefined =>
  chunks.find((chunk) => chunk.choices.some((choice) => choice.finish_reason !== undefined));
const callsOf = (chunks: Chunk[]): JsonObject[] =>
  chunks.flatMap((chunk) => chunk.choices.flatMap((choice) => (choice.delta.tool_calls ?? []) as JsonObject[]));

describe('streams', () => {
  it('GPT: a filter chunk first, usage null, usage alone on the last', async () => {
    const chunks = await stream('gpt-4.1', 'count to 3');
    expect(chunks[0]).toMatchObject({ choices: [], id: '', model: '', prompt_filter_results: [expect.anything()] });
    const text = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta.content ?? '')).join('');
    expect(text).toBe('1, 2, 3');
    expect(chunks[1]?.usage).toBeNull();
    expect(finishOf(chunks)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: null });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
      copilot_usage: { total_nano_aiu: expect.any(Number) },
    });
  });

  it('without include_usage there is none', async () => {
    const chunks = await stream('gpt-4.1', 'count to 3', { stream: true });
    expect(chunks.filter((chunk) => chunk.usage != null)).toEqual([]);
    expect(finishOf(chunks)).toBe(chunks.at(-1));
  });

  it('Claude: two calls with index 0, usage on the finish chunk', async () => {
    const chunks = await stream('claude-sonnet-4.5', 'run: echo 1\nrun: echo 2', { ...usage, tools });
    const calls = callsOf(chunks);
    expect(new Set(calls.map((call) => call.index))).toEqual(new Set([0]));
    const starts = calls.filter((call) => call.id !== undefined);
    expect(starts).toHaveLength(2);
    expect(starts[0]).toMatchObject({ function: { arguments: '', name: 'Bash' }, type: 'function' });
    expect(finishOf(chunks)).toMatchObject({
      choices: [{ finish_reason: 'tool_calls' }],
      usage: { total_tokens: expect.any(Number) },
      copilot_usage: expect.anything(),
    });
  });

  it('GPT: every call has its own index', async () => {
    const calls = callsOf(await stream('gpt-4.1', 'run: echo 1\nrun: echo 2', { ...usage, tools }));
    expect(new Set(calls.map((call) => call.index))).toEqual(new Set([0, 1]));
  });

  it('Gemini: reasoning_text, then reasoning_opaque', async () => {
    const chunks = await stream('gemini-3.1-pro-preview', 'think about it', { ...usage, reasoning_effort: 'low' });
    const kinds = chunks.flatMap((chunk) => chunk.choices.map((choice) => Object.keys(choice.delta)));
    expect(kinds[0]).toContain('reasoning_text');
    const opaque = kinds.findIndex((keys) => keys.includes('reasoning_opaque'));
    expect(opaque).toBeGreaterThan(0);
    expect(kinds.slice(opaque + 1).some((keys) => keys.includes('reasoning_text'))).toBe(false);
  });

  it('quirks on demand', async () => {
    const quirks = { deltaAfterFinish: true, usageOn: 'finish', promptFilter: false } as const;
    const chunks = await stream('gpt-4.1', 'count to 3', usage, quirks);
    expect(chunks[0]?.choices).toHaveLength(1);
    expect(chunks.at(-1)?.choices[0]?.delta).toHaveProperty('cot_id');
    expect(finishOf(chunks)?.usage).toHaveProperty('total_tokens');
    const open = eventsOf(await (await ask('gpt-4.1', 'count to 3', usage, { noDone: true })).text());
    expect(open.at(-1)?.data).not.toBe('[DONE]');
  });
});

describe('whole answers', () => {
  it('text and calls in one choice', async () => {
    const answer = await ask('gpt-4.1', 'run: echo 1', { tools });
    expect(await answer.json()).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [{ function: { name: 'Bash' }, type: 'function' }] },
        },
      ],
      model: 'gpt-4.1',
      usage: { prompt_tokens_details: { cached_tokens: 0 } },
      copilot_usage: { total_nano_aiu: expect.any(Number) },
    });
  });

  it('cut at max_tokens', async () => {
    const answer = await ask('gpt-4.1', 'count to 500', { max_tokens: 5 });
    expect(await answer.json()).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  });
});

it('gpt-5.4 answers on another path only', async () => {
  const answer = await ask('gpt-5.4', 'Hello');
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      error: {
        message: 'model "gpt-5.4" is not accessible via the /chat/completions endpoint',
        code: 'unsupported_api_for_model',
      },
    },
  ]);
});
