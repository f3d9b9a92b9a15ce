import { describe, expect, it } from 'vitest';
import { chatToLm } from '../../../../app/formats/chat-via-lm/request.ts';
import { lmMessages } from '../../../../app/formats/lm/language-model.ts';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { CallPart, DataPart, fakeClasses, ResultPart, TextPart } from './fake-classes.ts';

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function converted(body: JsonObject) {
  const found = chatToLm({ model: 'm', stream: true, stream_options: { include_usage: true }, ...body });
  if (!found.ok) throw new Error(`${found.field}: ${found.message}`);
  return { ...found, notes: found.notes.map(({ text }) => text) };
}

function refused(body: JsonObject): string {
  const found = chatToLm({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body });
  return found.ok ? 'taken' : `${found.field}: ${found.message}`;
}

const text = (words: string) => ({ kind: 'text', text: words });
const tool = (name: string, parameters: JsonObject = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, description: `${name} it`, parameters },
});

describe('a chat request for VS Code', () => {
  it('has no system: that is the first message of the user', () => {
    const { request, notes } = converted({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: '' },
          ],
        },
        { role: 'user', content: 'Two' },
      ],
    });
    expect(request).toEqual({
      messages: [
        { role: 'user', parts: [text('Be brief.')] },
        { role: 'user', parts: [text('One')] },
        { role: 'user', parts: [text('Two')] },
      ],
      tools: [],
      required: false,
      options: {},
    });
    expect(notes).toEqual(['system sent as user']);
  });

  it('keeps calls with their ids, and results in a row as one message', () => {
    const { request } = converted({
      messages: [
        { role: 'user', content: 'Look' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
            { id: 'b', type: 'function', function: { name: 'list', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'X' },
        { role: 'tool', tool_call_id: 'b', content: [{ type: 'image_url', image_url: { url: png } }] },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(request.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          text('I look.'),
          { kind: 'call', id: 'a', name: 'read', input: { path: 'x' } },
          { kind: 'call', id: 'b', name: 'list', input: {} },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'result', id: 'a', content: [text('X')] },
          { kind: 'result', id: 'b', content: [{ kind: 'image', type: 'image/png', data: expect.any(Uint8Array) }] },
        ],
      },
      { role: 'user', parts: [text('And?')] },
    ]);
    const objects = lmMessages(fakeClasses, request);
    expect(objects[1]?.content).toEqual([
      new TextPart('I look.'),
      new CallPart('a', 'read', { path: 'x' }),
      new CallPart('b', 'list', {}),
    ]);
    expect(objects[2]?.content[0]).toEqual(new ResultPart('a', [new TextPart('X')]));
    expect(objects[2]?.content[1]).toMatchObject({ callId: 'b', content: [{ mimeType: 'image/png' }] });
    expect(objects[2]?.content[1]).toMatchObject({ content: [expect.any(DataPart)] });
  });

  it('says by name what it leaves out', () => {
    const { request, notes, stops, maxTokens } = converted({
      messages: [
        { role: 'user', content: 'Hi', name: 'Ada', copilot_cache_control: { type: 'ephemeral' } },
        { role: 'assistant', content: 'Ho', reasoning_text: 'hm', audio: null, tool_calls: [] },
        { role: 'user', content: '' },
        { role: 'user', content: 'Go on' },
      ],
      max_tokens: 100,
      max_completion_tokens: 50,
      temperature: 0.2,
      seed: 7,
      reasoning_effort: 'high',
      stop: 'END',
      parallel_tool_calls: false,
      n: 1,
      logit_bias: {},
      user: null,
    });
    expect(request.options).toEqual({ max_tokens: 50, temperature: 0.2 });
    expect([stops, maxTokens]).toEqual([['END'], 50]);
    expect(notes).toEqual([
      'messages.name removed',
      'messages.reasoning_text removed',
      'empty message removed',
      'seed removed',
      'reasoning_effort removed',
      'parallel_tool_calls removed',
      'stop sequence cut locally',
    ]);
  });

  it('asks in words for an answer of a form, right behind the system', () => {
    const { request, notes } = converted({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    });
    expect(request.messages.map(({ parts }) => parts[0])).toEqual([
      text('S'),
      text(expect.stringContaining('{"type":"object"}') as string),
      text('U'),
    ]);
    expect(notes).toContain('response_format json_schema asked for in words');
  });
});

describe('the tools', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const tools = [tool('read', { $schema: 'x', type: 'object', required: ['path'] }), tool('list')];

  it('go without $schema', () => {
    const { request } = converted({ messages, tools, tool_choice: 'auto' });
    expect(request.tools).toEqual([
      { name: 'read', description: 'read it', inputSchema: { type: 'object', required: ['path'] } },
      { name: 'list', description: 'list it', inputSchema: { type: 'object', properties: {} } },
    ]);
  });

  it.each([
    { choice: 'none', names: [], required: false, note: 'tool_choice none: tools not sent' },
    {
      choice: 'required',
      names: ['read', 'list'],
      required: false,
      note: 'tool_choice required with several tools removed',
    },
    {
      choice: { type: 'function', function: { name: 'list' } },
      names: ['list'],
      required: true,
      note: 'tool_choice of one function: the others not sent',
    },
  ])('are chosen as VS Code can: $choice', ({ choice, names, required, note }) => {
    const { request, notes } = converted({ messages, tools, tool_choice: choice });
    expect([request.tools.map(({ name }) => name), request.required, notes]).toEqual([names, required, [note]]);
  });

  it('may be required where there is one', () => {
    expect(converted({ messages, tools: [tool('read')], tool_choice: 'required' }).request.required).toBe(true);
  });
});

describe('what has no place', () => {
  it.each([
    [{ n: 2 }, 'n: '],
    [{ logprobs: true }, 'logprobs: '],
    [{ logit_bias: { 5: 1 } }, 'logit_bias: '],
    [{ messages: [] }, 'messages: '],
    [{ messages: [{ role: 'function', content: '' }] }, 'messages[0].role: '],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'messages[0].content[0].type: '],
    [{ tools: [tool('a b')] }, 'tools[0].function.name: '],
    [{ tools: [{ type: 'custom' }] }, 'tools[0].type: '],
    [{ tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } }, 'tool_choice: '],
    [{ response_format: { type: 'grammar' } }, 'response_format.type: '],
    [
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '[' } }] },
        ],
      },
      'messages[0].tool_calls[0].function.arguments: ',
    ],
  ])('is refused by its name: %j', (body, field) => {
    expect(refused(body).startsWith(field)).toBe(true);
  });

  const image = (url: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });

  it('of images is what VS Code could not decode', () => {
    const place = 'messages[0].content[0].image_url: ';
    expect(refused(image('https://example.com/a.png'))).toBe(
      `${place}VS Code accepts no images by address. Send a data URL in base64.`,
    );
    const undecodable = `${place}it can’t be decoded: a complete PNG, JPEG, GIF, WebP or BMP image in base64 is required.`;
    expect(refused(image('data:image/png;base64,not base64!'))).toBe(undecodable);
    expect(refused(image(`data:image/png;base64,${Buffer.from('only some text here').toString('base64')}`))).toBe(
      undecodable,
    );
    expect(refused(image(png.slice(0, 60)))).toBe(undecodable);
    expect(refused(image(png))).toBe('taken');
  });

  it('is not what an image is called: its bytes say what it is', () => {
    const { request } = converted(image(png.replace('image/png', 'image/jpeg')));
    expect(request.messages[0]?.parts[0]).toMatchObject({ kind: 'image', type: 'image/png' });
  });
});
