import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../app/formats/answer/answer.ts';
import { MessagesCollector } from '../../../../app/formats/messages/collector.ts';
import { MessagesFromResponses } from '../../../../app/formats/messages-via-responses/answer.ts';
import { responsesSignature } from '../../../../app/formats/translation/reasoning.ts';
import { ToolNames } from '../../../../app/formats/translation/tool-names.ts';
import { isObject, type JsonObject } from '../../../../app/formats/wire/json.ts';
import { sampleJson } from '../sample.ts';
import { cutAt, disorder, eventsIn, responsesSse, through } from '../stream.ts';

const names = new ToolNames(['Bash']);
const reader = (stopSequences?: string[]) =>
  new MessagesFromResponses({
    model: 'asked',
    servedModel: 'gpt-5.4',
    messageId: 'msg_1',
    toolNames: names,
    ...(stopSequences ? { stopSequences } : {}),
  });

function answer(events: (JsonObject | string)[], stopSequences?: string[]) {
  const from = reader(stopSequences);
  const bytes = through(from, responsesSse(...events));
  const written = eventsIn(bytes);
  expect(disorder(written)).toBeNull();
  return { bytes, events: written, facts: from.facts };
}

/** The stream as the whole message it makes; fails where it makes none. */
function messageOf(bytes: Buffer) {
  const collector = new MessagesCollector();
  collector.push(bytes);
  const message = collector.message();
  if (message === null) throw new Error(collector.problem()?.message);
  return message;
}
const wholeOf = (...events: (JsonObject | string)[]) => messageOf(answer(events).bytes);

const response = (fields: JsonObject = {}) => ({ id: 'x', model: 'gpt-5.4-2026-03-05', ...fields });
const created = { type: 'response.created', response: response({ status: 'in_progress', usage: null }) };
const completed = (fields: JsonObject = {}, beside: JsonObject = {}) => ({
  type: 'response.completed',
  response: response({ status: 'completed', ...fields }),
  ...beside,
});
const incomplete = (reason: string | null, fields: JsonObject = {}) => ({
  type: 'response.incomplete',
  response: response({
    status: 'incomplete',
    incomplete_details: reason === null ? null : { reason },
    ...fields,
  }),
});
const added = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.done', output_index, item });
const textDelta = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
});
const thought = (output_index: number, delta: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  output_index,
  summary_index,
  delta,
});
const args = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
  obfuscation: 'xyz',
});
const allArgs = (output_index: number, json: string) => ({
  type: 'response.function_call_arguments.done',
  output_index,
  arguments: json,
});
const message = (text: string, more: JsonObject = {}) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }],
  ...more,
});
const reasoning = (summary: string[], encrypted: string | null = 'enc') => ({
  type: 'reasoning',
  summary: summary.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: encrypted,
});
const call = (call_id: string, name: string, json: string, more: JsonObject = {}) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: json,
  status: 'completed',
  ...more,
});

/** Thinking, words, two calls: everything an answer has, as it is streamed. */
const full = [
  created,
  { type: 'response.in_progress', response: response({ status: 'in_progress' }) },
  added(0, reasoning([], 'not this one')),
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0, part: {} },
  thought(0, '**Think'),
  thought(0, 'ing** “ü”'),
  thought(0, 'More', 1),
  done(0, reasoning(['**Thinking** “ü”', 'More'], 'enc+/=')),
  added(1, message('')),
  { type: 'response.content_part.added', output_index: 1, content_index: 0, part: { type: 'output_text', text: '' } },
  textDelta(1, 'Hel'),
  textDelta(1, 'lo 😀'),
  { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'Hello 😀' },
  done(1, message('Hello 😀')),
  added(2, call('call_1', 'Bash', '')),
  args(2, '{"comm'),
  args(2, 'and":"ls"}'),
  allArgs(2, '{"command":"ls"}'),
  done(2, call('call_1', 'Bash', '{"command":"ls"}')),
  added(3, call('call_2', 'Bash', '')),
  args(3, '{}'),
  done(3, call('call_2', 'Bash', '{}')),
  completed(
    {
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 140,
      },
    },
    { copilot_usage: { token_details: [], total_nano_aiu: 7 } },
  ),
];

describe('MessagesFromResponses: a whole stream', () => {
  it('B9.9 every event of a client’s stream, by output_index alone', () => {
    const { events, facts } = answer(full);
    const delta = (index: number, fields: JsonObject) => ({ type: 'content_block_delta', index, delta: fields });
    const open = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
    const close = (index: number) => ({ type: 'content_block_stop', index });
    expect(events).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'asked',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      },
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: '**Think' }),
      delta(0, { type: 'thinking_delta', thinking: 'ing** “ü”' }),
      delta(0, { type: 'thinking_delta', thinking: '\n\nMore' }),
      delta(0, { type: 'signature_delta', signature: responsesSignature('enc+/=', 'gpt-5.4') }),
      close(0),
      open(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hel' }),
      delta(1, { type: 'text_delta', text: 'lo 😀' }),
      close(1),
      open(2, { type: 'tool_use', id: 'call_1', name: 'Bash', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '{"comm' }),
      delta(2, { type: 'input_json_delta', partial_json: 'and":"ls"}' }),
      close(2),
      open(3, { type: 'tool_use', id: 'call_2', name: 'Bash', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '{}' }),
      close(3),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 40 },
        copilot_usage: { token_details: [], total_nano_aiu: 7 },
      },
      { type: 'message_stop' },
    ]);
    expect(facts).toEqual({
      ...noFacts(),
      started: true,
      contentBegan: true,
      ended: true,
      stopReason: 'tool_use',
      upstreamModel: 'gpt-5.4-2026-03-05',
      usage: { input: 40, output: 40, cacheRead: 60, cacheWrite: null },
      copilotUsage: { totalNanoAiu: 7, details: [] },
      events: 23,
      blocks: [
        { type: 'thinking', name: null },
        { type: 'text', name: null },
        { type: 'tool_use', name: 'Bash' },
        { type: 'tool_use', name: 'Bash' },
      ],
      said: 48,
    });
  });

  it.each(['\n', '\r\n', '\r'])('A9.17 B5.4 line end %j: cut at every byte it makes the same message', (lineEnd) => {
    const bytes = Buffer.from(responsesSse(...full).replaceAll('\n', lineEnd));
    const expected = through(reader(), bytes).toString();
    for (let at = 1; at < bytes.length; at++)
      expect(through(reader(), ...cutAt(bytes, [at])).toString()).toBe(expected);
  });

  it('B5.4 in any chunks it makes the same message', () => {
    const bytes = Buffer.from(responsesSse(...full));
    const expected = through(reader(), bytes).toString();
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (places) => {
        expect(through(reader(), ...cutAt(bytes, places)).toString()).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('A9.17 broken off after any byte before its last event it is a cut that closes nothing', () => {
    const bytes = Buffer.from(responsesSse(...full));
    const last = bytes.lastIndexOf('event: response.completed');
    for (let at = 0; at <= last; at++) {
      const from = reader();
      const events = eventsIn(through(from, bytes.subarray(0, at)));
      expect(from.facts).toMatchObject({ ended: false, failure: { kind: 'cut' } });
      expect(events.some(({ type }) => type === 'message_delta' || type === 'message_stop')).toBe(false);
    }
  });

  it('events come as soon as their bytes do', () => {
    const from = reader();
    expect(from.push(Buffer.from(responsesSse(created)))).toBeNull();
    expect(from.facts).toMatchObject({ started: true, contentBegan: false });
    expect(eventsIn(from.push(Buffer.from(responsesSse(textDelta(0, 'a')))) ?? Buffer.alloc(0))).toHaveLength(3);
    expect(from.facts.contentBegan).toBe(true);
    expect(eventsIn(from.push(Buffer.from(responsesSse(textDelta(0, 'b')))) ?? Buffer.alloc(0))).toHaveLength(1);
  });

  it('B9.12 the recorded whole answer as the last event of a stream', () => {
    const recorded = sampleJson('responses-gpt51-simple.response.json');
    const { bytes, facts } = answer([{ type: 'response.completed', response: recorded }]);
    expect(messageOf(bytes)).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'asked',
      content: [{ type: 'text', text: 'Hello there, friend' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 14, cache_read_input_tokens: 0, output_tokens: 14 },
    });
    expect(facts.upstreamModel).toBe('gpt-5.1-2025-11-13');
  });
});

describe('MessagesFromResponses: items', () => {
  it('an item that begins before the one before it is done waits for it', () => {
    const events = [
      added(0, call('call_1', 'Bash', '')),
      added(1, call('call_2', 'Bash', '')),
      args(0, '{"a"'),
      args(1, '{"b":'),
      args(0, ':1}'),
      args(1, '2}'),
      textDelta(2, 'after'),
      done(1, call('call_2', 'Bash', '{"b":2}')),
      done(0, call('call_1', 'Bash', '{"a":1}')),
      textDelta(2, ' all'),
      done(2, message('after all')),
      completed(),
    ];
    expect(wholeOf(...events).content).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: { a: 1 } },
      { type: 'tool_use', id: 'call_2', name: 'Bash', input: { b: 2 } },
      { type: 'text', text: 'after all' },
    ]);
  });

  it('words that only the done event has', () => {
    const events = [
      done(0, reasoning(['A', 'B'])),
      done(1, message('Hello')),
      done(2, call('call_1', 'Bash', '{"a":1}')),
      completed(),
    ];
    expect(wholeOf(...events).content).toEqual([
      { type: 'thinking', thinking: 'A\n\nB', signature: responsesSignature('enc', 'gpt-5.4') },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: { a: 1 } },
    ]);
  });

  it('an end that the deltas did not have is added; what was written stays', () => {
    const events = [
      textDelta(0, 'Hel'),
      done(0, message('Hello')),
      textDelta(1, 'x'),
      done(1, message('yy')),
      completed(),
    ];
    expect(wholeOf(...events).content).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'x' },
    ]);
  });

  it('items that were never said to be done are done with the answer, from its output where that is there', () => {
    const events = [added(0, call('call_1', 'Bash', '')), args(0, '{"a"'), textDelta(1, 'te')];
    const output = [call('call_1', 'Bash', '{"a":1}'), message('text')];
    expect(wholeOf(...events, completed({ output })).content).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: { a: 1 } },
      { type: 'text', text: 'text' },
    ]);
    expect(wholeOf(textDelta(0, 'te'), completed()).content).toEqual([{ type: 'text', text: 'te' }]);
  });

  it('an output that was numbered otherwise repeats nothing', () => {
    const events = [done(1, message('Hello')), done(4, call('call_1', 'Bash', '{}'))];
    const output = [message('Hello'), call('call_1', 'Bash', '{}')];
    expect(wholeOf(...events, completed({ output })).content).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: {} },
    ]);
  });

  it('two messages are two blocks, two parts of one message are one', () => {
    const events = [
      textDelta(0, 'a'),
      textDelta(0, 'b', 1),
      done(
        0,
        message('', {
          content: [
            { type: 'output_text', text: 'a' },
            { type: 'output_text', text: 'b' },
          ],
        }),
      ),
      textDelta(1, 'c'),
      done(1, message('c')),
      completed(),
    ];
    expect(wholeOf(...events).content).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('what comes for an item that is done, or of another kind than it is, is passed over', () => {
    const events = [
      added(0, call('call_1', 'Bash', '')),
      textDelta(1, 'a'),
      done(1, call('call_2', 'Bash', '{}')),
      done(1, message('ab')),
      textDelta(1, 'c'),
      done(1, message('abcd')),
      done(0, call('call_1', 'Bash', '{}')),
      completed(),
    ];
    expect(wholeOf(...events).content).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: {} },
      { type: 'text', text: 'ab' },
    ]);
  });

  it('items that are not translated hold nothing up', () => {
    const events = [
      added(0, { type: 'web_search_call', status: 'in_progress' }),
      { type: 'response.web_search_call.searching', output_index: 0 },
      textDelta(1, 'a'),
    ];
    const from = reader();
    expect(eventsIn(from.push(Buffer.from(responsesSse(...events))) ?? Buffer.alloc(0))).toHaveLength(3);
  });

  it('events without an index belong to the newest item', () => {
    const { output_index: _, ...bare } = textDelta(0, 'b');
    expect(wholeOf(textDelta(3, 'a'), bare, completed()).content).toEqual([{ type: 'text', text: 'ab' }]);
  });
});

describe('MessagesFromResponses: reasoning', () => {
  it('a summary whose first part is not numbered 0 begins without a blank line', () => {
    const events = [thought(0, 'A', 1), thought(0, 'B', 2), done(0, reasoning([])), textDelta(1, 'x'), completed()];
    expect(wholeOf(...events).content[0]).toMatchObject({ thinking: 'A\n\nB' });
  });

  it.each([
    [
      'encrypted alone',
      [done(0, reasoning([]))],
      [{ type: 'thinking', thinking: '', signature: responsesSignature('enc', 'gpt-5.4') }],
    ],
    [
      'words alone',
      [thought(0, 'A'), done(0, reasoning(['A'], null))],
      [{ type: 'thinking', thinking: 'A', signature: responsesSignature('', 'gpt-5.4') }],
    ],
    ['nothing', [added(0, reasoning([], null)), done(0, reasoning([], null))], []],
    [
      'its own text where there is no summary',
      [
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'A' },
        done(0, { ...reasoning([]), content: [{ type: 'reasoning_text', text: 'A B' }] }),
      ],
      [{ type: 'thinking', thinking: 'A B', signature: responsesSignature('enc', 'gpt-5.4') }],
    ],
  ])('%s', (_, events, content) => {
    expect(wholeOf(...events, textDelta(9, 'x'), completed()).content).toEqual([
      ...content,
      { type: 'text', text: 'x' },
    ]);
  });
});

describe('MessagesFromResponses: calls', () => {
  it.each([
    [
      'deltas that are encrypted',
      [args(0, 'gAAAA'), args(0, 'Bx=='), allArgs(0, '{"a":1}'), done(0, call('c', 'Bash', '{"a":1}'))],
    ],
    ['encrypted deltas, plain only in the item', [args(0, 'gAAAA'), done(0, call('c', 'Bash', '{"a":1}'))]],
    ['white space first', [args(0, ' \n'), args(0, '{"a":1}'), done(0, call('c', 'Bash', ' \n{"a":1}'))]],
    ['arguments that are an object', [done(0, { ...call('c', 'Bash', ''), arguments: { a: 1 } })]],
  ])('%s', (_, events) => {
    expect(wholeOf(added(0, call('c', 'Bash', '')), ...events, completed()).content).toEqual([
      { type: 'tool_use', id: 'c', name: 'Bash', input: { a: 1 } },
    ]);
  });

  it('a call without arguments has an empty input', () => {
    const events = [added(0, call('c', 'Bash', '')), done(0, call('c', 'Bash', '')), completed()];
    expect(wholeOf(...events).content).toEqual([{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }]);
  });

  it.each([
    [[added(0, call('c', 'Bash', ''))]],
    [[added(0, call('c', 'Bash', '')), done(0, call('c', 'Bash', '', { status: 'incomplete' }))]],
  ])('a call that the token limit left without arguments is none', (events) => {
    const whole = wholeOf(textDelta(1, 'x'), ...events, incomplete('max_output_tokens'));
    expect([whole.content, whole.stop_reason]).toEqual([[{ type: 'text', text: 'x' }], 'max_tokens']);
  });

  it('arguments that the token limit cut go on as they are', () => {
    const events = [added(0, call('c', 'Bash', '')), args(0, '{"a":'), incomplete('max_output_tokens')];
    const written = answer(events).events.filter(({ type }) => type === 'content_block_delta');
    expect(written).toMatchObject([{ delta: { partial_json: '{"a":' } }]);
  });

  it('encrypted arguments that the token limit cut are not made an empty input', () => {
    const events = [added(0, call('c', 'Bash', '')), args(0, 'gAAAA'), incomplete('max_output_tokens')];
    expect(() => wholeOf(...events)).toThrow('not a JSON object');
  });

  it('arguments that come before their call is named wait for it', () => {
    const events = [args(0, '{"a":'), added(0, call('c', 'Bash', '')), args(0, '1}'), completed()];
    expect(wholeOf(...events).content).toEqual([{ type: 'tool_use', id: 'c', name: 'Bash', input: { a: 1 } }]);
  });

  it('an id is made up where none came, a short name is led back', () => {
    const toolNames = new ToolNames();
    const short = toolNames.shorten('a tool');
    const from = new MessagesFromResponses({ model: 'm', servedModel: 'm', messageId: 'msg_1', toolNames });
    const item = { type: 'function_call', name: short, arguments: '{}' };
    const bytes = through(from, responsesSse(done(0, item), done(1, item), completed()));
    expect(messageOf(bytes).content).toEqual([
      { type: 'tool_use', id: 'toolu_msg_1_0', name: 'a tool', input: {} },
      { type: 'tool_use', id: 'toolu_msg_1_1', name: 'a tool', input: {} },
    ]);
  });

  it('a call without a name is a failure', () => {
    const waiting = textDelta(1, 'x');
    const { facts, events } = answer([args(0, '{}'), waiting, done(0, call('c', '', '{}')), completed()]);
    expect(events).toEqual([]);
    expect(facts).toMatchObject({
      ended: false,
      failure: { kind: 'error', message: 'Copilot sent a tool call without a name.' },
    });
  });

  it('more than 20 line ends and tabs in a row are a loop: nothing is closed', () => {
    const open = [added(0, call('c', 'Bash', '')), args(0, '{"a":')];
    expect(answer([...open, args(0, '\r\n\t '.repeat(9)), args(0, '\n'.repeat(20))]).facts.failure?.kind).toBe('cut');
    const { facts, events } = answer([...open, ...Array.from({ length: 21 }, () => args(0, '\t')), args(0, '1}')]);
    expect(facts.failure).toMatchObject({ kind: 'error', message: expect.stringContaining('blank lines') });
    expect(events.some(({ type }) => type === 'content_block_stop')).toBe(false);
  });
});

describe('MessagesFromResponses: ends', () => {
  it.each([
    ['end_turn', [textDelta(0, 'x'), completed()]],
    ['tool_use', [done(0, call('c', 'Bash', '{}')), completed()]],
    ['max_tokens', [textDelta(0, 'x'), incomplete('max_output_tokens')]],
    ['max_tokens', [done(0, call('c', 'Bash', '{}')), incomplete('max_output_tokens')]],
    ['max_tokens', [textDelta(0, 'x'), incomplete(null)]],
    ['max_tokens', [textDelta(0, 'x'), { ...incomplete('max_output_tokens'), type: 'response.completed' }]],
    ['refusal', [textDelta(0, 'x'), incomplete('content_filter')]],
    ['refusal', [done(0, message('', { content: [{ type: 'refusal', refusal: 'No.' }] })), completed()]],
    ['end_turn', [completed()]],
  ])('B9.10 %s %#', (reason, events) => {
    const { bytes, facts } = answer([created, ...events]);
    expect([messageOf(bytes).stop_reason, facts.stopReason, facts.ended]).toEqual([reason, reason, true]);
  });

  it('a refusal is text, and explains the stop reason', () => {
    const refusal = (delta: string) => ({ type: 'response.refusal.delta', output_index: 0, content_index: 0, delta });
    const item = message('', { content: [{ type: 'refusal', refusal: 'I can’t.' }] });
    for (const events of [
      [refusal('I '), refusal('can’t.'), done(0, item), completed()],
      [refusal('I '), refusal('can’t.'), completed()],
      [refusal('I '), refusal('can’t.'), done(0, message('')), completed()],
      [done(0, item), completed()],
    ]) {
      expect(wholeOf(...events)).toMatchObject({
        content: [{ type: 'text', text: 'I can’t.' }],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: null, explanation: 'I can’t.' },
      });
    }
    expect(wholeOf(textDelta(0, 'x'), incomplete('content_filter'))).toMatchObject({
      stop_details: { explanation: 'Copilot’s content filter ended this answer.' },
    });
  });

  it.each([
    [
      'response.failed',
      {
        type: 'response.failed',
        response: response({ status: 'failed', error: { code: 'server_error', message: 'Broken.' } }),
      },
      'server_error',
      'Broken.',
    ],
    [
      'response.failed without a reason',
      { type: 'response.failed', response: response() },
      null,
      'Copilot ended its answer as failed.',
    ],
    [
      'response.cancelled',
      { type: 'response.cancelled', response: response() },
      null,
      'Copilot ended its answer as cancelled.',
    ],
    [
      'an error event of OpenAI’s',
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null },
      'rate_limit_exceeded',
      'Slow down.',
    ],
    [
      'an error event with an envelope',
      { type: 'error', error: { type: 'overloaded_error', message: 'Full.' } },
      'overloaded_error',
      'Full.',
    ],
  ])('B9.10 %s', (_, event, type, words) => {
    const { events, facts } = answer([created, textDelta(0, 'x'), event]);
    expect(facts).toMatchObject({ ended: false, failure: { kind: 'error', type, message: words } });
    expect(events.at(-1)).toMatchObject({ type: 'content_block_delta' });
  });

  it.each([
    ['an error without a type', 'data: {"error":{"message":"Bad.","code":"x"}}\n\n', 'Bad.'],
    ['an error that is no JSON', 'event: error\ndata: Bad gateway\n\n', 'Bad gateway'],
  ])('%s', (_, bytes, words) => {
    const from = reader();
    through(from, bytes);
    expect(from.facts.failure).toMatchObject({ kind: 'error', message: words });
  });

  it('usage and bill of a failed response are kept', () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    const { facts } = answer([
      { type: 'response.failed', response: response({ usage }), copilot_usage: { total_nano_aiu: 3 } },
    ]);
    expect([facts.usage.input, facts.usage.output, facts.copilotUsage?.totalNanoAiu]).toEqual([5, 2, 3]);
  });

  it.each([
    ['beside the response', completed({}, { copilot_usage: { total_nano_aiu: 3 } })],
    ['inside it', completed({ copilot_usage: { total_nano_aiu: 3 } })],
    [
      'inside its usage',
      completed({ usage: { input_tokens: 1, output_tokens: 1, copilot_usage: { total_nano_aiu: 3 } } }),
    ],
  ])('A11.4 copilot_usage %s', (_, end) => {
    const { facts, events } = answer([textDelta(0, 'x'), end]);
    expect(facts.copilotUsage).toEqual({ totalNanoAiu: 3, details: [] });
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', copilot_usage: { total_nano_aiu: 3 } });
  });

  it('[DONE] after the end is nothing, before it a cut', () => {
    expect(answer([textDelta(0, 'x'), completed(), '[DONE]']).facts).toMatchObject({ ended: true, failure: null });
    expect(answer([textDelta(0, 'x'), '[DONE]']).facts).toMatchObject({ ended: false, failure: { kind: 'cut' } });
  });

  it('what follows the end is not read, and nothing is written any more', () => {
    const { events, facts } = answer([textDelta(0, 'x'), completed(), textDelta(0, 'y'), created]);
    expect([events.at(-1), facts.ended]).toEqual([{ type: 'message_stop' }, true]);
    const from = reader();
    from.push(Buffer.from(responsesSse(completed())));
    expect([from.push(Buffer.from(responsesSse(textDelta(0, 'y')))), from.end()]).toEqual([null, null]);
  });

  it('events that are no JSON are left out and counted', () => {
    const { bytes, facts } = answer([textDelta(0, 'x'), '{"type":', textDelta(0, 'y'), completed()]);
    expect([messageOf(bytes).content, facts.unreadable]).toEqual([[{ type: 'text', text: 'xy' }], 1]);
  });

  it('comments and unknown events are passed over', () => {
    const from = reader();
    const bytes = `: hello\n\n${responsesSse({ type: 'response.tomorrow', output_index: 0 }, textDelta(0, 'x'), completed())}`;
    expect(messageOf(through(from, bytes)).content).toEqual([{ type: 'text', text: 'x' }]);
  });
});

describe('MessagesFromResponses: stop sequences', () => {
  it('the answer ends where one is complete, wherever the deltas part it', () => {
    const words = 'one STOP two';
    fc.assert(
      fc.property(fc.array(fc.nat(words.length)), (places) => {
        const deltas = cutAt(Buffer.from(words), places).map((piece) => textDelta(0, piece.toString()));
        const { bytes, facts } = answer([...deltas, done(1, call('c', 'Bash', '{}')), completed()], ['STOP']);
        expect(messageOf(bytes)).toMatchObject({
          content: [{ type: 'text', text: 'one ' }],
          stop_reason: 'stop_sequence',
          stop_sequence: 'STOP',
        });
        expect(facts).toMatchObject({ ended: true, stopReason: 'stop_sequence' });
      }),
    );
  });

  it('what looked like the beginning of one is written when its message is done', () => {
    const { bytes } = answer(
      [textDelta(0, 'one ST'), done(0, message('one ST')), textDelta(1, 'OP'), completed()],
      ['STOP'],
    );
    expect(messageOf(bytes).content).toEqual([
      { type: 'text', text: 'one ST' },
      { type: 'text', text: 'OP' },
    ]);
  });

  it('nothing follows, wherever it stood', () => {
    const output = [message('one STOP two'), message('three'), call('c', 'Bash', '{}')];
    for (const events of [
      [completed({ output })],
      [added(0, message('')), textDelta(1, 'three'), done(1, message('three')), done(0, message('one STOP two'))],
    ]) {
      const { bytes } = answer(events, ['STOP']);
      expect(messageOf(bytes).content).toEqual([{ type: 'text', text: 'one ' }]);
    }
  });

  it('thoughts and arguments are not searched', () => {
    const events = [done(0, reasoning(['STOP'])), done(1, call('c', 'Bash', '{"a":"STOP"}')), completed()];
    expect(messageOf(answer(events, ['STOP']).bytes).content).toHaveLength(2);
  });
});

it('any order of events keeps the grammar, and no failure is followed by an end', () => {
  const events = fc.oneof(
    fc.constantFrom<JsonObject>(created, completed(), incomplete('max_output_tokens')),
    fc.nat(2).map((at) => textDelta(at, 'x')),
    fc.nat(2).map((at) => thought(at, 'y', at)),
    fc.nat(2).map((at) => args(at, '{"a":1}')),
    fc.nat(2).map((at) => added(at, call(`c${at}`, 'Bash', ''))),
    fc.nat(2).map((at) => done(at, call(`c${at}`, 'Bash', '{"a":1}'))),
    fc.nat(2).map((at) => done(at, message('xyz'))),
    fc.nat(2).map((at) => done(at, reasoning(['yy']))),
  );
  fc.assert(
    fc.property(fc.array(events, { maxLength: 12 }), (list) => {
      const { events: written, facts } = answer(list);
      const ended = written.some(({ type }) => type === 'message_stop');
      expect([facts.ended, facts.failure === null]).toEqual([ended, ended]);
      for (const block of written.filter((event) => isObject(event.content_block)))
        expect(typeof block.index).toBe('number');
    }),
  );
});
