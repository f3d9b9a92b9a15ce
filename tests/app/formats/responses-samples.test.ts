import { describe, expect, it } from 'vitest';
import type { AnswerReader } from '../../../app/formats/answer/answer.ts';
import { MessagesRelay } from '../../../app/formats/messages/relay.ts';
import { MessagesFromChat } from '../../../app/formats/messages-via-chat/request.ts';
import { ResponsesCollector, ResponsesRelay } from '../../../app/formats/responses/relay.ts';
import { ResponsesFromMessages } from '../../../app/formats/responses-via-messages/answer.ts';
import { ToolNames } from '../../../app/formats/translation/tool-names.ts';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { responseEventsIn, responsesDisorder } from './responses-order.ts';
import { eventsAsSse, sample, sampleJson, sampleNames } from './sample.ts';
import { responsesSse, through } from './stream.ts';

/** Recorded answers as a Responses client gets them. */

function answered(inner: AnswerReader, bytes: Buffer): JsonObject {
  const reader = new ResponsesFromMessages(inner, { head: { id: 'resp_1', model: 'm' }, summary: true });
  const written = through(reader, bytes);
  expect(responsesDisorder(responseEventsIn(written))).toBeNull();
  const collector = new ResponsesCollector();
  collector.push(written);
  return collector.answer() ?? {};
}
const text = (words: unknown): JsonObject => ({
  id: expect.stringMatching(/^msg_1_\d$/),
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: words, annotations: [], logprobs: [] }],
});
const call = (call_id: string, name: string, json: unknown): JsonObject => ({
  id: expect.stringMatching(/^fc_1_\d$/),
  type: 'function_call',
  status: 'completed',
  call_id,
  name,
  arguments: json,
});
const thought = (words: string, opaque: unknown): JsonObject => ({
  id: expect.stringMatching(/^rs_1_\d$/),
  type: 'reasoning',
  summary: words === '' ? [] : [{ type: 'summary_text', text: words }],
  encrypted_content: opaque,
});
const usage = (input: number, output: number, reasoning = 0): JsonObject => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});
const whole = (output: JsonObject[], counted: JsonObject | null): JsonObject => ({
  id: 'resp_1',
  model: 'm',
  status: 'completed',
  incomplete_details: null,
  output,
  usage: counted,
});

const messages: Record<string, JsonObject> = {
  'messages-native-sonnet46-text.stream-events.json': whole([text('1, 2, 3, 4, 5')], usage(16, 17)),
  'messages-native-sonnet46-tooluse.stream-events.json': whole(
    [call('toolu_bdrk_01LsJrB3t1eBtNqkYTbzxgvV', 'get_weather', '{"city": "Paris"}')],
    usage(569, 54),
  ),
};
const chat: Record<string, JsonObject> = {
  'sse-chat-claude35sonnet-multiple-tool-calls.sse.txt': whole(
    [
      text(expect.stringMatching(/^I'll make two changes:\n1\. Add a multiply.* from a small collection$/s)),
      call('tooluse_448k6WHnTpS28K0Bd1bhgA', 'edit_file', expect.stringContaining('Adding multiply function')),
      call('tooluse_2SRF2HShTXOoLdGrjWuGiw', 'edit_file', expect.stringContaining('Adding dad jokes functionality')),
    ],
    usage(2128, 170),
  ),
  'sse-chat-cot_summary-cot_id-then-tool-call-after-finish.sse.txt': whole(
    [call('call_bNK0HIaqlEFyZK6wEz8bXDXJ', 'read_file', 'arg-part1arg-part2')],
    null,
  ),
  'sse-chat-gemini-reasoning_opaque-and-content-same-chunk-then-tool-call.sse.txt': whole(
    [
      thought(
        "**Analyzing the Structure**\n\nI'm currently trying to get a handle on the project's layout.\n\n\n",
        expect.stringMatching(/^jumpseat-thinking:jumpseat-chat:WHOd3d/),
      ),
      text("Okay, I need to check out the project's file structure."),
      call('call_MHxqRDd5WVo3NU8wUXRaMmc0MFE', 'list_project_files', '{}'),
    ],
    expect.objectContaining({ input_tokens: 3767 }),
  ),
  'sse-chat-gemini3-reasoning_opaque-on-final-text-chunk.sse.txt': whole(
    [
      thought(
        "**Analyzing the Inquiry's Nature**\n\nI'm currently parsing the user's question.\n\n",
        'jumpseat-thinking:jumpseat-chat:',
      ),
      text('I am Tidewave, a highly skilled AI coding agent.\n\nHow can I help you?'),
      thought('', 'jumpseat-thinking:jumpseat-chat:/PMlTqxqSJZnUBDHgnnJKLVI4eZQ'),
    ],
    usage(5778, 154, 95),
  ),
  'sse-chat-gpt-plain-text-with-content-filter.sse.txt': whole(
    [text('Hello! How can I assist you with your programming needs today?')],
    null,
  ),
  'sse-chat-gpt4o-mini-prediction-usage-null-then-usage-chunk.sse.txt': whole([text('helloworld')], usage(965, 93)),
  'sse-chat-usage-separate-chunk.sse.txt': whole([text('foobar')], usage(358, 2)),
};

describe('recorded streams, translated to Responses', () => {
  it('all of them', () => {
    expect(Object.keys(messages).sort()).toEqual(sampleNames('.stream-events.json').sort());
    expect(Object.keys(chat).sort()).toEqual(sampleNames('.sse.txt').sort());
  });

  it.each(Object.entries(messages))('%s', (name, expected) => {
    const { copilot_usage: bill, ...answer } = answered(new MessagesRelay({ model: 'm' }), eventsAsSse(name));
    expect(answer).toEqual(expected);
    expect(bill).toMatchObject({ total_nano_aiu: expect.any(Number) });
  });

  it.each(Object.entries(chat))('B9.1 %s', (name, expected) => {
    const inner = new MessagesFromChat({ model: 'm', messageId: 'msg_1', toolNames: new ToolNames() });
    expect(answered(inner, sample(name))).toEqual(expected);
  });
});

it('B9.12 a recorded response, passed through: the same under the asked name, with ids that stay', () => {
  const recorded = sampleJson('responses-gpt51-simple.response.json');
  if (!isObject(recorded) || !Array.isArray(recorded.output)) throw new Error('There is no response.');
  const [item] = recorded.output;
  const { id: _id, content } = item;
  const at = { output_index: 0, content_index: 0 };
  const bytes = responsesSse(
    { type: 'response.created', response: { ...recorded, id: 'first', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    ...['Hello ', 'there, ', 'friend'].map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text: content[0].text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: recorded },
  );
  const reader = new ResponsesRelay({ model: 'asked' });
  const written = through(reader, bytes);
  const collector = new ResponsesCollector();
  collector.push(written);
  const answer = collector.answer();
  const named = responseEventsIn(written).flatMap((event) =>
    typeof event.item_id === 'string' ? [event.item_id] : [],
  );
  const [first] = named;
  expect(answer).toEqual({ ...recorded, id: 'first', model: 'asked', output: [{ ...item, id: expect.any(String) }] });
  const ofItems = responseEventsIn(written).flatMap(({ type, item_id: id }) =>
    String(type).startsWith('response.output_text') ? [id] : [],
  );
  expect(new Set(ofItems).size).toBe(1);
  expect(first).toBeDefined();
  expect(reader.facts).toMatchObject({
    upstreamModel: 'gpt-5.1-2025-11-13',
    usage: { input: 14, output: 14, cacheRead: 0 },
    stopReason: 'completed',
    ended: true,
  });
});
