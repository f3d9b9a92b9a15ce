import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isObject } from '../../../app/formats/wire/json.ts';
import { FakeSearch, failed, found, page } from '../exchange/features/web-search/fake-search.ts';
import { claudeCodeSample } from '../exchange/features/web-search/sample.ts';
import { openRequest } from '../live-request.ts';
import { eventsOf, type Stack, startStack } from '../stack.ts';

/** Claude Code's WebSearch: a request of its own, which is answered here. */

let stack: Stack;
let search: FakeSearch;
beforeEach(async () => {
  search = new FakeSearch();
  stack = await startStack({ app: { webSearch: search } });
});
afterEach(async () => {
  vi.useRealTimers();
  await stack.close();
});

const { headers, body } = claudeCodeSample;
const [tool] = body.tools;
const ask = (more: Record<string, unknown> = {}) => stack.messages({ ...body, ...more }, headers);
const inference = () =>
  stack.simulator.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/'));
const blocksOf = (text: string) =>
  eventsOf(text)
    .filter(({ event }) => event === 'content_block_start')
    .map(({ data }) => data.content_block as { type: string; [key: string]: unknown });

describe('C13.1 the request that Claude Code makes', () => {
  it('C13.1 is answered with the call, what was found, and a text that cites it; Copilot is not asked', async () => {
    const answer = await ask();
    const events = eventsOf(answer.text);
    expect(events.map(({ event }) => event)).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ]);
    expect(events[0]?.data).toMatchObject({ message: { model: body.model, role: 'assistant' } });
    const [call, result] = blocksOf(answer.text);
    expect(call).toMatchObject({ type: 'server_tool_use', name: 'web_search', input: {} });
    expect(events[2]?.data).toMatchObject({ delta: { partial_json: '{"query":"x y"}' } });
    expect(result).toMatchObject({
      type: 'web_search_tool_result',
      tool_use_id: call?.id,
      content: [
        { type: 'web_search_result', url: 'https://one.example/page', title: 'The page one', page_age: null },
        { type: 'web_search_result', url: 'https://two.example/page' },
      ],
    });
    expect(events.at(-2)?.data).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { server_tool_use: { web_search_requests: 1 } },
    });
    expect(inference()).toEqual([]);
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      initiator: 'agent',
      requestClass: 'auxiliary',
      askedModel: body.model,
      path: null,
      status: 200,
      outcome: 'done',
      attempts: [],
      charge: { kind: 'none' },
      fits: [{ code: 'web-search', text: 'web search by copilot: 2 pages' }],
    });
    // Whose prompt it follows was counted when that was asked.
    expect(search.asked).toMatchObject([
      { query: { query: 'x y', allowed: [], blocked: [], location: null }, context: { cause: { counted: true } } },
    ]);
    expect(search.asked[0]?.context.cause.exchange).toBe(row?.id);
  });

  it('the domains, and where the person is, go to the search', async () => {
    const place = { type: 'approximate', city: 'Basel', country: 'CH', timezone: 'Europe/Zurich' };
    const given = { ...tool, allowed_domains: ['a.example'], blocked_domains: ['b.example'], user_location: place };
    await ask({ tools: [given] });
    expect(search.asked[0]?.query).toMatchObject({
      allowed: ['a.example'],
      blocked: ['b.example'],
      location: { city: 'Basel', region: null, country: 'CH', timezone: 'Europe/Zurich' },
    });
  });

  it.each([
    ['words without the prefix', [{ type: 'text', text: 'node 24 release' }], 'node 24 release'],
    ['a string', 'Perform a web search for the query: a: b', 'a: b'],
    [
      'a reminder before it',
      [
        { type: 'text', text: '<system-reminder>x</system-reminder>' },
        { type: 'text', text: 'Perform a web search for the query: q' },
      ],
      'q',
    ],
  ])('the query is read from %s', async (_, content, query) => {
    await ask({ messages: [{ role: 'user', content }] });
    expect(search.asked.map(({ query: { query: words } }) => words)).toEqual([query]);
  });

  it('for a model that it does not know it gives no order', async () => {
    const { tool_choice: _choice, ...unordered } = body;
    const answer = await stack.messages(unordered, headers);
    expect(blocksOf(answer.text).map(({ type }) => type)).toContain('web_search_tool_result');
    expect(inference()).toEqual([]);
  });

  it('nothing found is an answer', async () => {
    search.answer = ({ query }) => found(query, []);
    const answer = await ask();
    expect(blocksOf(answer.text)[1]).toMatchObject({ type: 'web_search_tool_result', content: [] });
    expect(answer.text).toContain('Nothing was found for “x y”.');
  });

  it.each(['too_many_requests', 'unavailable', 'query_too_long'] as const)(
    'a search that failed with %s is a result, not a broken turn',
    async (code) => {
      search.answer = () => failed(code);
      const answer = await ask();
      expect(answer.status).toBe(200);
      expect(blocksOf(answer.text)[1]).toMatchObject({
        content: { type: 'web_search_tool_result_error', error_code: code },
      });
      expect(answer.text).toContain('Jumpseat: the web search failed.');
      // Claude Code is told within its answer; the row says that it failed.
      expect(await stack.rows(1)).toMatchObject([
        {
          ...{ outcome: 'failed', status: 200, failure: { source: 'jumpseat', code: `search-${code}` } },
          fits: [{ code: 'web-search' }],
        },
      ]);
    },
  );

  it('the stream runs while the search does, and a client that leaves ends it', async () => {
    const { promise: begun, resolve: begins } = Promise.withResolvers<AbortSignal>();
    search.answer = (_, { signal }) => {
      begins(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const leaving = new AbortController();
    const response = await fetch(`${stack.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}.test`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain('server_tool_use');
    const signal = await begun;
    expect(signal.aborted).toBe(false);
    leaving.abort();
    const [row] = await stack.rows(1);
    expect(signal.aborted).toBe(true);
    expect(row).toMatchObject({ outcome: 'cancelled' });
  });

  it('is kept alive with pings while an engine takes 20 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const gate = Promise.withResolvers<void>();
    search.answer = async ({ query }) => {
      await gate.promise;
      return found(query);
    };
    const { seen, text } = openRequest(stack, body);
    await seen('server_tool_use');
    vi.advanceTimersByTime(20_000);
    gate.resolve();
    const names = eventsOf(await text).map(({ event }) => event);
    expect(names.filter((name) => name === 'ping')).toHaveLength(2);
    expect(names.at(-1)).toBe('message_stop');
  });

  it('with every engine off it is refused as before', async () => {
    search.on = false;
    const answer = await ask();
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { type: 'policy_blocked', message: expect.stringContaining('Settings → Web search') } },
    ]);
    expect(inference()).toEqual([]);
  });
});

it('Anthropic’s own SDK reads the answer, whole and streamed, with its citations', async () => {
  search.answer = ({ query }) =>
    found(query, [page('one'), page('two')], 'First:\nWhat one says.\nAnd [two](https://two.example/page) as well.');
  const client = new Anthropic({ baseURL: stack.baseUrl, apiKey: `${stack.key}.sdk`, maxRetries: 0 });
  const asked: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'claude-sonnet-4.6',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'node 24' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    tool_choice: { type: 'any' },
  };
  const whole = await client.messages.create(asked);
  const streamed = await client.messages.stream(asked).finalMessage();
  for (const message of [whole, streamed]) {
    expect(message.content.map(({ type }) => type)).toEqual([
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'text',
      'text',
    ]);
    expect(message.content[0]).toMatchObject({ input: { query: 'node 24' } });
    expect(message.usage.server_tool_use).toMatchObject({ web_search_requests: 1 });
    const cited = message.content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : []));
    expect(cited).toMatchObject([
      { type: 'web_search_result_location', url: 'https://one.example/page', cited_text: 'What one says.' },
      { type: 'web_search_result_location', url: 'https://two.example/page', title: 'The page two' },
    ]);
    expect(message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(
      'First:\nWhat one says.\nAnd [two](https://two.example/page) as well.',
    );
  }
  // Nobody has counted this person's prompt yet, so the engine's own request is theirs.
  expect(search.asked.map(({ context }) => context.cause.counted)).toEqual([false, false]);
});

it('what comes back in a history is text where no search is offered, and says what the pages said', async () => {
  const first = await ask({ stream: false });
  const { content } = first.json() as { content: unknown };
  const messages = [...body.messages, { role: 'assistant', content }, { role: 'user', content: 'and?' }];
  const { tools: _tools, tool_choice: _choice, ...plain } = body;
  const answer = await stack.messages({ ...plain, messages }, headers);
  expect(answer.status).toBe(200);
  const sent = inference().at(-1)?.body;
  const said = JSON.stringify(isObject(sent) ? sent.messages : null);
  expect(said).toContain('https://one.example/page');
  expect(said).toContain('What one says.');
  expect(said).not.toContain('encrypted_content');
});
