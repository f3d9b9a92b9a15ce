import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../app/api/exchange.ts';
import { ChatCollector } from '../../app/formats/chat/collector.ts';
import { MessagesCollector } from '../../app/formats/messages/collector.ts';
import { MessagesGrammar } from '../../app/formats/messages/grammar.ts';
import { ResponsesCollector } from '../../app/formats/responses/relay.ts';
import { isObject, type JsonObject } from '../../app/formats/wire/json.ts';
import { readSseEvent, splitEvents } from '../../app/formats/wire/sse.ts';
import { type Answer, type Stack, startStack } from '../app/stack.ts';
import { type Json, mutated } from './grammar.ts';
import { type OnePathModel, onePathModels, pathOf } from './one-path.ts';
import { rounds, seed } from './rounds.ts';

/** Answers of every upstream path, whole and with wrong values anywhere, cut anywhere, to clients of every API. */

const words = fc.constantFrom('Hello', ' ', 'é', '\u2028', '"quoted"', '«»');
const json = fc.constantFrom('{}', '{"a":1}', '{"a":"x"}');
type Events = JsonObject[];
/** A text, or a call with arguments. */
type Part = { text: string; args: string | null };
const parts: fc.Arbitrary<Part[]> = fc.array(fc.record({ text: words, args: fc.option(json) }), { maxLength: 3 });

const messages = (blocks: readonly Part[]): Events => {
  const inner = blocks.flatMap(
    ({ text, args }, index): Events => [
      {
        type: 'content_block_start',
        index,
        content_block:
          args === null ? { type: 'text', text: '' } : { type: 'tool_use', id: `t${index}`, name: 'f', input: {} },
      },
      {
        type: 'content_block_delta',
        index,
        delta: args === null ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: args },
      },
      { type: 'content_block_stop', index },
    ],
  );
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return [
    { type: 'message_start', message },
    ...inner,
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];
};

const chat = (said: readonly Part[]): Events => [
  ...said.map(({ text, args }, index): JsonObject => {
    const call = { index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: args } };
    return {
      id: 'x',
      model: 'x',
      choices: [{ index: 0, delta: args === null ? { content: text } : { tool_calls: [call] }, finish_reason: null }],
    };
  }),
  { id: 'x', model: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { id: 'x', model: 'x', choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
];

const responses = (said: readonly Part[]): Events => {
  const items = said.map(
    ({ text, args }, at): JsonObject =>
      args === null
        ? { type: 'message', id: `i${at}`, role: 'assistant', content: [{ type: 'output_text', text }] }
        : { type: 'function_call', id: `i${at}`, call_id: `c${at}`, name: 'f', arguments: args },
  );
  const events = items.flatMap(
    (item, output_index): Events => [
      { type: 'response.output_item.added', output_index, item: { ...item, content: [], arguments: '' } },
      ...(item.type === 'message'
        ? [{ type: 'response.output_text.delta', output_index, content_index: 0, delta: said[output_index]?.text }]
        : [{ type: 'response.function_call_arguments.delta', output_index, delta: item.arguments }]),
      { type: 'response.output_item.done', output_index, item },
    ],
  );
  const response = {
    id: 'r',
    model: 'x',
    status: 'completed',
    output: items,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return [
    { type: 'response.created', response: { id: 'r', model: 'x', status: 'in_progress', output: [] } },
    ...events,
    { type: 'response.completed', response },
  ];
};

const upstreams = { 'claude-sonnet-4.6': messages, 'gpt-4.1': chat, 'gpt-5.4': responses };
const model = fc.constantFrom<OnePathModel[]>('claude-sonnet-4.6', 'gpt-4.1', 'gpt-5.4');

/** How an answer goes wrong besides its values. */
const fate = fc.record({
  keep: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  end: fc.constantFrom('clean', 'destroy', 'reset'),
  pieces: fc.integer({ min: 1, max: 400 }),
  done: fc.boolean(),
  noise: fc.constantFrom(
    '',
    '',
    ': ping\n\n',
    'data: {oops\n\n',
    'data: [DONE]\n\n',
    'event: later\ndata: {"type":"later"}\n\n',
    '\u0000\r\r\n',
  ),
} as const);

const answer = model.chain((asked) =>
  fc.record({
    model: fc.constant(asked),
    events: mutated(parts.map((said) => ({ events: JSON.parse(JSON.stringify(upstreams[asked](said))) }))),
    fate,
  }),
);

const wholeAnswer = fc.record({
  model,
  said: parts,
  stream: fc.boolean(),
  pieces: fc.integer({ min: 1, max: 400 }),
  done: fc.boolean(),
  noise: fc.constantFrom('', ': ping\n\n'),
});

function written(model: OnePathModel, events: Json, { noise, done }: { noise: string; done: boolean }): Buffer {
  const list = Array.isArray(events) ? events : [events];
  const text = list.map((event) => {
    const type =
      isObject(event) && typeof event.type === 'string' && model !== 'gpt-4.1'
        ? `event: ${event.type.replace(/[\r\n]/g, '')}\n`
        : '';
    return `${type}data: ${JSON.stringify(event)}\n\n`;
  });
  return Buffer.from(text.join(noise) + (done || model === 'gpt-4.1' ? 'data: [DONE]\n\n' : ''));
}

const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const at = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** What a client has of a whole answer: all its text, and the arguments of its calls. */
const readers = {
  messages: (whole: unknown) => ({
    text: list(at(whole, 'content'))
      .map(({ text }) => text ?? '')
      .join(''),
    calls: list(at(whole, 'content')).flatMap(({ type, input }) => (type === 'tool_use' ? [input] : [])),
  }),
  chat: (whole: unknown) => {
    const message = at(list(at(whole, 'choices'))[0], 'message');
    return {
      text: at(message, 'content') ?? '',
      calls: list(at(message, 'tool_calls')).map((call) => JSON.parse(String(at(call.function, 'arguments')))),
    };
  },
  responses: (whole: unknown) => ({
    text: list(at(whole, 'output'))
      .flatMap(({ content }) => list(content).map(({ text }) => text ?? ''))
      .join(''),
    calls: list(at(whole, 'output')).flatMap((item) =>
      item.type === 'function_call' ? [JSON.parse(String(item.arguments))] : [],
    ),
  }),
};

/** A stream as its client puts it together. */
function collected(api: 'messages' | 'chat' | 'responses', text: string): unknown {
  if (api === 'messages') {
    const collector = new MessagesCollector();
    collector.push(Buffer.from(text));
    return collector.message();
  }
  const collector = api === 'chat' ? new ChatCollector() : new ResponsesCollector();
  collector.push(Buffer.from(text));
  return collector.answer();
}

describe('answers to clients of every API', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ simulator: { keepRequests: 20, models: onePathModels() } });
  });
  afterAll(() => stack.close());
  let rows = 0;

  const apis = {
    messages: { path: '/v1/messages', ask: { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] } },
    chat: { path: '/v1/chat/completions', ask: { messages: [{ role: 'user', content: 'hi' }] } },
    responses: { path: '/v1/responses', ask: { input: 'hi' } },
  } as const;
  type Api = keyof typeof apis;

  const eventsIn = ({ text }: Answer): { type: string; data: JsonObject | null }[] =>
    splitEvents(Buffer.from(text)).flatMap((bytes) => {
      const event = readSseEvent(bytes);
      if (event === null) return [];
      const data: unknown = event.data === '[DONE]' ? null : JSON.parse(event.data);
      return [{ type: event.event ?? '', data: isObject(data) ? data : null }];
    });

  /** Whether the stream ended as whole; what its grammar forbids fails. */
  function isWhole(api: Api, answered: Answer): boolean {
    const events = eventsIn(answered);
    const last = events.at(-1);
    const errors = events.filter(({ type, data }) => type === 'error' || (type === '' && isObject(data?.error)));
    if (api === 'chat') {
      const done = answered.text.trimEnd().endsWith('data: [DONE]');
      expect([done, errors.length]).toEqual(done ? [true, 0] : [false, 1]);
      return done;
    }
    if (api === 'responses') {
      const ends = events.filter(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(type));
      expect(ends).toHaveLength(1);
      expect(last?.type).toBe(ends[0]?.type);
      return last?.type !== 'response.failed';
    }
    const stops = events.filter(({ type }) => type === 'message_stop').length;
    expect([stops, errors.length, last?.type]).toEqual(
      last?.type === 'message_stop' ? [1, 0, 'message_stop'] : [0, 1, 'error'],
    );
    return stops === 1;
  }

  function obeysGrammar(answered: Answer): void {
    const grammar = new MessagesGrammar();
    for (const { type, data } of eventsIn(answered)) {
      const inner = isObject(data?.content_block) ? data.content_block : isObject(data?.delta) ? data.delta : {};
      const index = typeof data?.index === 'number' ? data.index : null;
      expect(grammar.take(type, index, typeof inner.type === 'string' ? inner.type : null)).toBeNull();
    }
  }

  interface Upstream {
    bytes: Buffer;
    /** Bytes of each write. */
    pieces: number;
    end: 'clean' | 'destroy' | 'reset';
  }

  async function exchange(
    api: Api,
    asked: OnePathModel,
    stream: boolean,
    { bytes, pieces, end }: Upstream,
  ): Promise<[Answer, Exchange | undefined]> {
    const steps = Array.from({ length: Math.ceil(bytes.length / pieces) || 1 }, (_, at) =>
      bytes.subarray(at * pieces, (at + 1) * pieces),
    );
    const taken = stack.simulator.script.next({ kind: 'stream', events: steps, end });
    const answered = await stack.send({
      method: 'POST',
      path: apis[api].path,
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...apis[api].ask, model: asked, stream }),
    });
    await taken.taken;
    rows += 1;
    const row = (await stack.rows(rows)).at(-1);
    expect([row?.status, row?.path]).toEqual([answered.status, pathOf[asked]]);
    return [answered, row];
  }

  it.each(['messages', 'chat', 'responses'] as const)(
    '%s: a whole answer stays whole, in whatever pieces it comes',
    async (api) => {
      await fc.assert(
        fc.asyncProperty(wholeAnswer, async ({ model: asked, said, stream, pieces, ...how }) => {
          const bytes = written(asked, upstreams[asked](said) as Json, how);
          const [answered, row] = await exchange(api, asked, stream, { bytes, pieces, end: 'clean' });
          expect([answered.status, row?.outcome]).toEqual([200, 'done']);
          if (stream) expect(isWhole(api, answered)).toBe(true);
          expect(readers[api](stream ? collected(api, answered.text) : answered.json())).toEqual({
            text: said.map(({ text, args }) => (args === null ? text : '')).join(''),
            calls: said.flatMap(({ args }) => (args === null ? [] : [JSON.parse(args)])),
          });
        }),
        { numRuns: rounds(60, 2000), seed },
      );
    },
    1_200_000,
  );

  it.each(['messages', 'chat', 'responses'] as const)(
    '%s: a stream that ends once, or an error; what was cut is never whole; one row',
    async (api) => {
      await fc.assert(
        fc.asyncProperty(answer, fc.boolean(), async ({ model, events: { body, changes }, fate: how }, stream) => {
          const events: Json = isObject(body) ? JSON.parse(JSON.stringify(body.events ?? [])) : [];
          const all = written(model, events, how);
          const bytes = how.keep === null ? all : all.subarray(0, Math.floor(all.length * how.keep));
          const [answered, row] = await exchange(api, model, stream, { bytes, pieces: how.pieces, end: how.end });
          const isStream = String(answered.headers['content-type']).startsWith('text/event-stream');
          const whole = isStream ? isWhole(api, answered) : answered.status === 200;
          expect(row?.outcome === 'done').toBe(whole);
          if (!isStream && answered.status !== 200)
            expect(answered.json()).toMatchObject({ error: { message: expect.stringMatching(/\S/) } });
          // On other paths the events are ours; on its own they are the upstream's, in whatever order.
          if (isStream && api === 'messages' && model !== 'claude-sonnet-4.6') obeysGrammar(answered);
          if (changes === 0 && how.noise === '' && how.keep !== null && how.keep < 0.5) expect(whole).toBe(false);
          expect(stack.log.filter(({ level }) => level === 'error')).toEqual([]);
        }),
        { numRuns: rounds(40, 4000), seed },
      );
    },
    1_200_000,
  );
});
