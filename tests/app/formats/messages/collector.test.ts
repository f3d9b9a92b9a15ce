import { describe, expect, it } from 'vitest';
import { MessagesCollector } from '../../../../app/formats/messages/collector.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { eventsAsSse } from '../sample.ts';
import { cutAt, sse } from '../stream.ts';

const collect = (...chunks: (Buffer | string)[]) => {
  const collector = new MessagesCollector();
  for (const chunk of chunks) collector.push(Buffer.from(chunk));
  return { message: collector.message(), problem: collector.problem() };
};

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 5 },
  },
};
const last = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage: { output_tokens: 9, cache_read_input_tokens: null },
};
const stop = { type: 'message_stop' };
const block = (
  index: number,
  content_block: { type: string; [key: string]: unknown },
  ...deltas: { type: string; [key: string]: unknown }[]
) =>
  sse(
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  );
const contentOf = (...blocks: string[]) => collect(sse(start), ...blocks, sse(last, stop)).message?.content;

describe('MessagesCollector', () => {
  it('A9.15 A11.2 makes a recorded stream the message it would have been', () => {
    const { message, problem } = collect(eventsAsSse('messages-native-sonnet46-tooluse.stream-events.json'));
    expect(problem).toBeNull();
    expect(message).toMatchObject({
      id: 'msg_bdrk_01Q2vVZV87LvR3mvBuU958xb',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-6',
      content: [
        { type: 'tool_use', id: 'toolu_bdrk_01LsJrB3t1eBtNqkYTbzxgvV', name: 'get_weather', input: { city: 'Paris' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 569,
        output_tokens: 54,
        cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      },
      'amazon-bedrock-invocationMetrics': { inputTokenCount: 569, outputTokenCount: 54 },
    });
    expect(isObject(message?.copilot_usage) && message.copilot_usage.total_nano_aiu).toBeTypeOf('number');
  });

  it('B5.4 cut at every byte it is the same message', () => {
    const bytes = eventsAsSse('messages-native-sonnet46-text.stream-events.json');
    const expected = collect(bytes);
    expect(expected.message?.content).toEqual([{ type: 'text', text: '1, 2, 3, 4, 5' }]);
    for (let at = 1; at < bytes.length; at++) expect(collect(...cutAt(bytes, [at]))).toEqual(expected);
    expect(collect(...cutAt(bytes, [...bytes.keys()]))).toEqual(expected);
  });

  it('B5.1 no blocks, a missing stop_reason, several blocks', () => {
    expect(collect(sse(start, { type: 'message_delta', delta: {} }, stop)).message).toMatchObject({
      content: [],
      stop_reason: null,
      stop_sequence: null,
    });
    expect(
      contentOf(
        block(0, { type: 'text', text: 'a' }),
        block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'b' }),
      ),
    ).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('keeps thinking, signatures, redacted thinking, citations and what is unknown', () => {
    expect(
      contentOf(
        block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'a' },
          { type: 'thinking_delta', thinking: 'b' },
          { type: 'signature_delta', signature: 'c2ln' },
        ),
        block(1, { type: 'redacted_thinking', data: 'xyz' }),
        block(
          2,
          { type: 'text', text: '' },
          { type: 'text_delta', text: 't' },
          { type: 'citations_delta', citation: { n: 1 } },
          { type: 'citations_delta', citation: { n: 2 } },
        ),
        block(
          3,
          { type: 'compaction', content: null },
          { type: 'compaction_delta', content: 'su' },
          { type: 'compaction_delta', content: 'm' },
        ),
        block(4, { type: 'tomorrow', list: [1] }, { type: 'tomorrow_delta', list: [2], flag: true }),
        block(5, { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'x' }] }),
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'ab', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 't', citations: [{ n: 1 }, { n: 2 }] },
      { type: 'compaction', content: 'sum' },
      { type: 'tomorrow', list: [1, 2], flag: true },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'x' }] },
    ]);
  });

  it('puts tool input together; no input is an empty object, for tools of the server too', () => {
    const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
    expect(
      contentOf(
        block(0, { type: 'tool_use', id: '1', name: 'a', input: {} }, json(''), json('{"x":'), json('"…"}')),
        block(1, { type: 'tool_use', id: '2', name: 'b', input: {} }),
        block(2, { type: 'tool_use', id: '3', name: 'c', input: {} }, json('')),
        block(3, { type: 'server_tool_use', id: '4', name: 'd', input: {} }, json('{"q":1}')),
      )?.map(({ input }) => input),
    ).toEqual([{ x: '…' }, {}, {}, { q: 1 }]);
  });

  it.each(['{"x":', '{"x":1}}', '[1]', 'arg-part1', '7'])(
    'C8.3 tool input %j is a problem, never repaired',
    (partial_json) => {
      const tool = block(
        0,
        { type: 'tool_use', id: '1', name: 'Bash', input: {} },
        { type: 'input_json_delta', partial_json },
      );
      expect(collect(sse(start), tool, sse(last, stop))).toEqual({
        message: null,
        problem: { kind: 'tool-input', message: 'The arguments of the call of Bash are not a JSON object.' },
      });
    },
  );

  it('adds usage up: the last word counts, a null is none', () => {
    expect(collect(sse(start, last, stop)).message?.usage).toEqual({
      input_tokens: 3,
      output_tokens: 9,
      cache_read_input_tokens: 5,
    });
  });

  it('keeps what stands beside the delta and beside the end', () => {
    const rich = {
      ...last,
      delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: { type: 'refusal' } },
      context_management: { applied_edits: [] },
      copilot_usage: { total_nano_aiu: 1 },
    };
    expect(collect(sse(start, rich, { ...stop, 'amazon-bedrock-invocationMetrics': { a: 1 } })).message).toEqual({
      ...start.message,
      stop_reason: 'refusal',
      stop_details: { type: 'refusal' },
      usage: { input_tokens: 3, output_tokens: 9, cache_read_input_tokens: 5 },
      context_management: { applied_edits: [] },
      copilot_usage: { total_nano_aiu: 1 },
      'amazon-bedrock-invocationMetrics': { a: 1 },
    });
  });

  it('has no message before message_stop, and passes over pings and comments', () => {
    const unfinished = {
      message: null,
      problem: { kind: 'unfinished', message: 'The answer ended before it was complete.' },
    };
    expect(collect()).toEqual(unfinished);
    expect(collect(sse(start, last))).toEqual(unfinished);
    expect(collect(sse(start, ': hm\n\n', { type: 'ping' }, { type: 'tomorrow' }, last, stop)).problem).toBeNull();
    expect(collect(sse(start, { type: 'error', error: { type: 'api_error', message: 'm' } }, last, stop))).toEqual(
      unfinished,
    );
  });

  it('what is out of order or no JSON is a problem', () => {
    expect(
      collect(
        sse(start, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, last, stop),
      ),
    ).toEqual({
      message: null,
      problem: { kind: 'grammar', message: 'The answer is out of order: message_delta while block 0 is open.' },
    });
    expect(collect(sse(start), 'event: message_delta\ndata: {\n\n', sse(last, stop)).problem?.kind).toBe('unreadable');
  });

  it('what follows the end changes nothing', () => {
    expect(collect(sse(start, last, stop, last, start), 'data: [DONE]\n\n')).toEqual(collect(sse(start, last, stop)));
  });
});
