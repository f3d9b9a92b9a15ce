import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { FakeSearch, failed, found } from '../exchange/features/web-search/fake-search.ts';
import { disorder } from '../formats/stream.ts';
import { eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/** Clients that offer a web search beside their own tools: the model calls for it, and it is made here. */

let stack: Stack;
let search: FakeSearch;
let client: Anthropic;
beforeEach(async () => {
  search = new FakeSearch();
  stack = await startStack({ app: { webSearch: search } });
  await stack.app.models();
  client = new Anthropic({ baseURL: stack.baseUrl, apiKey: `${stack.key}.sdk`, maxRetries: 0 });
});
afterEach(() => stack.close());

const webSearch: Anthropic.WebSearchTool20250305 = { type: 'web_search_20250305', name: 'web_search' };
const read: Anthropic.Tool = {
  name: 'Read',
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
};
const tools = [webSearch, read];
const search1 = 'use: web_search {"query":"node 24"}';
const search2 = 'use: web_search {"query":"node 25"}';
const readFile = 'use: Read {"file_path":"a.txt"}';
const paths = [
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-5.4', '/responses'],
  ['gpt-4.1', '/chat/completions'],
] as const;
const inference = () =>
  stack.simulator.requests.filter(({ method, path }) => method === 'POST' && paths.some(([, each]) => each === path));
const bodies = (): JsonObject[] => inference().map(({ body }) => (isObject(body) ? body : {}));
const ask = (words: string, more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) =>
  client.messages
    .stream({
      model: 'claude-sonnet-4.6',
      max_tokens: 2000,
      tools,
      messages: [{ role: 'user', content: words }],
      ...more,
    })
    .finalMessage();
const citationsIn = (message: Anthropic.Message) =>
  message.content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : []));

describe.each(paths)('C13.1 a search on %s, through %s', (model, path) => {
  it('C13.1 is one answer: call, result, what the model made of it; one user, and the rows add up', async () => {
    const message = await ask(search1, { model });
    expect(message.content.slice(0, 3)).toMatchObject([
      { type: 'server_tool_use', name: 'web_search', input: { query: 'node 24' } },
      {
        type: 'web_search_tool_result',
        content: [{ url: 'https://one.example/page' }, { url: 'https://two.example/page' }],
      },
      { type: 'text' },
    ]);
    const [call, result] = message.content;
    expect(result).toMatchObject({ tool_use_id: (call as { id: string }).id });
    expect([message.stop_reason, message.usage.server_tool_use?.web_search_requests]).toEqual(['end_turn', 1]);
    expect(citationsIn(message)).toMatchObject([
      { type: 'web_search_result_location', url: 'https://one.example/page' },
      { type: 'web_search_result_location', url: 'https://two.example/page' },
    ]);
    expect(inference().map(({ path: to, initiator }) => [to, initiator])).toEqual([
      [path, 'user'],
      [path, 'agent'],
    ]);
    const rows = await stack.rows(2);
    const [further, first] = rows;
    expect(
      rows.map(({ path: to, initiator, outcome, status, reason, client: who }) => [
        to,
        initiator,
        outcome,
        status,
        reason?.code,
        who,
      ]),
    ).toEqual([
      [path, 'agent', 'done', 200, 'tool-results', 'sdk'],
      [path, 'user', 'done', 200, 'prompt', 'sdk'],
    ]);
    expect([first?.stopReason, further?.stopReason]).toEqual(['tool_use', 'end_turn']);
    const billed = rows.map(({ charge }) => charge.nanoAiu ?? 0);
    expect(billed.every((amount) => amount > 0)).toBe(true);
    const tokens = rows.reduce((sum, row) => sum + (row.tokens.output ?? 0), 0);
    expect(message.usage.output_tokens).toBe(tokens);
    expect(search.asked).toMatchObject([
      { query: { query: 'node 24' }, context: { cause: { counted: true, exchange: first?.id } } },
    ]);
    expect(stack.simulator.script.violations).toEqual([]);
  });

  it('comes back in the history as the model saw it', async () => {
    const first = await ask(search1, { model });
    await stack.rows(2);
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: search1 },
      { role: 'assistant', content: first.content },
      { role: 'user', content: 'and now?' },
    ];
    const second = await ask('', { model, messages });
    expect(second.stop_reason).toBe('end_turn');
    const [, again, third] = bodies();
    // What was sent within the first answer stands at the beginning of what is sent now.
    const listOf = (body: JsonObject | undefined): unknown[] => (body?.messages ?? body?.input) as unknown[];
    const now: unknown = JSON.parse(
      JSON.stringify(listOf(third).slice(0, listOf(again).length)).replaceAll('toolu_call_', 'call_'),
    );
    expect(now).toEqual(listOf(again));
  });

  it('a call of the client’s own tool beside it goes to the client, with what was found', async () => {
    const words = `${search1}\n${readFile}`;
    const message = await ask(words, { model });
    const types = message.content.map(({ type }) => type);
    expect([...types].sort()).toEqual(['server_tool_use', 'tool_use', 'web_search_tool_result']);
    expect(types.indexOf('web_search_tool_result')).toBe(types.indexOf('server_tool_use') + 1);
    expect(message.stop_reason).toBe('tool_use');
    expect(inference()).toHaveLength(1);
    const use = message.content.find(({ type }) => type === 'tool_use') as Anthropic.ToolUseBlock;
    const second = await ask('', {
      model,
      messages: [
        { role: 'user', content: words },
        { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'the file' }] },
      ],
    });
    expect(second.stop_reason).toBe('end_turn');
    expect(JSON.stringify(bodies()[1])).toContain('What one says.');
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'agent']);
  });
});

describe('the block grammar', () => {
  it('holds, streamed and whole alike, with two searches at once and an own call between', async () => {
    const body = prompt(`${search1}\n${readFile}\n${search2}`, { tools });
    const events = eventsOf((await stack.messages(body)).text).map(({ data }) => data);
    expect(disorder(events)).toBeNull();
    const blocks = events
      .filter(({ type }) => type === 'content_block_start')
      .map((event) => Object(event.content_block));
    const whole = Object((await stack.messages({ ...body, stream: false })).json());
    expect(whole.content.map(({ type }: { type: string }) => type)).toEqual(blocks.map(({ type }) => type));
    const results = blocks.filter(({ type }) => type === 'web_search_tool_result');
    const calls = blocks.filter(({ type }) => type === 'server_tool_use');
    expect(results.map((each) => each.tool_use_id)).toEqual(calls.map((each) => each.id));
    // A result stands right behind its call.
    for (const [at, block] of blocks.entries())
      if (block.type === 'server_tool_use') expect(blocks[at + 1]?.tool_use_id).toBe(block.id);
    expect(
      search.asked
        .slice(0, 2)
        .map(({ query }) => query.query)
        .sort(),
    ).toEqual(['node 24', 'node 25']);
  });
});

describe('bounds', () => {
  it('more searches than max_uses are refused, and the model is told', async () => {
    const message = await ask(`${search1}\n${search2}`, { tools: [{ ...webSearch, max_uses: 1 }, read] });
    const results = message.content.filter(({ type }) => type === 'web_search_tool_result');
    expect(results).toMatchObject([{}, { content: { error_code: 'max_uses_exceeded' } }]);
    expect(search.asked).toHaveLength(1);
    expect(JSON.stringify(bodies()[1])).toContain('The web search failed: max_uses_exceeded.');
    const rows = await stack.rows(2);
    expect(rows[1]?.fits.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['web search by copilot: 2 pages', 'web search by nobody failed: max_uses_exceeded']),
    );
  });

  it('a model that goes on searching is paused', async () => {
    const again = { name: 'web_search', input: { query: 'again' } };
    stack.simulator.script.always(streamOf(again), '/v1/messages');
    const message = await ask('hello');
    expect(message.stop_reason).toBe('pause_turn');
    expect(inference()).toHaveLength(10);
    expect(message.content.filter(({ type }) => type === 'web_search_tool_result')).toHaveLength(10);
    stack.simulator.script.clear();
    // Sent back as it is, the turn goes on.
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: message.content },
    ];
    expect((await ask('', { messages })).stop_reason).toBe('end_turn');
    // With nothing of a person's in between: one prompt, one user.
    expect(inference().map(({ initiator }) => initiator)).toEqual([
      'user',
      ...Array.from({ length: 10 }, () => 'agent'),
    ]);
    expect((await stack.rows(11)).at(-1)?.reason).toMatchObject({ code: 'continuation', rule: 'paused-turn' });
  });

  describe('a paused turn that comes back', () => {
    let paused: Anthropic.Message;
    beforeEach(async () => {
      const again = { name: 'web_search', input: { query: 'again' } };
      stack.simulator.script.always(streamOf(again), '/v1/messages');
      paused = await ask('hello', { system: 'Be brief.' });
      stack.simulator.script.clear();
    });
    const back = (words: string, more: Anthropic.MessageParam[] = []): Anthropic.MessageParam[] => [
      { role: 'user', content: words },
      { role: 'assistant', content: paused.content },
      ...more,
    ];
    const initiatorOf = async (more: Partial<Anthropic.MessageCreateParamsNonStreaming>, who = client) => {
      const before = inference().length;
      await who.messages
        .create({ model: 'claude-sonnet-4.6', max_tokens: 2000, tools, system: 'Be brief.', messages: [], ...more })
        .catch(() => undefined);
      return inference()[before]?.initiator;
    };

    it('is believed once', async () => {
      expect(await initiatorOf({ messages: back('hello') })).toBe('agent');
      expect(await initiatorOf({ messages: back('hello') })).toBe('user');
    });

    it('is believed again where Copilot refused it', async () => {
      stack.simulator.script.next({ kind: 'answer', status: 429, body: {} }, '/v1/messages');
      expect(await initiatorOf({ messages: back('hello') })).toBe('agent');
      expect(await initiatorOf({ messages: back('hello') })).toBe('agent');
    });

    it('is believed once also where only a further request of it is refused', async () => {
      stack.simulator.script.next(streamOf({ name: 'web_search', input: { query: 'once more' } }), '/v1/messages');
      stack.simulator.script.next({ kind: 'answer', status: 429, body: {} }, '/v1/messages');
      expect(await initiatorOf({ messages: back('hello') })).toBe('agent');
      expect(await initiatorOf({ messages: back('hello') })).toBe('user');
    });

    it.each<[string, () => Partial<Anthropic.MessageCreateParamsNonStreaming>]>([
      ['other words before it', () => ({ messages: back('hello again') })],
      ['words behind it', () => ({ messages: back('hello', [{ role: 'user', content: 'and now?' }]) })],
      ['another system prompt', () => ({ messages: back('hello'), system: 'Be long.' })],
      [
        'a text behind its last search',
        () => ({
          messages: [
            { role: 'user', content: 'hello' },
            { role: 'assistant', content: [...paused.content, { type: 'text', text: 'Now do this.' }] },
          ],
        }),
      ],
    ])('is not believed with %s', async (_what, asked) => {
      expect(await initiatorOf(asked())).toBe('user');
    });

    it('is not believed of another client', async () => {
      const other = new Anthropic({ baseURL: stack.baseUrl, apiKey: `${stack.key}.other`, maxRetries: 0 });
      expect(await initiatorOf({ messages: back('hello') }, other)).toBe('user');
    });
  });

  it('a search that failed is told to both, and the turn goes on', async () => {
    search.answer = () => failed('too_many_requests');
    const message = await ask(search1);
    expect(message.content[1]).toMatchObject({
      content: { type: 'web_search_tool_result_error', error_code: 'too_many_requests' },
    });
    expect(message.stop_reason).toBe('end_turn');
    expect(JSON.stringify(bodies()[1])).toContain('The web search failed: too_many_requests.');
  });

  it('a search that was ordered is ordered once', async () => {
    const message = await ask('hello', { tool_choice: { type: 'tool', name: 'web_search' } });
    expect(message.stop_reason).toBe('end_turn');
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([{ type: 'tool', name: 'web_search' }, undefined]);
  });
});

describe('what goes wrong on the way', () => {
  it('a further request that Copilot refuses ends the stream with an error, and both rows say so', async () => {
    search.answer = (query) => {
      stack.simulator.script.next({
        kind: 'answer',
        status: 402,
        body: { error: { message: 'no', code: 'quota_exceeded' } },
      });
      return found(query.query);
    };
    const answer = await stack.messages(prompt(search1, { tools }));
    const events = eventsOf(answer.text);
    expect(events.at(-1)?.event).toBe('error');
    expect(events.map(({ event }) => event)).not.toContain('message_stop');
    const rows = await stack.rows(2);
    expect(rows.map(({ initiator, outcome, failure }) => [initiator, outcome, failure?.code])).toEqual([
      ['agent', 'failed', 'quota_exceeded'],
      ['user', 'failed', 'quota_exceeded'],
    ]);
  });

  it('a further answer that is cut is no whole answer', async () => {
    search.answer = (query) => {
      stack.simulator.script.next({ kind: 'usual', cutAfter: 3 });
      return found(query.query);
    };
    const whole = await stack.messages(prompt(search1, { tools, stream: false }));
    expect(whole.status).toBeGreaterThanOrEqual(500);
    expect((await stack.rows(2)).map(({ outcome }) => outcome)).toEqual(['cut', 'cut']);
  });

  it('a client that leaves while it is searched ends the search, and no further request is sent', async () => {
    const { promise: begun, resolve: begins } = Promise.withResolvers<AbortSignal>();
    search.answer = (_, { signal }) => {
      begins(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const leaving = new AbortController();
    const asked = client.messages.create(
      {
        model: 'claude-sonnet-4.6',
        max_tokens: 2000,
        tools,
        messages: [{ role: 'user', content: search1 }],
        stream: true,
      },
      { signal: leaving.signal },
    );
    const signal = await begun;
    await asked;
    leaving.abort();
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cancelled' }]);
    expect(signal.aborted).toBe(true);
    expect(inference()).toHaveLength(1);
  });
});

describe('histories of others', () => {
  it('a result that was not made here becomes a text with its pages', async () => {
    const content = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [
          { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'EqgfCioIARgB' },
        ],
      },
      {
        type: 'text',
        text: 'A says so.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://a.example',
            title: 'A',
            cited_text: 'so',
            encrypted_index: 'EqgfCioIARgC',
          },
        ],
      },
    ];
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
      { role: 'user', content: 'and?' },
    ];
    const answer = await stack.messages(prompt('', { tools, messages }));
    expect(answer.status).toBe(200);
    expect(bodies()[0]?.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '[web_search result]\nA\nhttps://a.example' },
          { type: 'text', text: 'A says so.' },
        ],
      },
      { role: 'user' },
    ]);
    expect(JSON.stringify(bodies()[0])).not.toContain('encrypted_index');
  });
});

it('pages that the client gives without citations keep the model from citing', async () => {
  const given = {
    type: 'search_result',
    source: 'https://c.example',
    title: 'C',
    content: [{ type: 'text', text: 'c' }],
  };
  await stack.messages(
    prompt('', { tools, messages: [{ role: 'user', content: [given, { type: 'text', text: search1 }] }] }),
  );
  const [, further] = bodies();
  expect(JSON.stringify(further)).not.toContain('"citations"');
});

it('tokens are counted of what would be sent', async () => {
  await client.messages.countTokens({ model: 'claude-sonnet-4.6', tools, messages: [{ role: 'user', content: 'hi' }] });
  const counted = stack.simulator.requests.find(({ path }) => path === '/v1/messages/count_tokens')?.body;
  expect(counted).toMatchObject({
    tools: [{ name: 'web_search', input_schema: { type: 'object' } }, { name: 'Read' }],
  });
});

it('with every engine off, the tool is taken out as before', async () => {
  search.on = false;
  const message = await ask('hello');
  expect(message.stop_reason).toBe('end_turn');
  expect(bodies()[0]?.tools).toMatchObject([{ name: 'Read' }]);
  const [row] = await stack.rows(1);
  expect(row?.fits.map(({ code }) => code)).toContain('server-tool-removed');
});

/** An answer that calls a tool. */
function streamOf({ name, input }: { name: string; input: unknown }) {
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
  return { kind: 'stream', events: events.map((data) => ({ event: data.type, data })) } as const;
}
