import { describe, expect, it } from 'vitest';
import { ChatCollector } from '../../../../app/formats/chat/collector.ts';
import { ChatFromMessages } from '../../../../app/formats/chat-via-messages/answer.ts';
import { chatToMessages } from '../../../../app/formats/chat-via-messages/request.ts';
import { MessagesRelay } from '../../../../app/formats/messages/relay.ts';
import { sseEvent } from '../../../../app/formats/wire/sse.ts';

const text = (value: string) => ({ type: 'text', text: value });

const sent = { onward: 'messages' } as const;
const composed = { onward: 'responses' } as const;

const f = { name: 'f', parameters: { type: 'object' } };

describe('chatToMessages', () => {
  it.each([
    ['tools[0].function.name', [{ name: 'a b' }], undefined],
    ['tools[0].function.parameters', [{ name: 'f', parameters: [] }], undefined],
    ['tools[0].function.parameters.type', [{ name: 'f', parameters: { type: null } }], undefined],
    ['tools[1]', [f, f], undefined],
    ['tool_choice', [f], { type: 'function', function: { name: 'g' } }],
  ])('%s is refused by the name that the client knows', (field, functions, choice) => {
    const tools = functions.map((each) => ({ type: 'function', function: each }));
    const body = { model: 'm', messages: [{ role: 'user', content: 'Go' }], tools, tool_choice: choice };
    expect(chatToMessages(body, sent)).toMatchObject({ ok: false, field });
  });

  it('every kind of message, in its order', () => {
    const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'f', arguments: args } });
    const mapped = chatToMessages(
      {
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
      },
      sent,
    );
    expect(mapped).toEqual({
      ok: true,
      notes: [],
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
    const mapped = chatToMessages(
      {
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
      },
      sent,
    );
    expect(mapped).toEqual({
      ok: true,
      notes: [],
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

  it('what Responses has a place for and Messages has none goes along for it alone', () => {
    const schema = { type: 'object' };
    const wanted = { name: 'x', description: 'd', strict: true, schema };
    const body = {
      model: 'm',
      messages: [],
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: wanted },
    };
    expect(chatToMessages(body, composed)).toEqual({
      ok: true,
      notes: [],
      request: {
        model: 'm',
        messages: [],
        stream: true,
        output_config: { verbosity: 'low', format: { type: 'json_schema', ...wanted } },
      },
    });
    expect(chatToMessages({ ...body, verbosity: undefined }, sent)).toMatchObject({
      request: { output_config: { format: { type: 'json_schema', schema } } },
    });
  });

  it('json_object: as it is for Responses, in words for Messages', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'system', content: 'Be brief.' }],
      response_format: { type: 'json_object' },
    };
    expect(chatToMessages(body, composed)).toMatchObject({
      request: { system: [text('Be brief.')], output_config: { format: { type: 'json_object' } } },
      notes: [],
    });
    const inWords = chatToMessages(body, sent);
    expect(inWords).toMatchObject({
      request: { system: [text('Be brief.'), text(expect.stringContaining('exactly one JSON object'))] },
      notes: [{ code: 'json-in-words', count: 1, text: 'response_format json_object asked for in words' }],
    });
    expect(inWords).not.toHaveProperty('request.output_config');
  });

  it('what only says something about a message is noted; what is empty is not', () => {
    const mapped = chatToMessages(
      {
        model: 'm',
        messages: [
          {
            role: 'user',
            name: 'Ada',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'high' } }],
          },
          {
            role: 'assistant',
            content: 'x',
            refusal: null,
            annotations: [],
            audio: null,
            function_call: null,
            tool_calls: null,
          },
          { role: 'user', name: 'Ada', content: 'y' },
        ],
        tools: [{ type: 'function', function: { name: 'f', examples: [] } }],
      },
      sent,
    );
    expect(mapped).toMatchObject({
      ok: true,
      notes: [
        { code: 'field-dropped', count: 1, text: 'image_url.detail removed' },
        { code: 'field-dropped', count: 2, text: 'messages.name removed ×2' },
        { code: 'field-dropped', count: 1, text: 'tools.function.examples removed' },
      ],
    });
  });

  it.each([
    ['messages[0].role', { role: 'function', content: 'x' }],
    ['messages[0].role', { role: 'critic', content: 'x' }],
    ['messages[0]', 'hello'],
    ['messages[0].content', { role: 'user', content: 5 }],
    ['messages[0].content[0].type', { role: 'user', content: [{ type: 'input_audio' }] }],
    ['messages[0].content[0].type', { role: 'user', content: [{ type: 'file', file: {} }] }],
    ['messages[0].content[0].image_url', { role: 'user', content: [{ type: 'image_url' }] }],
    ['messages[0].function_call', { role: 'assistant', function_call: { name: 'f', arguments: '{}' } }],
    ['messages[0].audio', { role: 'assistant', audio: { id: 'a' } }],
    ['messages[0].tool_calls', { role: 'assistant', tool_calls: {} }],
    [
      'messages[0].tool_calls[0].function.arguments',
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"cut' } }] },
    ],
    ['messages[0].tool_calls[0]', { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom' }] }],
  ])('%s has no place: refused by it', (field, message) => {
    expect(chatToMessages({ model: 'm', messages: [message] }, sent)).toMatchObject({ ok: false, field });
  });

  it.each([
    ['temperature', '0.5'],
    ['top_p', true],
    ['max_tokens', '9'],
    ['max_completion_tokens', {}],
    ['stop', [1]],
    ['stop', 7],
    ['parallel_tool_calls', 'no'],
    ['reasoning_effort', 3],
    ['verbosity', 3],
    ['tools', {}],
    ['tool_choice', 'required'],
    ['tool_choice', { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }],
    ['response_format', 'json'],
    ['response_format.type', { type: 'grammar' }],
    ['response_format.json_schema.schema', { type: 'json_schema', json_schema: { name: 'x' } }],
    ['tools[0].type', [{ type: 'custom', custom: { name: 'x' } }]],
    ['tools[0].function.name', [{ type: 'function', function: {} }]],
  ])('%s %j says nothing in the other API: refused by it', (field, value) => {
    const [name = ''] = field.split(/[.[]/);
    expect(chatToMessages({ model: 'm', messages: [], [name]: value }, composed)).toMatchObject({ ok: false, field });
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
