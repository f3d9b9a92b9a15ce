import { describe, expect, it } from 'vitest';
import { FrameReader, frame } from '../../../../app/account/sdk/runtime-process.ts';

const read = (...chunks: Buffer[]) => {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => [...reader.read(chunk)]);
};

describe('frames', () => {
  const messages = [{ id: 1, result: { name: 'Zoë – 🙂' } }, { method: 'session.event', params: {} }, {}];
  const bytes = Buffer.concat(messages.map(frame));

  it('are read wherever they are cut', () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(messages);
    }
    expect(read(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(messages);
  });

  it('may name more than their length', () => {
    const text = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}';
    expect(read(Buffer.from(text))).toEqual([{}]);
  });

  it.each([
    ['no length', Buffer.from('thread main panicked\r\n\r\n')],
    ['a header without an end', Buffer.alloc(5000, 'x')],
    ['a length that is none', Buffer.from('Content-Length: many\r\n\r\n')],
    ['a frame too long', Buffer.from('Content-Length: 99999999\r\n\r\n')],
    ['no JSON', Buffer.from('Content-Length: 2\r\n\r\n{]')],
    ['a list', Buffer.from('Content-Length: 2\r\n\r\n[]')],
  ])('with %s are none', (_what, chunk) => {
    expect(() => read(chunk)).toThrow(expect.objectContaining({ kind: 'unreadable' }));
  });

  it('come to an end: what talks for ever is not listened to', () => {
    const one = frame({ method: 'session.event', params: { filler: 'x'.repeat(1_000_000) } });
    expect(() => read(...Array.from({ length: 40 }, () => one))).toThrow(/stop talking/u);
  });
});
