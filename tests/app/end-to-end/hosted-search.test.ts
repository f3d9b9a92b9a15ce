import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { eventsOf, type Stack, startStack } from '../stack.ts';

/** The search that Copilot itself runs for models of OpenAI's, through the product and a strict Copilot. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const sent = (): JsonObject[] =>
  stack.simulator.requests.filter(({ path }) => path === '/responses').map(({ body }) => (isObject(body) ? body : {}));
const post = (body: JsonObject) =>
  stack.send({
    method: 'POST',
    path: '/v1/responses',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.4', input: 'search: node 24', ...body }),
  });

describe.each(['web_search', 'web_search_preview', 'web_search_2025_08_26'])('the hosted tool %s', (type) => {
  const tool = {
    type,
    filters: { allowed_domains: ['nodejs.example'] },
    user_location: { type: 'approximate', city: 'Basel' },
    search_context_size: 'low',
    external_web_access: true,
  };

  it('goes to Copilot as it came, and its items and annotations come back so, whole and streamed', async () => {
    const include = ['web_search_call.action.sources'];
    const whole = await post({ tools: [tool], tool_choice: { type }, include });
    expect([whole.status, whole.json()]).toMatchObject([
      200,
      {
        output: [
          {
            type: 'web_search_call',
            status: 'completed',
            action: {
              type: 'search',
              queries: ['node 24'],
              sources: [{ type: 'url', url: 'https://nodejs.example/node-24' }],
            },
          },
          {
            type: 'message',
            content: [
              {
                text: 'What nodejs.example has to say about node 24 is simulated.',
                annotations: [
                  { type: 'url_citation', start_index: 0, end_index: 58, url: 'https://nodejs.example/node-24' },
                ],
              },
            ],
          },
        ],
      },
    ]);
    expect(sent()[0]).toMatchObject({ tools: [tool], tool_choice: { type }, include });

    const events = eventsOf((await post({ tools: [tool], stream: true })).text).map(({ data }) => Object(data));
    const types = events.map(({ type: each }) => each);
    const searching = ['added', 'in_progress', 'searching', 'completed', 'done'];
    expect(types.filter((each) => /web_search_call|output_item/.test(each)).slice(0, 5)).toEqual(
      searching.map((each) => `response.${/added|done/.test(each) ? 'output_item' : 'web_search_call'}.${each}`),
    );
    expect(types).toContain('response.output_text.annotation.added');
    // Copilot names an item anew in every event; a client that knows items by their ids needs one.
    const ids = events.filter(({ output_index: at }) => at === 0).map((event) => event.item_id ?? event.item?.id);
    expect(new Set(ids).size).toBe(1);

    const rows = await stack.rows(2);
    expect(rows.map(({ initiator, outcome }) => [initiator, outcome])).toEqual([
      ['user', 'done'],
      ['user', 'done'],
    ]);
    expect(rows.flatMap(({ fits }) => fits)).toEqual([]);
  });
});

it('OpenAI’s own SDK reads the search and its citations, and sends both back', async () => {
  const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: `${stack.key}.sdk` });
  const tools = [{ type: 'web_search' as const }];
  const first = await client.responses.create({ model: 'gpt-5.4', input: 'search: node 24', tools, store: false });
  expect(first.output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
  const second = await client.responses.create({
    model: 'gpt-5.4',
    // The SDK's own types of an answer's items are wider than those of a request's.
    input: [...(first.output as OpenAI.Responses.ResponseInput), { role: 'user', content: 'and now hello' }],
    tools,
    store: false,
  });
  expect(second.output_text).toContain('and now hello');
  expect(sent()[1]).toMatchObject({
    input: [{ type: 'web_search_call', action: { queries: ['node 24'] } }, { type: 'message' }, { role: 'user' }],
  });
});

it('a model that refuses it is asked without, which is kept in mind', async () => {
  stack.simulator.script.next({
    kind: 'answer',
    status: 400,
    body: { error: { message: "Hosted tool 'web_search' is not supported with gpt-5.4.", code: 'unsupported_value' } },
  });
  const answer = await post({ input: 'hello there', tools: [{ type: 'web_search' }] });
  expect(answer.status).toBe(200);
  expect(sent().map(({ tools }) => tools)).toEqual([[{ type: 'web_search' }], undefined]);
  const [row] = await stack.rows(1);
  expect(row?.fits.map(({ text }) => text)).toContain('tools.web_search removed');
});
