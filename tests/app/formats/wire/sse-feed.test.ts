import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSseEvent, splitEvents } from '../../../../app/formats/wire/sse.ts';
import { SseFeed } from '../../../../app/formats/wire/sse-feed.ts';
import { cutAt } from '../stream.ts';

function read(bytes: Buffer, places: readonly number[] = [], stopAfter = Number.POSITIVE_INFINITY) {
  const seen: { event: string | null; data: string }[] = [];
  const feed = new SseFeed((event, data) => seen.push({ event, data }) < stopAfter);
  for (const chunk of cutAt(bytes, places)) feed.push(chunk);
  feed.end();
  return seen;
}

const line = fc.constantFrom(
  'data: {"a":1}',
  'data: b',
  'data:c',
  'data',
  'event: x',
  'event: y',
  ': note',
  'id: 1',
  'data: “ü”',
);
const events = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 6 });

describe('SseFeed', () => {
  it('reads what the reader of single events reads, in any chunks and with any line ends', () => {
    fc.assert(
      fc.property(events, fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(300)), (list, end, places) => {
        const text = list.map((lines) => `${lines.join(end)}${end}${end}`).join('');
        const bytes = Buffer.from(text);
        const expected = (text === '' ? [] : splitEvents(bytes)).map(readSseEvent).filter((event) => event !== null);
        expect(read(bytes, places)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['JSON without its blank line', 'data: {"a":1}', [{ event: null, data: '{"a":1}' }]],
    ['with its name', 'event: x\ndata: {"a":1}\n', [{ event: 'x', data: '{"a":1}' }]],
    ['the end word', 'data: [DONE]', [{ event: null, data: '[DONE]' }]],
    ['half of it', 'data: {"a":', []],
    ['a name alone', 'event: x', []],
  ])('at the close: %s', (_, rest, expected) => {
    expect(read(Buffer.from(`data: 1\n\n${rest}`)).slice(1)).toEqual(expected);
  });

  it('hands out nothing more once it is told so', () => {
    expect(read(Buffer.from('data: 1\n\ndata: 2\n\ndata: 3\n\n'), [], 2).map(({ data }) => data)).toEqual(['1', '2']);
  });
});
