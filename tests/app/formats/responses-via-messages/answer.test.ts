import { describe, expect, it } from 'vitest';
import { MessagesRelay } from '../../../../app/formats/messages/relay.ts';
import { openaiError } from '../../../../app/formats/openai/error.ts';
import { ResponsesCollector } from '../../../../app/formats/responses/relay.ts';
import { ResponsesFromMessages } from '../../../../app/formats/responses-via-messages/answer.ts';
import { isObject, type JsonObject } from '../../../../app/formats/wire/json.ts';
import { responseEventsIn, responsesDisorder } from '../responses-order.ts';
import { cutAt, sse, through } from '../stream.ts';

const start = {
  type: 'message_start',
  message: { id: 'x', model: 'up', usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 } },
};
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const bill = { total_nano_aiu: 5, token_details: [] };
const end = (stop_reason: string, stop_details: JsonObject | null = null): JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason, stop_details }, usage: { output_tokens: 9 }, copilot_usage: bill },
  { type: 'message_stop' },
];

const thinking = block(
  0,
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'thinking_delta', thinking: 'first ' },
  { type: 'thinking_delta', thinking: 'that' },
  { type: 'signature_delta', signature: 'sig' },
);
const words = (index: number) =>
  block(
    index,
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Well' },
    { type: 'text_delta', text: ' “then”' },
  );
const call = (index: number, id: string, ...json: string[]) =>
  block(
    index,
    { type: 'tool_use', id, name: 'Bash', input: {} },
    ...json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );

const readerOf = (summary = true) =>
  new ResponsesFromMessages(new MessagesRelay({ model: 'asked' }), {
    head: { id: 'resp_1', model: 'asked', instructions: 'Be brief.' },
    summary,
  });
function answered(events: JsonObject[], summary = true): JsonObject[] {
  const written = responseEventsIn(through(readerOf(summary), sse(...events)));
  expect(responsesDisorder(written)).toBeNull();
  return written;
}
const responseOf = (events: JsonObject[]): JsonObject => {
  const last = events.at(-1);
  return isObject(last?.response) ? last.response : {};
};

describe('a whole answer', () => {
  const events = [start, ...thinking, ...words(1), ...call(2, 'a', '{"n"', ':1}'), ...call(3, 'b'), ...end('tool_use')];

  it('thinking, text and two calls: every event, in its order', () => {
    const written = answered(events);
    expect(written.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(written.at(-1)).toEqual({
      type: 'response.completed',
      sequence_number: 25,
      copilot_usage: bill,
      response: {
        id: 'resp_1',
        model: 'asked',
        instructions: 'Be brief.',
        status: 'completed',
        incomplete_details: null,
        output: [
          {
            id: 'rs_1_0',
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: 'first that' }],
            encrypted_content: 'jumpseat-thinking:sig',
          },
          {
            id: 'msg_1_1',
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Well “then”', annotations: [], logprobs: [] }],
          },
          {
            id: 'fc_1_2',
            type: 'function_call',
            status: 'completed',
            call_id: 'a',
            name: 'Bash',
            arguments: '{"n":1}',
          },
          { id: 'fc_1_3', type: 'function_call', status: 'completed', call_id: 'b', name: 'Bash', arguments: '{}' },
        ],
        usage: {
          input_tokens: 14,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 23,
        },
      },
    });
  });

  it('B5.4 the same wherever the stream is cut into chunks', () => {
    const bytes = Buffer.from(sse(...events));
    const whole = through(readerOf(), bytes).toString();
    for (let at = 1; at < bytes.length; at++) {
      expect(through(readerOf(), ...cutAt(bytes, [at])).toString()).toBe(whole);
    }
  });

  it('collected, it is the response of its last event, with the bill', () => {
    const collector = new ResponsesCollector();
    collector.push(through(readerOf(), sse(...events)));
    expect(collector.answer()).toEqual({ copilot_usage: bill, ...responseOf(answered(events)) });
  });

  it('without a summary that was asked for, the thinking is hidden and travels along', () => {
    const written = answered(events, false);
    expect(JSON.stringify(written)).not.toContain('first that');
    expect(responseOf(written).output).toMatchObject([
      {
        type: 'reasoning',
        summary: [],
        encrypted_content: `jumpseat-thought:${Buffer.from('first that').toString('base64')}:sig`,
      },
      { type: 'message' },
      {},
      {},
    ]);
  });

  it('redacted thinking, thinking without words, and thinking without a signature', () => {
    const written = answered([
      start,
      ...block(0, { type: 'redacted_thinking', data: 'dark' }),
      ...block(1, { type: 'thinking', thinking: '' }, { type: 'signature_delta', signature: 'sig' }),
      ...block(2, { type: 'thinking', thinking: 'loud' }),
      ...words(3),
      ...end('end_turn'),
    ]);
    expect(responseOf(written).output).toMatchObject([
      { id: 'rs_1_0', type: 'reasoning', summary: [], encrypted_content: 'jumpseat-redacted:dark' },
      { id: 'rs_1_1', type: 'reasoning', summary: [], encrypted_content: 'jumpseat-thinking:sig' },
      { id: 'rs_1_2', type: 'reasoning', summary: [{ text: 'loud' }] },
      { type: 'message' },
    ]);
    expect(JSON.stringify(responseOf(written).output)).not.toContain('jumpseat-thinking:"');
  });

  it('an answer with nothing in it is a response without items', () => {
    const written = answered([start, ...block(0, { type: 'text', text: '' }), ...end('end_turn')]);
    expect(responseOf(written)).toMatchObject({ status: 'completed', output: [] });
  });
});

describe('endings', () => {
  it.each([
    ['end_turn', 'completed', null],
    ['stop_sequence', 'completed', null],
    ['tool_use', 'completed', null],
    ['max_tokens', 'incomplete', { reason: 'max_output_tokens' }],
    ['model_context_window_exceeded', 'incomplete', { reason: 'max_output_tokens' }],
  ])('%s → %s', (reason, status, incomplete_details) => {
    const written = answered([start, ...words(0), ...end(reason)]);
    expect(written.at(-1)?.type).toBe(`response.${status}`);
    expect(responseOf(written)).toMatchObject({ status, incomplete_details, output: [{ status }] });
  });

  it(
    'C8.1 arguments that were cut by the limit stay cut, and their call is incomplete; the items before it ' +
      'are not',
    () => {
      const written = answered([start, ...words(0), ...call(1, 'a', '{"command":"rm -r'), ...end('max_tokens')]);
      expect(responseOf(written).output).toMatchObject([
        { type: 'message', status: 'completed' },
        { type: 'function_call', status: 'incomplete', arguments: '{"command":"rm -r' },
      ]);
    },
  );

  it('C8.1 a call that was cut before its arguments has none, not the empty ones', () => {
    const written = answered([start, ...call(0, 'a'), ...end('max_tokens')]);
    expect(responseOf(written).output).toMatchObject([{ status: 'incomplete', arguments: '' }]);
  });

  it('a refusal says why, and is no completed answer', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'This cannot be answered.' };
    const written = answered([start, ...end('refusal', details)]);
    expect(responseOf(written)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'This cannot be answered.' }] }],
    });
  });

  it('a refusal whose words were said already is not said twice', () => {
    const details = { type: 'refusal', category: null, explanation: '“then”' };
    const written = answered([start, ...words(0), ...end('refusal', details)]);
    expect(responseOf(written).output).toMatchObject([{ content: [{ type: 'output_text' }] }]);
  });
});

describe('streams that are cut', () => {
  const bytes = Buffer.from(sse(start, ...thinking, ...words(1), ...call(2, 'a', '{"n":', '1}'), ...end('tool_use')));

  it('C8.2 at any byte: no end, nothing closed that was open, and the failure is told with the next numbers', () => {
    const failures = new Set<string>();
    for (let at = 0; at < bytes.length - 2; at++) {
      const reader = readerOf();
      const written = responseEventsIn(through(reader, bytes.subarray(0, at)));
      if (reader.facts.ended) continue;
      expect(reader.facts.failure?.kind).toBe('cut');
      expect(responsesDisorder(written, false)).toBeNull();
      expect(written.map(({ type }) => type)).not.toContain('response.completed');
      const last = responseEventsIn(Buffer.from(reader.failure(openaiError('server_error', 'early', 'cut'))));
      expect(last.map(({ type, sequence_number: number }) => [type, number])).toEqual([
        ['error', written.length],
        ['response.failed', written.length + 1],
      ]);
      const done = written.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
      expect(responseOf(last)).toMatchObject({ id: 'resp_1', status: 'failed', output: done, error: { code: 'cut' } });
      failures.add(String(done.length));
    }
    // Before, between and behind the items that were finished.
    expect([...failures].sort()).toEqual(['0', '1', '2']);
  });

  it('an error of the upstream is the inner reader’s word', () => {
    const reader = readerOf();
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    through(reader, sse(start, ...words(0), error));
    expect(reader.facts.failure).toEqual({ kind: 'error', type: 'overloaded_error', message: 'Overloaded' });
  });
});
