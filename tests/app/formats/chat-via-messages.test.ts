import { describe, expect, it } from 'vitest';
import { ChatCollector } from '../../../app/formats/chat-collector.ts';
import { ChatFromMessages } from '../../../app/formats/chat-from-messages.ts';
import { chatToMessages } from '../../../app/formats/chat-via-messages.ts';
import { MessagesRelay } from '../../../app/formats/messages-relay.ts';
import { sseEvent } from '../../../app/formats/sse.ts';

const text = (value: string) => ({ type: 'text', text: value });

describe('chatToMessages', () => {
  it('every kind of message, in its order', () => {
    const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'f', arguments: args } });
    const mapped = chatToMessages({
      model: 'm',
      messages: [
        { role: 'system', content: 'one' },
        { role: 'developer', content: [text('two')] },
        {
          role: 'user',
          content: [text('look'), { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
        },
        {
          role: 'assistant',
          content: 'calling',
          reasoning_text: 'hm',
          reasoning_opaque: 'sig',
          tool_calls: [call('a', '{"n":1}'), call('b', '')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'A' },
        { role: 'tool', tool_call_id: 'b', content: [text('B')] },
        { role: 'system', content: 'by the way' },
        { role: 'user', content: [{ type: 'image_url', image_url: 'https://example.com/x.png' }] },
      ],
    });
    expect(mapped).toEqual({
      ok: true,
      request: {
        model: 'm',
        stream: true,
        system: [text('one'), text('two')],
        messages: [
          {
            role: 'user',
            content: [
              text('look'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              text('calling'),
              { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
              { type: 'tool_use', id: 'b', name: 'f', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: [text('A')] },
              { type: 'tool_result', tool_use_id: 'b', content: [text('B')] },
            ],
          },
          { role: 'system', content: [text('by the way')] },
          { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } }] },
        ],
      },
    });
  });

  it('tools, choice, stops, schema, effort', () => {
    const parameters = { type: 'object' };
    const schema = { type: 'object' };
    const mapped = chatToMessages({
      model: 'm',
      messages: [],
      max_tokens: 5,
      max_completion_tokens: 7,
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      stop: 'end',
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    expect(mapped).toEqual({
      ok: true,
      request: {
        model: 'm',
        messages: [],
        stream: true,
        max_tokens: 7,
        stop_sequences: ['end'],
        tools: [{ name: 'f', description: 'd', input_schema: parameters, strict: true }],
        tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
        output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      },
    });
  });

  it.each([
    ['messages[0].role', { role: 'function', content: 'x' }],
    ['messages[0].content[0].type', { role: 'user', content: [{ type: 'input_audio' }] }],
    [
      'messages[0].tool_calls[0].function.arguments',
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"cut' } }] },
    ],
    ['messages[0].tool_calls[0]', { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom' }] }],
  ])('%s has no place: refused by it', (field, message) => {
    expect(chatToMessages({ model: 'm', messages: [message] })).toMatchObject({ ok: false, field });
  });
});

describe('ChatFromMessages', () => {
  const event = (type: string, data: object): string => sseEvent(type, JSON.stringify({ type, ...data }));
  const block = (index: number, start: object, ...deltas: object[]): string =>
    event('content_block_start', { index, content_block: start }) +
    deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
    event('content_block_stop', { index });
  const end = (reason: string): string =>
    event('message_delta', {
      delta: { stop_reason: reason },
      usage: { output_tokens: 3 },
      copilot_usage: { total_nano_aiu: 5, token_details: [] },
    }) + event('message_stop', {});
  const start = event('message_start', {
    message: { id: 'x', model: 'up', usage: { input_tokens: 10, cache_read_input_tokens: 4 } },
  });
  const collected = (...parts: string[]): unknown => {
    const reader = new ChatFromMessages(new MessagesRelay({ model: 'asked' }), {
      model: 'asked',
      id: 'chatcmpl-1',
      created: 7,
      includeUsage: true,
    });
    const collector = new ChatCollector();
    // Cut anywhere.
    for (const byte of Buffer.from(parts.join(''))) {
      const written = reader.push(Buffer.from([byte]));
      if (written !== null) collector.push(written);
    }
    const rest = reader.end();
    if (rest !== null) collector.push(rest);
    return collector.answer();
  };

  it('thinking, text, two calls, usage and the bill', () => {
    const answer = collected(
      start,
      block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 'sig' },
      ),
      block(1, text(''), { type: 'text_delta', text: 'On ' }, { type: 'text_delta', text: 'it – ä' }),
      block(
        2,
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
        { type: 'input_json_delta', partial_json: '{"n":' },
        { type: 'input_json_delta', partial_json: '1}' },
      ),
      block(3, { type: 'tool_use', id: 'b', name: 'g', input: {} }),
      end('tool_use'),
    );
    expect(answer).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 7,
      model: 'asked',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          logprobs: null,
          message: {
            role: 'assistant',
            content: 'On it – ä',
            refusal: null,
            reasoning_text: 'hm',
            reasoning_opaque: 'sig',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":1}' } },
              { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
          },
        },
      ],
      usage: {
        prompt_tokens: 14,
        completion_tokens: 3,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 4 },
      },
      copilot_usage: { total_nano_aiu: 5, token_details: [] },
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
  ])('%s → %s', (reason, finish) => {
    expect(collected(start, end(reason))).toMatchObject({ choices: [{ finish_reason: finish }] });
  });

  it('a cut is no whole answer', () => {
    expect(collected(start, block(0, text(''), { type: 'text_delta', text: 'half' }))).toBeNull();
  });
});
