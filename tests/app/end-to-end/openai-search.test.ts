import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { FakeSearch, failed } from '../exchange/features/web-search/fake-search.ts';
import { eventsOf, type Stack, startStack } from '../stack.ts';

/** OpenAI's clients that ask for a search on models for which Copilot runs none: it is made here. */

let stack: Stack;
let search: FakeSearch;
let client: OpenAI;
beforeEach(async () => {
  search = new FakeSearch();
  stack = await startStack({ app: { webSearch: search } });
  await stack.app.models();
  client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: `${stack.key}.sdk`, maxRetries: 0 });
});
afterEach(() => stack.close());

const input = 'use: web_search {"query":"node 24"}';
const tools = [{ type: 'web_search' as const, filters: { allowed_domains: ['one.example'] } }];
const inference = () =>
  stack.simulator.requests.filter(({ path }) => ['/v1/messages', '/responses', '/chat/completions'].includes(path));
const sentBody = (at: number): JsonObject => {
  const body = inference().at(at)?.body;
  return isObject(body) ? body : {};
};
const post = (path: string, body: JsonObject) =>
  stack.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe.each([
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-4.1', '/chat/completions'],
])('Responses on %s, which Copilot serves through %s', (model, path) => {
  it('a search is an item, and the text cites its pages', async () => {
    const whole = await client.responses.create({ model, input, tools, store: false });
    const streamed = client.responses.stream({ model, input, tools, store: false });
    const kinds: string[] = [];
    streamed.on('event', ({ type }) => kinds.push(type));
    const last = await streamed.finalResponse();
    for (const response of [whole, last]) {
      expect(response.output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
      const [call, message] = response.output;
      expect(call).toMatchObject({
        status: 'completed',
        action: {
          type: 'search',
          queries: ['node 24'],
          sources: [
            { type: 'url', url: 'https://one.example/page' },
            { type: 'url', url: 'https://two.example/page' },
          ],
        },
      });
      if (message?.type !== 'message' || message.content[0]?.type !== 'output_text') throw new Error('No text.');
      const { text, annotations } = message.content[0];
      expect(annotations).toMatchObject([
        { type: 'url_citation', url: 'https://one.example/page', title: 'The page one' },
        { type: 'url_citation', url: 'https://two.example/page' },
      ]);
      // The places are those of the whole text.
      for (const annotation of annotations) {
        if (annotation.type !== 'url_citation') throw new Error(annotation.type);
        const spot = text.slice(annotation.start_index, annotation.end_index);
        expect(spot).toMatch(path === '/v1/messages' ? /What (one|two) says/ : /^https:\/\/(one|two)\.example\/page$/);
      }
      expect(response.tools).toMatchObject(tools);
    }
    expect(kinds.filter((kind) => kind.includes('web_search'))).toEqual(
      ['in_progress', 'searching', 'completed'].map((each) => `response.web_search_call.${each}`),
    );
    expect(kinds).toContain('response.output_text.annotation.added');
    expect(search.asked[0]?.query).toMatchObject({ query: 'node 24', allowed: ['one.example'] });
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'agent', 'user', 'agent']);
    const rows = await stack.rows(4);
    expect(rows.map(({ api, outcome }) => [api, outcome])).toEqual(rows.map(() => ['responses', 'done']));
  });

  it('a search that fails is an item that failed, and the answer goes on', async () => {
    search.answer = () => failed('unavailable');
    const response = await client.responses.create({ model, input, tools, store: false });
    expect(response.output).toMatchObject([{ type: 'web_search_call', status: 'failed' }, { type: 'message' }]);
  });

  it('an ordered search, and calls of the client’s own tools beside one', async () => {
    const ordered = await client.responses.create({
      ...{ model, tools, store: false },
      input: 'hello there',
      tool_choice: { type: 'web_search_preview' },
    });
    expect(ordered.output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
    const read = {
      type: 'function' as const,
      name: 'Read',
      strict: false,
      parameters: { type: 'object', properties: { file_path: { type: 'string' } } },
    };
    const both = await client.responses.create({
      ...{ model, store: false },
      input: `${input}\nuse: Read {"file_path":"a.txt"}`,
      tools: [...tools, read],
    });
    expect(both.output.map(({ type }) => type).sort()).toEqual(['function_call', 'web_search_call']);
  });
});

it('a model that goes on searching is made to answer', async () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'web_search', input: {} };
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] } },
    { type: 'content_block_start', index: 0, content_block: call },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"again"}' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ].map((data) => ({ event: data.type, data }));
  stack.simulator.script.always(
    { kind: 'stream', events },
    ({ path, body }) => path === '/v1/messages' && isObject(body) && Object(body.tool_choice).type !== 'none',
  );
  const response = await client.responses.create({ model: 'claude-sonnet-4.6', input, tools, store: false });
  expect(response.status).toBe('completed');
  expect(response.output.at(-1)?.type).toBe('message');
  expect(inference()).toHaveLength(10);
});

it('a search that may not look at the web is not made', async () => {
  const cached = [{ type: 'web_search', external_web_access: false }];
  const answer = await post('/v1/responses', { model: 'claude-sonnet-4.6', input: 'hello there', tools: cached });
  expect(answer.status).toBe(200);
  expect(sentBody(0).tools).toBeUndefined();
  const [row] = await stack.rows(1);
  expect(row?.fits.map(({ text }) => text)).toContain('tools of OpenAI’s service removed: web_search');
});

describe.each([
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-5.4', '/responses'],
  ['gpt-4.1', '/chat/completions'],
])('web_search_options of Chat Completions on %s, through %s', (model, path) => {
  it('the answer cites the pages, whole and streamed', async () => {
    const body = {
      model,
      messages: [{ role: 'user' as const, content: input }],
      web_search_options: {
        user_location: { type: 'approximate' as const, approximate: { city: 'Basel', country: 'CH' } },
      },
    };
    const whole = await client.chat.completions.create(body);
    const message = whole.choices[0]?.message;
    expect(message?.annotations).toMatchObject([
      { type: 'url_citation', url_citation: { url: 'https://one.example/page', title: 'The page one' } },
      { type: 'url_citation', url_citation: { url: 'https://two.example/page' } },
    ]);
    for (const { url_citation: cited } of message?.annotations ?? [])
      expect(message?.content?.slice(cited.start_index, cited.end_index)).toMatch(/one|two/);
    expect(search.asked[0]?.query).toMatchObject({ location: { city: 'Basel', country: 'CH' } });
    expect(inference().map(({ path: to, initiator }) => [to, initiator])).toEqual([
      [path, 'user'],
      [path, 'agent'],
    ]);
    const streamed = eventsOf(
      (await post('/v1/chat/completions', { ...body, stream: true })).text.replace(/data: \[DONE\]\n\n$/, ''),
    );
    expect(JSON.stringify(streamed)).toContain('"annotations"');
    // The search is made here: no call of a tool reaches the client.
    expect(message).not.toHaveProperty('tool_calls');
    expect(JSON.stringify(streamed)).not.toContain('tool_calls');
  });

  it('a call of the client’s own tool beside the search has its own arguments, whole and streamed', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const body = {
      model,
      messages: [{ role: 'user' as const, content: `use: weather {"city":"Zürich"}\n${input}` }],
      tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
      web_search_options: {},
    };
    const whole = await client.chat.completions.create(body);
    const streamed = await client.chat.completions.stream({ ...body, stream: true }).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]?.finish_reason).toBe('tool_calls');
      expect(choices[0]?.message.tool_calls).toMatchObject([
        { type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich"}' } },
      ]);
    }
  });
});

it('web_search_options with every engine off are refused, in words that say where to switch one on', async () => {
  search.on = false;
  for (const model of ['claude-sonnet-4.6', 'gpt-4.1']) {
    const answer = await post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'hi' }],
      web_search_options: {},
    });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { param: 'web_search_options', message: expect.stringContaining('Settings → Web search') } },
    ]);
  }
});
