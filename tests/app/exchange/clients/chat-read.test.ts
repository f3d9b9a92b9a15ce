import { describe, expect, it } from 'vitest';
import { readChat } from '../../../../app/exchange/clients/chat-read.ts';
import { Stopped } from '../../../../app/exchange/recover/error.ts';

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

describe('readChat', () => {
  it('a body of today is handed on as it is', () => {
    const messages = [
      { role: 'system', content: 'x' },
      { role: 'user', content: [text('y'), image] },
      { role: 'assistant', content: null, tool_calls: [] },
    ];
    const read = readChat({ model: 'm', messages, seed: 7 });
    expect(read).toEqual({ model: 'm', messages, seed: 7 });
    expect(read.messages.map((message, at) => message === messages[at])).toEqual([true, true, true]);
  });

  it.each<[unknown, unknown]>([
    [text('a'), [text('a')]],
    [{ text: 'a' }, [text('a')]],
    [
      ['a', 'b'],
      [text('a'), text('b')],
    ],
    [
      ['a', image],
      [text('a'), image],
    ],
    [[{ text: 'a' }], [text('a')]],
    [[{ type: 'image_url', image_url: 'data:image/png;base64,AA==' }], [image]],
  ])('content %j means %j', (content, meant) => {
    expect(readChat({ model: 'm', messages: [{ role: 'user', content }] }).messages).toEqual([
      { role: 'user', content: meant },
    ]);
  });

  it.each<[unknown, unknown]>([
    ['hello', { role: 'user', content: 'hello' }],
    [['hello', 'there'], { role: 'user', content: [text('hello'), text('there')] }],
    [{ text: 'hello' }, { role: 'user', content: [text('hello')] }],
    [text('hello'), { role: 'user', content: [text('hello')] }],
    [{ content: 'hello' }, { role: 'user', content: 'hello' }],
    [
      { role: 'user', content: { text: 'hello' } },
      { role: 'user', content: [text('hello')] },
    ],
  ])('prompt %j is the message %j', (prompt, message) => {
    expect(readChat({ model: 'm', prompt }).messages).toEqual([message]);
    expect(readChat({ model: 'm', prompt, messages: null }).messages).toEqual([message]);
  });

  it('one message without its list', () => {
    expect(readChat({ model: 'm', messages: { role: 'user', content: 'x' } }).messages).toEqual([
      { role: 'user', content: 'x' },
    ]);
  });

  it.each<[string, unknown]>([
    ['body', []],
    ['body', 'x'],
    ['model', { messages: [] }],
    ['model', { model: '', messages: [] }],
    ['stream', { model: 'm', stream: 'yes', messages: [{ role: 'user', content: 'x' }] }],
    ['messages', { model: 'm' }],
    ['messages', { model: 'm', messages: [] }],
    ['messages', { model: 'm', messages: 'hello' }],
    ['messages[1]', { model: 'm', messages: [{ role: 'user', content: 'x' }, { content: 'x' }] }],
    ['messages[0].content', { model: 'm', messages: [{ role: 'user', content: 5 }] }],
    ['messages[0].content', { model: 'm', messages: [{ role: 'user', content: { words: 'x' } }] }],
    ['messages[0].content[1]', { model: 'm', messages: [{ role: 'user', content: ['x', 5] }] }],
    ['prompt', { model: 'm', prompt: 'x', messages: [{ role: 'user', content: 'x' }] }],
    ['prompt', { model: 'm', prompt: '' }],
    ['prompt', { model: 'm', prompt: [] }],
    ['prompt', { model: 'm', prompt: 5 }],
    ['prompt[0]', { model: 'm', prompt: [1, 2, 3] }],
    ['messages[0]', { model: 'm', prompt: { role: 5, content: 'x' } }],
  ])('%s is refused by its name', (param, body) => {
    const read = () => readChat(body);
    expect(read).toThrow(Stopped);
    expect(read).toThrow(expect.objectContaining({ error: expect.objectContaining({ status: 400, param }) }));
  });
});
