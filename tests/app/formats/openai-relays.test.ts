import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerReader } from '../../../app/formats/answer/answer.ts';
import { ChatRelay } from '../../../app/formats/chat/relay.ts';
import { openaiError } from '../../../app/formats/openai/error.ts';
import { ResponsesRelay } from '../../../app/formats/responses/relay.ts';
import type { JsonObject } from '../../../app/formats/wire/json.ts';
import { sample, sampleNames } from './sample.ts';
import { cutAt, through } from './stream.ts';

/**
 * Both relays tell most events by their text, without parsing them. Written with spaces, an event is always parsed: so
 * the same stream written in either way has to come out the same.
 */
const compact = (value: unknown): string => JSON.stringify(value);
const spaced = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll('\n', ' ');

function dataOf(bytes: Buffer): unknown[] {
  return bytes
    .toString()
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => (line === 'data: [DONE]' ? '[DONE]' : JSON.parse(line.slice(6))));
}

/** What comes out, and what is known of it. Of how much was said a parsed event knows more, so that is not compared. */
function outcome(reader: AnswerReader, text: string, places: readonly number[] = []): unknown {
  const data = dataOf(through(reader, ...cutAt(Buffer.from(text), places)));
  const { said: _said, ...facts } = reader.facts;
  return { data, facts };
}

const words = fc.string({ unit: 'grapheme', maxLength: 12 });
const places = fc.array(fc.nat(4000), { maxLength: 6 });

describe('ChatRelay', () => {
  const delta = fc.oneof(
    { weight: 6, arbitrary: words.map((content): JsonObject => ({ content, role: 'assistant' })) },
    { weight: 2, arbitrary: words.map((reasoning_text): JsonObject => ({ content: null, reasoning_text })) },
    words.map((refusal): JsonObject => ({ refusal })),
    fc.tuple(words, words).map(([content, reasoning_text]): JsonObject => ({ content, reasoning_text })),
    fc.record({ index: fc.nat(1), id: fc.constantFrom('a', 'b'), args: words }).map(({ index, id, args }) => ({
      tool_calls: [{ index, id, type: 'function', function: { name: 'f', arguments: args } }],
    })),
    {
      weight: 6,
      arbitrary: fc.record({ index: fc.nat(1), args: words }).map(
        ({ index, args }): JsonObject => ({
          content: null,
          tool_calls: [{ index, function: { arguments: args } }],
        }),
      ),
    },
    fc.constant<JsonObject>({ cot_id: 'x' }),
  );
  const chunk = fc
    .record({
      delta,
      offset: fc.constantFrom(1, 1, 1, 2),
      padding: fc.option(fc.string({ maxLength: 5 })),
      finish: fc.constantFrom(null, null, null, null, 'stop'),
      model: fc.constantFrom('up', 'up', 'up', 'other', ''),
      usage: fc.constantFrom(undefined, undefined, undefined, null, { prompt_tokens: 3, completion_tokens: 4 }),
      bill: fc.constantFrom(undefined, undefined, undefined, { total_nano_aiu: 5, token_details: [] }),
    })
    .map(({ delta: said, offset, padding, finish, model, usage, bill }) => ({
      choices: [
        { index: 0, content_filter_results: { error: { code: '' } }, offset, delta: said, finish_reason: finish },
      ],
      id: 'c',
      model,
      ...(padding === null ? {} : { padding }),
      ...(usage === undefined ? {} : { usage }),
      ...(bill === undefined ? {} : { copilot_usage: bill }),
    }));
  const relay = () => new ChatRelay({ model: 'asked', includeUsage: true });

  it('whatever the chunks are, those that are not parsed come out as if they were', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), fc.boolean(), places, (chunks, done, cuts) => {
        const stream = (write: (value: unknown) => string): string =>
          [...chunks.map((each) => `data: ${write(each)}\n\n`), ...(done ? ['data: [DONE]\n\n'] : [])].join('');
        expect(outcome(relay(), stream(compact), cuts)).toEqual(outcome(relay(), stream(spaced)));
      }),
      { numRuns: 400 },
    );
  });

  it.each(sampleNames('.sse.txt'))('%s, too', (name) => {
    const text = sample(name).toString().replaceAll('\r\n', '\n');
    const loose = text.replace(/^data: (\{.*)$/gm, (line, data: string) => {
      try {
        return `data: ${spaced(JSON.parse(data))}`;
      } catch {
        return line;
      }
    });
    expect(outcome(relay(), text)).toEqual(outcome(relay(), loose));
  });

  it('says the asked name in every chunk, and how much was said', () => {
    const text = ['Hel', 'lo', ' you']
      .map((content) => `data: ${compact({ choices: [{ index: 0, delta: { content } }], model: 'up' })}\n\n`)
      .join('');
    const reader = relay();
    const data = dataOf(through(reader, text)).map(Object);
    expect(data.map(({ model }) => model)).toEqual(['asked', 'asked', 'asked']);
    expect(data.map(({ choices }) => choices[0].delta.content).join('')).toBe('Hello you');
    expect(reader.facts.said).toBe('Hello you'.length);
  });
});

describe('an answer with several choices', () => {
  const choice = (index: number, finish: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content: 'a' }, finish_reason: finish }] })}\n\n`;
  const ending = (text: string): unknown => {
    const reader = new ChatRelay({ model: 'm', includeUsage: true, choices: 2 });
    through(reader, text);
    return reader.facts.failure?.kind ?? (reader.facts.ended ? 'whole' : null);
  };

  it.each([
    ['cut before the second began', [choice(0, 'stop')], 'cut'],
    ['cut within the second', [choice(0, null), choice(1, null), choice(0, 'stop')], 'cut'],
    [
      'cut within the second, whatever is said behind it',
      [choice(1, null), choice(0, 'stop'), 'data: [DONE]\n\n'],
      'cut',
    ],
    ['closed after both', [choice(0, null), choice(1, 'length'), choice(0, 'stop')], 'whole'],
    ['of a service that knows one alone', [choice(0, 'stop'), 'data: [DONE]\n\n'], 'whole'],
  ])('%s', (_name, chunks, expected) => expect(ending(chunks.join(''))).toBe(expected));
});

describe('ResponsesRelay', () => {
  const types = ['response.output_text.delta', 'response.function_call_arguments.delta', 'response.refusal.delta'];
  const event = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          type: fc.constantFrom(...types),
          at: fc.nat(1),
          delta: words,
          id: fc.base64String({ minLength: 4, maxLength: 8 }),
          extra: fc.constantFrom({}, {}, {}, { obfuscation: 'x' }, { logprobs: [{ token: 'a' }] }),
          named: fc.boolean(),
        })
        .map(
          ({ type, at, delta, id, extra, named }): JsonObject => ({
            ...(named ? { item_id: id } : {}),
            content_index: 0,
            delta,
            ...extra,
            output_index: at,
            type,
          }),
        ),
    },
    fc.record({ at: fc.nat(1), id: fc.base64String({ minLength: 4 }) }).map(
      ({ at, id }): JsonObject => ({
        type: 'response.output_item.added',
        output_index: at,
        item: { id, type: 'message' },
      }),
    ),
    fc.constant<JsonObject>({ type: 'response.in_progress', response: { id: 'other', model: 'up', output: [] } }),
  );
  const end = { type: 'response.completed', response: { id: 'x', model: 'up', output: [{ id: 'y' }], usage: {} } };
  const stream = (events: readonly JsonObject[], write: (value: unknown) => string): string =>
    events
      .map((each, sequence_number) => `event: ${each.type}\ndata: ${write({ ...each, sequence_number })}\n\n`)
      .join('');
  const relay = () => new ResponsesRelay({ model: 'asked' });

  it('whatever the events are, those that are not parsed come out as if they were', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.boolean(), places, (events, whole, cuts) => {
        const all = whole ? [...events, end] : events;
        expect(outcome(relay(), stream(all, compact), cuts)).toEqual(outcome(relay(), stream(all, spaced)));
      }),
      { numRuns: 400 },
    );
  });

  it('C8.2 a cut stream is told with the numbers that come next, however its events were read', () => {
    const delta = (text: string): JsonObject => ({
      type: 'response.output_text.delta',
      item_id: text,
      output_index: 0,
      delta: text,
    });
    const reader = relay();
    const created = { type: 'response.created', response: { id: 'r', model: 'up' } };
    const written = dataOf(through(reader, stream([created, delta('a'), delta('b'), delta('c')], compact)));
    expect(written.slice(1)).toMatchObject(['a', 'b', 'c'].map((text) => ({ item_id: 'a', delta: text })));
    expect(reader.facts.failure?.kind).toBe('cut');
    const last = dataOf(Buffer.from(reader.failure(openaiError('server_error', 'early', 'cut'))));
    expect(last).toMatchObject([
      { type: 'error', sequence_number: 4 },
      { type: 'response.failed', sequence_number: 5, response: { id: 'r', model: 'asked', status: 'failed' } },
    ]);
  });
});
