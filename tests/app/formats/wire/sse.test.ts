import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AnswerTooLarge,
  largestEvent,
  pingEvent,
  readSseEvent,
  SseFeed,
  SseSplitter,
  splitEvents,
  sseEvent,
} from '../../../../app/formats/wire/sse.ts';
import { cutAt } from '../stream.ts';

function split(chunks: Buffer[]): { events: Buffer[]; rest: Buffer | null } {
  const splitter = new SseSplitter();
  const events = chunks.flatMap((chunk) => splitter.push(chunk));
  return { events, rest: splitter.rest() };
}

const read = (events: Buffer[]) => events.map(readSseEvent).filter((event) => event !== null);

describe('SseSplitter', () => {
  it('hands a chunk of whole events on as it is', () => {
    const splitter = new SseSplitter();
    const chunk = Buffer.from('event: a\ndata: 1\n\nevent: b\ndata: 2\n\n');
    expect(splitter.whole(chunk)).toBe(chunk);
    expect(splitter.rest()).toBeNull();
  });

  it('gives what is whole and keeps the rest', () => {
    const splitter = new SseSplitter();
    expect(splitter.whole(Buffer.from('data: 1\n\ndata: 2\n\ndat'))?.toString()).toBe('data: 1\n\ndata: 2\n\n');
    expect(splitter.whole(Buffer.from('a: 3'))).toBeNull();
    expect(splitter.whole(Buffer.from('\n\n'))?.toString()).toBe('data: 3\n\n');
    expect(splitter.rest()).toBeNull();
  });

  it('hands out a rest once', () => {
    const splitter = new SseSplitter();
    splitter.push(Buffer.from('data: 1\n'));
    expect(splitter.rest()?.toString()).toBe('data: 1\n');
    expect(splitter.rest()).toBeNull();
  });

  it.each(['\n', '\r\n', '\r'])('A9.17 B5.4 line end %j: cut at every byte, the events are the same', (end) => {
    const text = [
      'event: ä',
      'data: {"text":"…€𝄞"}',
      '',
      ': comment',
      '',
      'data: a',
      'data: b',
      '',
      'data:x',
      '',
      '',
    ].join(end);
    const bytes = Buffer.from(text);
    const expected = [
      { event: 'ä', data: '{"text":"…€𝄞"}' },
      { event: null, data: 'a\nb' },
      { event: null, data: 'x' },
    ];
    for (let at = 0; at <= bytes.length; at++) {
      const { events, rest } = split([bytes.subarray(0, at), bytes.subarray(at)]);
      expect(read(events), `cut at ${at}`).toEqual(expected);
      expect(Buffer.concat([...events, rest ?? Buffer.alloc(0)]), `cut at ${at}`).toEqual(bytes);
    }
    const { events } = split(cutAt(bytes, [...bytes.keys()]));
    expect(read(events)).toEqual(expected);
  });

  it('B5.4 any lines in any chunks: no byte is lost, no event is different', () => {
    const line = fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'binary' }).map((s) => `data: ${s.replace(/[\r\n]/g, '')}`),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const whole = split([bytes]);
        const pieces = split(cutAt(bytes, cuts));
        expect(read(pieces.events)).toEqual(read(whole.events));
        expect(Buffer.concat([...pieces.events, pieces.rest ?? Buffer.alloc(0)])).toEqual(bytes);
      }),
    );
  });

  it('copies a long event once, not with every chunk', () => {
    const splitter = new SseSplitter();
    const chunk = Buffer.alloc(64 * 1024, 'x');
    splitter.push(Buffer.from('data: '));
    for (let n = 0; n < 250; n++) expect(splitter.push(chunk)).toEqual([]);
    const [event] = splitter.push(Buffer.from('\n\n'));
    expect(event?.length).toBe(6 + 250 * chunk.length + 2);
  });

  it.each([
    ['a line without an end', Buffer.alloc(64 * 1024, 'x')],
    ['lines without a blank one', Buffer.from('data: 1\n'.repeat(8 * 1024))],
    ['many small pieces', Buffer.from('x'.repeat(64))],
  ])('holds an event of at most 16 MiB: %s', (_name, chunk) => {
    const splitter = new SseSplitter();
    const push = (): void => {
      for (let sum = 0; sum <= largestEvent; sum += chunk.length) splitter.push(chunk);
    };
    expect(push).toThrow(new AnswerTooLarge('Copilot sent an event of more than 16 MiB.'));
  });

  it('reads short lines once, in however many chunks an event comes', () => {
    const splitter = new SseSplitter();
    const lines = Buffer.from('data: 1\n'.repeat(1_500_000));
    const began = performance.now();
    for (let from = 0; from < lines.length; from += 16 * 1024) splitter.push(lines.subarray(from, from + 16 * 1024));
    const [event] = splitter.push(Buffer.from('\n'));
    expect(readSseEvent(event ?? Buffer.alloc(0))?.data.length).toBe(2 * 1_500_000 - 1);
    // Joined and read again with every chunk it takes a minute.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe('readSseEvent', () => {
  it.each([
    ['event: a\ndata: 1\n\n', { event: 'a', data: '1' }],
    ['event: a\ndata: 1', { event: 'a', data: '1' }],
    ['event:  a\ndata:  1\n\n', { event: ' a', data: ' 1' }],
    ['event: \ndata: 1\n\n', { event: null, data: '1' }],
    ['event: a\ndata: 1\n:\n', { event: 'a', data: '1' }],
    ['event: a\ndata: 1\nx\n', { event: 'a', data: '1' }],
    ['event: a\ndata: 1\rdata: 2\n\n', { event: 'a', data: '1\n2' }],
    ['event: a\r\ndata: 1\r\n\r\n', { event: 'a', data: '1' }],
    ['event: a\ndata: 1\n\n', { event: 'a', data: '1' }],
    ['data:1\n\n', { event: null, data: '1' }],
    ['data:  1\n\n', { event: null, data: ' 1' }],
    ['data\n\n', { event: null, data: '' }],
    ['data: 1\ndata: 2\n\n', { event: null, data: '1\n2' }],
    ['data: 1\nevent: late\n\n', { event: 'late', data: '1' }],
    [': comment\nid: 7\nretry: 3\ndata: 1\n\n', { event: null, data: '1' }],
    ['\n\ndata: 1\n\n', { event: null, data: '1' }],
    ['\uFEFFdata: 1\n\n', { event: null, data: '1' }],
    [': only a comment\n\n', null],
    ['\n\n', null],
    ['event: a\n\n', null],
  ])('B5.5 %j', (text, expected) => {
    expect(readSseEvent(Buffer.from(text))).toEqual(expected);
  });
});

describe('sseEvent', () => {
  it('writes what readSseEvent reads, several lines too', () => {
    expect(sseEvent('a', '1')).toBe('event: a\ndata: 1\n\n');
    expect(sseEvent('a', '1\n2')).toBe('event: a\ndata: 1\ndata: 2\n\n');
    expect(readSseEvent(Buffer.from(sseEvent('a', '1\n\n2')))).toEqual({ event: 'a', data: '1\n\n2' });
    expect(pingEvent).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});

function fed(bytes: Buffer, places: readonly number[] = [], stopAfter = Number.POSITIVE_INFINITY) {
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
        expect(fed(bytes, places)).toEqual(expected);
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
    expect(fed(Buffer.from(`data: 1\n\n${rest}`)).slice(1)).toEqual(expected);
  });

  it('hands out nothing more once it is told so', () => {
    expect(fed(Buffer.from('data: 1\n\ndata: 2\n\ndata: 3\n\n'), [], 2).map(({ data }) => data)).toEqual(['1', '2']);
  });
});
