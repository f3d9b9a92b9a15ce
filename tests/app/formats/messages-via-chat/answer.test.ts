import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../app/formats/answer/answer.ts';
import { MessagesCollector } from '../../../../app/formats/messages/collector.ts';
import { MessagesFromChat } from '../../../../app/formats/messages-via-chat/answer.ts';
import { messagesToChat } from '../../../../app/formats/messages-via-chat/request.ts';
import { chatSignature } from '../../../../app/formats/translation/reasoning.ts';
import { ToolNames } from '../../../../app/formats/translation/tool-names.ts';
import { isObject, type JsonObject } from '../../../../app/formats/wire/json.ts';
import { sample, sampleJson, sampleNames } from '../sample.ts';
import { chatSse, cutAt, disorder, eventsIn, through } from '../stream.ts';

const names = new ToolNames([]);
const reader = (stopSequences?: string[]) =>
  new MessagesFromChat({
    model: 'asked',
    messageId: 'msg_1',
    toolNames: names,
    ...(stopSequences ? { stopSequences } : {}),
  });

function answer(chunks: (JsonObject | string)[], stopSequences?: string[]) {
  const from = reader(stopSequences);
  const bytes = through(from, chatSse(...chunks));
  const events = eventsIn(bytes);
  expect(disorder(events)).toBeNull();
  return { bytes, events, facts: from.facts };
}

/** The stream as the whole message it makes; fails where it makes none. */
function messageOf(bytes: Buffer) {
  const collector = new MessagesCollector();
  collector.push(bytes);
  const message = collector.message();
  if (message === null) throw new Error(collector.problem()?.message);
  return message;
}
const contentOf = (...chunks: (JsonObject | string)[]) => messageOf(answer([...chunks, '[DONE]']).bytes).content;

const delta = (fields: JsonObject, rest: JsonObject = {}) => ({ choices: [{ index: 0, delta: fields, ...rest }] });
const says = (content: string) => delta({ content });
const finish = (finish_reason: string, fields: JsonObject = {}) => delta(fields, { finish_reason });
const call = (index: number, id: string | undefined, name: string | undefined, args?: string) => ({
  index,
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});
const calls = (...tool_calls: JsonObject[]) => delta({ content: null, tool_calls });

const start = (usage: JsonObject = { input_tokens: 0, output_tokens: 0 }) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'asked',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});
const stop = { type: 'message_stop' };

/** The deltas of a block joined, so that a snapshot is readable. */
function outline(events: JsonObject[]): string[] {
  const lines: string[] = [];
  for (const event of events) {
    const block = isObject(event.content_block) ? event.content_block : null;
    const change = isObject(event.delta) ? event.delta : null;
    if (block !== null) lines.push(`${event.index} ${block.type}${block.name ? ` ${block.id} ${block.name}` : ''}: `);
    else if (event.type === 'content_block_delta')
      lines.push(
        `${lines.pop()}${change?.text ?? change?.thinking ?? change?.partial_json ?? ` | ${change?.signature}`}`,
      );
    else if (event.type === 'message_delta') lines.push(`${change?.stop_reason} ${JSON.stringify(event.usage)}`);
    else if (event.type !== 'content_block_stop') lines.push(String(event.type));
  }
  return lines;
}
const outlineOf = (name: string) => outline(eventsIn(through(reader(), sample(name))));

describe('MessagesFromChat: recorded streams', () => {
  it('B9.1 plain text with filter results', () => {
    expect(outlineOf('sse-chat-gpt-plain-text-with-content-filter.sse.txt')).toEqual([
      'message_start',
      '0 text: Hello! How can I assist you with your programming needs today?',
      'end_turn {"output_tokens":0,"input_tokens":0}',
      'message_stop',
    ]);
  });

  it('B9.1 B9.4 usage null, then alone', () => {
    const from = reader();
    expect(
      eventsIn(through(from, sample('sse-chat-gpt4o-mini-prediction-usage-null-then-usage-chunk.sse.txt'))),
    ).toEqual([
      start(),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'world' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 965, cache_read_input_tokens: 0, output_tokens: 93 },
      },
      stop,
    ]);
    expect(from.facts).toEqual({
      ...noFacts(),
      started: true,
      contentBegan: true,
      ended: true,
      stopReason: 'end_turn',
      upstreamModel: 'gpt-4o-mini-2024-07-18',
      usage: { input: 965, output: 93, cacheRead: 0, cacheWrite: null },
      events: 5,
      blocks: [{ type: 'text', name: null }],
      said: 10,
    });
  });

  it('B9.1 B9.4 old `text` choices', () => {
    expect(outlineOf('sse-chat-usage-separate-chunk.sse.txt')).toEqual([
      'message_start',
      '0 text: foobar',
      'end_turn {"output_tokens":2,"input_tokens":358}',
      'message_stop',
    ]);
  });

  it('B9.1 B9.3 a chunk after the finish, and a thinking summary that is left out', () => {
    expect(outlineOf('sse-chat-cot_summary-cot_id-then-tool-call-after-finish.sse.txt')).toEqual([
      'message_start',
      '0 tool_use call_bNK0HIaqlEFyZK6wEz8bXDXJ read_file: arg-part1arg-part2',
      'tool_use {"output_tokens":0,"input_tokens":0}',
      'message_stop',
    ]);
  });

  it('B9.1 B9.2 two calls that both have index 0', () => {
    const lines = outlineOf('sse-chat-claude35sonnet-multiple-tool-calls.sse.txt');
    expect(lines.map((line) => line.slice(0, 72))).toEqual([
      'message_start',
      "0 text: I'll make two changes:\n1. Add a multiply function to test.js\n2. ",
      '1 tool_use tooluse_448k6WHnTpS28K0Bd1bhgA edit_file: {"filePath":"/Users',
      '2 tool_use tooluse_2SRF2HShTXOoLdGrjWuGiw edit_file: "filePath":"/Users/',
      'tool_use {"output_tokens":170,"input_tokens":2128}',
      'message_stop',
    ]);
    expect(lines[2]).toMatch(/"}$/);
  });

  it('B9.1 B9.6 the opaque part beside the first text', () => {
    expect(outlineOf('sse-chat-gemini-reasoning_opaque-and-content-same-chunk-then-tool-call.sse.txt')).toEqual([
      'message_start',
      expect.stringMatching(/^0 thinking: \*\*Analyzing the Structure\*\*[^|]* \| jumpseat-chat:WHOd3dYFnx\S+$/),
      "1 text: Okay, I need to check out the project's file structure.",
      '2 tool_use call_MHxqRDd5WVo3NU8wUXRaMmc0MFE list_project_files: {}',
      'tool_use {"output_tokens":30,"input_tokens":3767,"cache_read_input_tokens":0}',
      'message_stop',
    ]);
  });

  it('B9.1 B9.6 the opaque part on the last chunk', () => {
    expect(outlineOf('sse-chat-gemini3-reasoning_opaque-on-final-text-chunk.sse.txt')).toEqual([
      'message_start',
      "0 thinking: **Analyzing the Inquiry's Nature**\n\nI'm currently parsing the user's question.\n\n | " +
        'jumpseat-chat:',
      '1 text: I am Tidewave, a highly skilled AI coding agent.\n\nHow can I help you?',
      '2 thinking:  | jumpseat-chat:/PMlTqxqSJZnUBDHgnnJKLVI4eZQ',
      'end_turn {"output_tokens":154,"input_tokens":5778,"cache_read_input_tokens":0}',
      'message_stop',
    ]);
  });

  it.each(sampleNames('.sse.txt'))('A9.17 B5.4 %s cut at every byte makes the same events', (name) => {
    const bytes = sample(name);
    const once = reader();
    const expected = through(once, bytes).toString();
    expect(disorder(eventsIn(Buffer.from(expected)))).toBeNull();
    expect(once.facts).toMatchObject({ ended: true, failure: null, unreadable: 0 });
    // One cut at a time, and all cuts at once; in a long sample every 53rd place at once, from each of the first 53 on.
    const every = bytes.length > 3000 ? 53 : bytes.length;
    for (let first = 1; first <= every; first++) {
      const places = Array.from({ length: Math.ceil((bytes.length - first) / every) }, (_, n) => first + n * every);
      const from = reader();
      expect(through(from, ...cutAt(bytes, places)).toString(), `cut from ${first} on`).toBe(expected);
      expect(from.facts).toEqual(once.facts);
    }
    expect(through(reader(), ...cutAt(bytes, [...bytes.keys()])).toString()).toBe(expected);
    for (const other of ['\r\n', '\r'])
      expect(through(reader(), bytes.toString().replaceAll('\n', other)).toString()).toBe(expected);
  });

  it('A9.17 any chunks, any text, characters cut in two', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(2000)), (words, places) => {
        const bytes = Buffer.from(chatSse(...words.map(says), finish('stop'), '[DONE]'));
        expect(messageOf(through(reader(), ...cutAt(bytes, places))).content).toEqual(
          words.join('') === '' ? [] : [{ type: 'text', text: words.join('') }],
        );
      }),
    );
  });

  it.each([
    ['chat-gpt4o-simple.response.json', [{ type: 'text', text: 'Hello, howdy there!' }], 'end_turn', 15],
    [
      'chat-gpt4o-toolcall.response.json',
      [{ type: 'tool_use', id: 'call_xMrquKCGiAdJpthTnrQNbVpq', name: 'get_weather', input: { location: 'Tokyo' } }],
      'tool_use',
      57,
    ],
  ])('B9.12 %s as one chunk is the message it means', (name, content, stop_reason, input_tokens) => {
    const whole = sampleJson(name);
    if (!isObject(whole)) throw new Error('no object');
    expect(messageOf(answer([whole, '[DONE]']).bytes)).toMatchObject({
      id: 'msg_1',
      model: 'asked',
      content,
      stop_reason,
      usage: { input_tokens },
    });
  });
});

describe('MessagesFromChat: blocks', () => {
  it('A6.12 begins with the first content, not before, and with the asked name', () => {
    const from = reader();
    expect(
      from.push(Buffer.from(chatSse({ choices: [], id: '', model: '' }, delta({ content: '', role: 'assistant' })))),
    ).toBeNull();
    expect(from.facts).toMatchObject({ started: true, contentBegan: false, upstreamModel: null });
    expect(eventsIn(from.push(Buffer.from(chatSse(says('a')))) ?? Buffer.alloc(0))[0]).toEqual(start());
    expect(from.facts.contentBegan).toBe(true);
  });

  it('says the input tokens at once where they are known', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 4 } };
    expect(answer([{ ...says('a'), usage }, finish('stop')]).events[0]).toEqual(
      start({ input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 0 }),
    );
  });

  it('B9.2 a new id begins a call, the same id goes on with it, none goes on by index', () => {
    expect(
      contentOf(
        calls(call(0, 'a', 'A', '')),
        calls(call(0, 'a', 'A', '{"x"')),
        calls(call(0, '', undefined, ':1}')),
        calls(call(0, 'b', 'B')),
        calls(call(0, undefined, undefined, '{"y":')),
        calls(call(0, undefined, undefined, '2}')),
        finish('tool_calls'),
      ),
    ).toEqual([
      { type: 'tool_use', id: 'a', name: 'A', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'B', input: { y: 2 } },
    ]);
  });

  it('calls whose arguments come mixed are parted', () => {
    expect(
      contentOf(
        calls(call(0, 'a', 'A', ''), call(1, 'b', 'B', '')),
        calls(call(1, undefined, undefined, '{"y":')),
        calls(call(0, undefined, undefined, '{"x":')),
        calls(call(1, undefined, undefined, '2}'), call(0, undefined, undefined, '1}')),
        finish('tool_calls'),
      ),
    ).toEqual([
      { type: 'tool_use', id: 'a', name: 'A', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'B', input: { y: 2 } },
    ]);
  });

  it('the next call is written as soon as the one before is whole', () => {
    const from = reader();
    from.push(Buffer.from(chatSse(calls(call(0, 'a', 'A', '{}')))));
    const written = from.push(Buffer.from(chatSse(calls(call(1, 'b', 'B', '{"y"')))));
    expect(outline(eventsIn(written ?? Buffer.alloc(0)))).toEqual(['1 tool_use b B: {"y"']);
  });

  it('more arguments for a call that is closed are a failure, never a second block', () => {
    const { events, facts } = answer([
      calls(call(0, 'a', 'A', '{}')),
      calls(call(1, 'b', 'B', '{}')),
      calls(call(0, 'a', undefined, ',1')),
      finish('tool_calls'),
    ]);
    expect(facts.failure).toEqual({
      kind: 'error',
      type: 'api_error',
      message: 'Copilot sent the arguments of two tool calls mixed.',
    });
    expect(events.at(-1)?.type).not.toBe('message_stop');
  });

  it('a call without id gets one, a call without name is a failure', () => {
    expect(contentOf(calls(call(0, undefined, 'A', '{}')), finish('tool_calls'))).toEqual([
      { type: 'tool_use', id: 'toolu_msg_1_0', name: 'A', input: {} },
    ]);
    expect(answer([calls(call(0, 'a', undefined, '{}')), finish('tool_calls'), '[DONE]']).facts.failure?.message).toBe(
      'Copilot sent a tool call without a name.',
    );
  });

  it('tool names come back as the client knows them', () => {
    const toolNames = new ToolNames([]);
    const short = toolNames.shorten('a.b');
    const from = new MessagesFromChat({ model: 'm', messageId: 'm', toolNames });
    expect(
      messageOf(through(from, chatSse(calls(call(0, 'a', short, '{}')), finish('tool_calls')))).content[0]?.name,
    ).toBe('a.b');
  });

  it('text, call, text, thinking, text are blocks of their own', () => {
    expect(
      contentOf(
        says('a'),
        calls(call(0, 't', 'T', '{}')),
        says('b'),
        delta({ reasoning_text: 'hm' }),
        says('c'),
        finish('stop'),
      ),
    ).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't' },
      { type: 'text', text: 'b' },
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'c' },
    ]);
  });

  it.each<[string, JsonObject[], [string, string][]]>([
    ['together', [delta({ reasoning_text: 'hm', reasoning_opaque: 'O' }), says('a')], [['hm', 'O']]],
    [
      'alone after it',
      [delta({ reasoning_text: 'h' }), delta({ reasoning_text: 'm' }), delta({ reasoning_opaque: 'O' }), says('a')],
      [['hm', 'O']],
    ],
    [
      'beside content',
      [delta({ reasoning_text: 'hm' }), delta({ content: 'a', reasoning_opaque: 'O' })],
      [['hm', 'O']],
    ],
    [
      'beside a call',
      [delta({ reasoning_text: 'hm' }), delta({ reasoning_opaque: 'O', tool_calls: [call(0, 't', 'T', '{}')] })],
      [['hm', 'O']],
    ],
    [
      'on the last chunk',
      [delta({ reasoning_text: 'hm' }), says('a'), finish('stop', { content: 'b', reasoning_opaque: 'O' })],
      [
        ['hm', ''],
        ['', 'O'],
      ],
    ],
    [
      'between text and call',
      [
        delta({ reasoning_text: 'hm' }),
        says('a'),
        delta({ reasoning_opaque: 'O', tool_calls: [call(0, 't', 'T', '{}')] }),
      ],
      [
        ['hm', ''],
        ['', 'O'],
      ],
    ],
    ['with no text at all', [delta({ reasoning_opaque: 'O' }), says('a')], [['', 'O']]],
    [
      'said twice',
      [delta({ reasoning_text: 'hm', reasoning_opaque: 'O' }), delta({ content: 'a', reasoning_opaque: 'O' })],
      [['hm', 'O']],
    ],
    [
      'said again later',
      [
        delta({ reasoning_text: 'hm', reasoning_opaque: 'O' }),
        says('a'),
        delta({ content: 'b', reasoning_opaque: 'O' }),
      ],
      [['hm', 'O']],
    ],
    ['never', [delta({ reasoning_text: 'hm' }), says('a')], [['hm', '']]],
  ])('B9.6 the opaque part %s, and back again', (_, chunks, blocks) => {
    const content = contentOf(...chunks, finish('stop'));
    expect(content.filter(({ type }) => type === 'thinking')).toEqual(
      blocks.map(([thinking, opaque]) => ({ type: 'thinking', thinking, signature: chatSignature(opaque) })),
    );
    const back = messagesToChat({ model: 'm', messages: [{ role: 'assistant', content }] }, { claude: false });
    const sent = back.ok ? back.body.messages[0] : null;
    const said = blocks.map(([thinking]) => thinking).join('');
    if (blocks.some(([, opaque]) => opaque !== ''))
      expect(sent).toMatchObject({ reasoning_text: said, reasoning_opaque: 'O' });
    else expect(sent).not.toHaveProperty('reasoning_text');
  });

  it('B9.5 choices are merged', () => {
    const both = {
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Text.' } },
        {
          index: 1,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            tool_calls: [{ id: 't', type: 'function', function: { name: 'T', arguments: '{"a":1}' } }],
          },
        },
      ],
    };
    expect(messageOf(answer([both, '[DONE]']).bytes)).toMatchObject({
      content: [
        { type: 'text', text: 'Text.' },
        { type: 'tool_use', id: 't', name: 'T', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
    });
  });
});

describe('MessagesFromChat: ends', () => {
  it.each<[string, JsonObject[], string]>([
    ['stop', [says('a'), finish('stop')], 'end_turn'],
    ['length', [says('a'), finish('length')], 'max_tokens'],
    ['tool_calls', [calls(call(0, 't', 'T', '{}')), finish('tool_calls')], 'tool_use'],
    ['function_call', [calls(call(0, 't', 'T', '{}')), finish('function_call')], 'tool_use'],
    ['stop after a call', [calls(call(0, 't', 'T', '{}')), finish('stop')], 'tool_use'],
    ['tool_calls without a call', [says('a'), finish('tool_calls')], 'end_turn'],
    ['a word of tomorrow', [says('a'), finish('tomorrow')], 'end_turn'],
    ['nothing said', [finish('stop')], 'end_turn'],
    ['length in one choice, stop in another', [says('a'), finish('length'), finish('stop')], 'max_tokens'],
  ])('B9.7 %s', (_, chunks, expected) => {
    const { bytes, facts } = answer([...chunks, '[DONE]']);
    expect([messageOf(bytes).stop_reason, facts.stopReason, facts.ended]).toEqual([expected, expected, true]);
  });

  it('B9.3 waits for [DONE] or the end: what follows the finish still counts', () => {
    const bill = {
      total_nano_aiu: 137_500_000,
      token_details: [{ token_type: 'input', token_count: 250, cost_per_batch: 500e9, batch_size: 1e6 }],
    };
    const { bytes, facts } = answer([
      says('a'),
      finish('stop'),
      says('b'),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
      { choices: [], copilot_usage: bill },
      '[DONE]',
      says('c'),
    ]);
    expect(messageOf(bytes)).toMatchObject({
      content: [{ type: 'text', text: 'ab' }],
      usage: { input_tokens: 5, output_tokens: 2 },
      copilot_usage: bill,
    });
    expect(facts.copilotUsage?.totalNanoAiu).toBe(137_500_000);
  });

  it('A11.3 A11.6 the bill: after the finish, or inside usage; the last counts', () => {
    const bill = (total_nano_aiu: number) => ({ total_nano_aiu, token_details: [] });
    const usage = sampleJson('vscode-lm-usage-with-copilot_usage.json');
    const inside = answer([says('a'), { ...finish('stop'), copilot_usage: bill(1) }, { choices: [], usage }, '[DONE]']);
    expect(inside.facts).toMatchObject({
      copilotUsage: { totalNanoAiu: 137_500_000 },
      usage: { input: 250, output: 5, cacheRead: 0, cacheWrite: 0 },
    });
    expect(
      answer([
        says('a'),
        finish('stop'),
        { choices: [], copilot_usage: bill(1) },
        { choices: [], copilot_usage: bill(2) },
      ]).events.at(-2),
    ).toMatchObject({ copilot_usage: bill(2) });
    expect(answer([says('a'), finish('stop')]).facts.copilotUsage).toBeNull();
  });

  it('usage: input without cached tokens, Gemini’s thinking counted as output', () => {
    const usageOf = (usage: JsonObject) => answer([says('a'), { ...finish('stop'), usage }]).facts.usage;
    expect(
      usageOf({
        prompt_tokens: 10,
        completion_tokens: 3,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 8 },
        reasoning_tokens: 2,
      }),
    ).toEqual({ input: 2, output: 3, cacheRead: 8, cacheWrite: null });
    expect(usageOf({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 18, reasoning_tokens: 5 })).toEqual({
      input: 10,
      output: 8,
      cacheRead: null,
      cacheWrite: null,
    });
    expect(usageOf({})).toEqual({ input: null, output: null, cacheRead: null, cacheWrite: null });
  });

  it('a content filter and a refusal are refusals', () => {
    const filtered = answer([
      says('a'),
      delta(
        {},
        {
          finish_reason: 'content_filter',
          content_filter_results: { error: { code: '' }, hate: { filtered: false }, violence: { filtered: true } },
        },
      ),
      '[DONE]',
    ]);
    expect(filtered.events.at(-2)).toMatchObject({
      delta: {
        stop_reason: 'refusal',
        stop_details: {
          type: 'refusal',
          category: 'violence',
          explanation: 'Copilot’s content filter ended this answer.',
        },
      },
    });
    const refused = answer([delta({ refusal: 'I can’t ' }), delta({ refusal: 'do that.' }), finish('stop'), '[DONE]']);
    expect(messageOf(refused.bytes)).toMatchObject({
      content: [{ type: 'text', text: 'I can’t do that.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: 'I can’t do that.' },
    });
  });

  it.each([
    ['the end', []],
    ['[DONE]', ['[DONE]']],
  ])('B9.8 A9.7 C8.2 %s without a finish reason is a cut, and closes nothing', (_, tail) => {
    const { events, facts } = answer([says('a'), calls(call(0, 't', 'T', '{"a":')), ...tail]);
    expect(outline(events)).toEqual(['message_start', '0 text: a', '1 tool_use t T: {"a":']);
    expect(events.at(-1)?.type).toBe('content_block_delta');
    expect(facts).toMatchObject({
      ended: false,
      failure: { kind: 'cut', type: null, message: 'Copilot’s answer ended early.' },
    });
  });

  it('a call that waits for its turn is not written by a cut', () => {
    expect(outline(answer([calls(call(0, 'a', 'A', '{'), call(1, 'b', 'B', '{}'))]).events)).toEqual([
      'message_start',
      '0 tool_use a A: {',
    ]);
  });

  it('C8.1 C8.3 the token limit inside arguments closes the call with what there is', () => {
    const { events } = answer([calls(call(0, 't', 'T', '{"a":')), finish('length'), '[DONE]']);
    expect(outline(events)).toEqual([
      'message_start',
      '0 tool_use t T: {"a":',
      'max_tokens {"output_tokens":0,"input_tokens":0}',
      'message_stop',
    ]);
  });

  it('a finish without [DONE] is an end all the same', () => {
    expect(answer([says('a'), finish('stop')]).facts).toMatchObject({ ended: true, failure: null });
    const from = reader();
    expect(eventsIn(through(from, chatSse(says('a'), finish('stop')).slice(0, -2))).at(-1)).toEqual(stop);
    expect(through(reader(), `${chatSse(says('a'), finish('stop'))}data: [DONE]`).toString()).toContain('message_stop');
  });

  it('half an event at the end is none', () => {
    const from = reader();
    const bytes = through(from, chatSse(says('a')), chatSse(says('b')).slice(0, -6));
    expect(outline(eventsIn(bytes))).toEqual(['message_start', '0 text: a']);
    expect(from.facts).toMatchObject({ failure: { kind: 'cut' }, unreadable: 0 });
  });

  it('B5.8 an empty answer is a cut that never started', () => {
    const from = reader();
    expect([through(from).length, from.facts.started, from.facts.failure?.kind]).toEqual([0, false, 'cut']);
  });

  it.each([
    ['{"error":{"message":"slow down","code":"rate_limited","type":"x"}}', 'rate_limited', 'slow down'],
    ['{"error":{"message":"m","code":""},"choices":[]}', null, 'm'],
    ['{"message":"m","code":"model_overloaded"}', 'model_overloaded', 'm'],
    ['{"type":"error","error":{"type":"overloaded_error","message":"m"}}', 'overloaded_error', 'm'],
  ])('A9.5 B5.7 an error in the stream %s', (data, type, message) => {
    const { events, facts } = answer([says('a'), data, says('b'), finish('stop'), '[DONE]']);
    expect(outline(events)).toEqual(['message_start', '0 text: a']);
    expect(facts).toMatchObject({ ended: false, failure: { kind: 'error', type, message } });
  });

  it('A9.5 an error by the event’s name', () => {
    const from = reader();
    through(from, 'event: error\ndata: upstream went away\n\n');
    expect(from.facts.failure).toEqual({ kind: 'error', type: null, message: 'upstream went away' });
  });

  it('an empty error beside choices is none', () => {
    expect(answer([{ ...says('a'), error: null }, finish('stop')]).facts.failure).toBeNull();
  });

  it('arguments of nothing but line ends and tabs are a loop', () => {
    const blanks = (length: number) => '\n\t\r'.repeat(7).slice(0, length);
    const fine = answer([
      calls(call(0, 't', 'T', '{"a":1')),
      calls(call(0, undefined, undefined, blanks(20))),
      calls(call(0, undefined, undefined, '}')),
      finish('tool_calls'),
    ]);
    expect(fine.facts.failure).toBeNull();
    const parted = answer([calls(call(0, 't', 'T', `{${blanks(20)}"a"${blanks(20)}:1}`)), finish('tool_calls')]);
    expect(parted.facts.failure).toBeNull();
    const stuck = answer([
      calls(call(0, 't', 'T', '{"a":1')),
      calls(call(0, undefined, undefined, blanks(20))),
      calls(call(0, undefined, undefined, '\n')),
      finish('tool_calls'),
      '[DONE]',
    ]);
    expect(stuck.facts).toMatchObject({ ended: false, failure: { kind: 'error', type: 'api_error' } });
    expect(stuck.events.at(-1)?.type).toBe('content_block_delta');
  });

  it('B5.5 B5.6 comments, no space, bad JSON: left out and counted', () => {
    const from = reader();
    const bytes = through(
      from,
      ': hi\n\n',
      `data:${JSON.stringify(says('a'))}\n\n`,
      'data: {"oops\n\n',
      'data: 7\n\n',
      `id: 1\nevent: message\n${chatSse(finish('stop'))}`,
      'data:[DONE]\n\n',
    );
    expect(messageOf(bytes).content).toEqual([{ type: 'text', text: 'a' }]);
    expect(from.facts).toMatchObject({ unreadable: 2, ended: true });
  });

  it('odd shapes inside a chunk harm nothing', () => {
    expect(
      contentOf(
        { choices: 'x' },
        { choices: [7, null, {}] },
        delta({ content: 7, tool_calls: [null, 'x'] }),
        delta({ tool_calls: {} }),
        says('a'),
        finish('stop'),
      ),
    ).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('a stop sequence the upstream was not told ends the answer here', () => {
    const { bytes, facts } = answer([says('yes</bl'), says('ock> and more'), finish('stop'), '[DONE]'], ['</block>']);
    expect(messageOf(bytes)).toMatchObject({
      content: [{ type: 'text', text: 'yes' }],
      stop_reason: 'stop_sequence',
      stop_sequence: '</block>',
    });
    expect(facts).toMatchObject({ ended: true, stopReason: 'stop_sequence' });
    const none = answer([says('yes</bl'), calls(call(0, 't', 'T', '{}')), says('</'), finish('stop')], ['</block>']);
    expect(messageOf(none.bytes).content).toMatchObject([{ text: 'yes</bl' }, { id: 't' }, { text: '</' }]);
  });

  it('after the end or a failure nothing more is written', () => {
    const from = reader();
    from.push(Buffer.from(chatSse(says('a'), finish('stop'), '[DONE]')));
    expect([from.push(Buffer.from(chatSse(says('b')))), from.end()]).toEqual([null, null]);
  });
});
