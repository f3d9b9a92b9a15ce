import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../app/formats/answer/answer.ts';
import { MessagesRelay } from '../../../../app/formats/messages/relay.ts';
import { eventsAsSse, sampleNames } from '../sample.ts';
import { cutAt, disorder, eventsIn, sse, through } from '../stream.ts';

const asked = 'claude-sonnet-4-6[1m]';
const relay = (...chunks: (Buffer | string)[]) => {
  const reader = new MessagesRelay({ model: asked });
  return { written: through(reader, ...chunks).toString(), facts: reader.facts };
};

const start = {
  message: {
    content: [],
    id: 'msg_1',
    model: 'claude-sonnet-4-6',
    role: 'assistant',
    usage: { input_tokens: 3, output_tokens: 1 },
  },
  type: 'message_start',
};
const renamed = { ...start, message: { ...start.message, model: asked } };
const open = { content_block: { text: '', type: 'text' }, index: 0, type: 'content_block_start' };
const delta = { delta: { text: 'Grüße, 𝄞 …', type: 'text_delta' }, index: 0, type: 'content_block_delta' };
const close = { index: 0, type: 'content_block_stop' };
const last = {
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  type: 'message_delta',
  usage: { output_tokens: 9 },
};
const stop = { type: 'message_stop' };
const ping = { type: 'ping' };
const whole = sse(start, open, delta, close, last, stop);

describe('MessagesRelay', () => {
  const named = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

  it.each([
    ['a known event', named('message_delta', stop), true],
    ['an unknown one', named('custom', stop), true],
    ['a delta', named('content_block_delta', stop), true],
    ['an end that is none', named('message_stop', ping), false],
  ])('an event line that differs from the type in the data is corrected: %s', (_name, event, ends) => {
    const { written, facts } = relay(sse(start, open, delta, close, last), event);
    expect(facts.ended).toBe(ends);
    expect(written.endsWith(ends ? sse(stop).toString() : sse(ping).toString())).toBe(true);
    expect(eventsIn(Buffer.from(written)).filter(({ type }) => type === 'message_stop')).toHaveLength(ends ? 1 : 0);
  });

  it('a damaged delta goes on as it came, however the bytes are cut', () => {
    const damaged = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{{}\n\n';
    const bytes = Buffer.concat([
      Buffer.from(sse(start, open)),
      Buffer.from(damaged),
      Buffer.from(sse(close, last, stop)),
    ]);
    const once = relay(bytes).written;
    expect(once).toContain(damaged);
    for (let at = 0; at < bytes.length; at += 1)
      expect(relay(bytes.subarray(0, at), bytes.subarray(at)).written).toBe(once);
    expect(relay(bytes.toString().replaceAll('\n', '\r\n')).written).toContain(damaged.replaceAll('\n', '\r\n'));
  });

  it.each(sampleNames('stream-events.json'))('A9.1 A9.11 %s goes on byte for byte but for the model', (name) => {
    const bytes = eventsAsSse(name);
    const { written, facts } = relay(bytes);
    expect(written).toBe(bytes.toString().replace('"model":"claude-sonnet-4-6"', `"model":"${asked}"`));
    expect(disorder(eventsIn(Buffer.from(written)))).toBeNull();
    expect(facts).toMatchObject({
      started: true,
      contentBegan: true,
      ended: true,
      failure: null,
      unreadable: 0,
      upstreamModel: 'claude-sonnet-4-6',
    });
  });

  it('A11.1 reads usage, stop reason and bill as they pass', () => {
    expect(relay(eventsAsSse('messages-native-sonnet46-text.stream-events.json')).facts).toEqual({
      started: true,
      contentBegan: true,
      ended: true,
      failure: null,
      stopReason: 'end_turn',
      upstreamModel: 'claude-sonnet-4-6',
      usage: { input: 16, output: 17, cacheRead: 0, cacheWrite: 0 },
      copilotUsage: {
        totalNanoAiu: 30_300_000,
        details: [
          { type: 'input', count: 16, costPerBatch: 300e9, batchSize: 1e6 },
          { type: 'cache_read', count: 0, costPerBatch: 30e9, batchSize: 1e6 },
          { type: 'cache_write', count: 0, costPerBatch: 375e9, batchSize: 1e6 },
          { type: 'output', count: 17, costPerBatch: 1500e9, batchSize: 1e6 },
        ],
      },
      unreadable: 0,
      events: 8,
      blocks: [{ type: 'text', name: null }],
      said: '1, 2, 3, 4, 5'.length,
    });
  });

  it('what a running answer has said is counted by the bytes of its deltas, signatures apart', () => {
    const said = (...deltas: object[]): number => {
      const events = deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta }));
      return relay(sse(start, ...events)).facts.said;
    };
    expect(said({ type: 'text_delta', text: 'x'.repeat(40) }, { type: 'text_delta', text: 'y' })).toBe(41);
    expect(said({ type: 'signature_delta', signature: 'E'.repeat(2000) })).toBe(0);
    expect(said({ type: 'input_json_delta', partial_json: '' })).toBeLessThan(20);
  });

  it.each(['\n', '\r\n', '\r'])(
    'A9.17 B5.4 line end %j: every sample cut at every byte comes out the same',
    (lineEnd) => {
      for (const name of sampleNames('stream-events.json')) {
        const bytes = eventsAsSse(name, lineEnd);
        const expected = relay(bytes);
        for (let at = 1; at < bytes.length; at++) {
          const { written, facts } = relay(bytes.subarray(0, at), bytes.subarray(at));
          // A \n whose \r went out before it stands in front of the next event, where it means nothing.
          if (lineEnd === '\n') expect(written, `cut at ${at}`).toBe(expected.written);
          else expect(eventsIn(Buffer.from(written)), `cut at ${at}`).toEqual(eventsIn(Buffer.from(expected.written)));
          expect(facts, `cut at ${at}`).toEqual(expected.facts);
        }
      }
    },
  );

  it('A9.17 any chunks give the same bytes and the same facts', () => {
    const bytes = Buffer.from(
      sse(start, ping, open, delta, ': comment\n\n', delta, close, last, stop, 'data: [DONE]\n\n'),
    );
    const expected = relay(bytes);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (places) => {
        expect(relay(...cutAt(bytes, places))).toEqual(expected);
      }),
    );
  });

  it('writes the very chunk that came where nothing has to change', () => {
    const reader = new MessagesRelay({ model: asked });
    reader.push(Buffer.from(sse(start, open)));
    const burst = Buffer.from(sse(delta, ping, delta, delta));
    expect(reader.push(burst)).toBe(burst);
  });

  it('A6.12 puts the asked name into message_start and nowhere else', () => {
    const text =
      '{"message":{"content":[],"container":{"model":"claude-x"},"id":"m","model":"claude-x","x":{"model":"claude-x"}},"model":"claude-x","type":"message_start"}';
    const { written } = relay(`event: message_start\ndata: ${text}\n\n`, sse(last, stop));
    expect(written).toBe(
      `event: message_start\ndata: ` +
        `${text.replace('"id":"m","model":"claude-x"', `"id":"m","model":"${asked}"`)}\n\n${sse(last, stop)}`,
    );
  });

  it.each([
    ['once', '{"message":{"id":"m","model":"claude-x"}}', '{"message":{"id":"m","model":"ASKED"}}'],
    ['with a blank', '{"message":{"model": "claude-x"}}', '{"message":{"model": "ASKED"}}'],
    [
      'beside one with a blank',
      '{"message":{"x":{"model":"claude-x"},"model" :"claude-x"}}',
      '{"message":{"x":{"model":"claude-x"},"model" :"ASKED"}}',
    ],
    [
      'beside an escaped key',
      '{"message":{"x":{"model":"claude-x"},"mod\\u0065l":"claude-x"}}',
      '{"message":{"x":{"model":"claude-x"},"mod\\u0065l":"ASKED"}}',
    ],
  ])('puts the asked name where the message has it, spelled %s', (_how, text, expected) => {
    const { written } = relay(`event: message_start\ndata: ${text}\n\n`, sse(last, stop));
    expect(written).toBe(`event: message_start\ndata: ${expected.replace('ASKED', asked)}\n\n${sse(last, stop)}`);
  });

  it('leaves bytes alone when the names are equal, and when there is no name', () => {
    const named = sse({ ...start, message: { ...start.message, model: asked } }, last, stop);
    expect(relay(named).written).toBe(named);
    const nameless = sse({ type: 'message_start', message: { id: 'm' } }, last, stop);
    expect(relay(nameless)).toMatchObject({ written: nameless, facts: { upstreamModel: null } });
  });

  it('A9.2 B5.2 relays pings', () => {
    expect(relay(sse(ping, start, ping, last, stop)).written).toBe(sse(ping, renamed, ping, last, stop));
  });

  it('A9.8 A9.9 passes every delta, block and event it does not know', () => {
    const strange = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'x', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { cited_text: 'x' } } },
      { type: 'content_block_delta', index: 0, delta: { type: 'tomorrow_delta', x: [1] } },
      { type: 'tomorrow', x: 1 },
    ];
    const lines = 'id: 7\nevent: strange\nretry: 1\ndata: not even json\n\n';
    expect(relay(sse(start, ...strange, lines, close, last, stop)).written).toBe(
      sse(renamed, ...strange, lines, close, last, stop),
    );
  });

  it('A9.12 passes a refusal without blocks', () => {
    const refusal = {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_details: { category: 'x', explanation: 'y', type: 'refusal' } },
    };
    expect(relay(sse(start, refusal, stop))).toMatchObject({
      written: sse(renamed, refusal, stop),
      facts: { ended: true, contentBegan: false, stopReason: 'refusal', usage: { input: 3, output: 1 } },
    });
  });

  it('A9.1 A9.10 drops [DONE] and whatever follows message_stop', () => {
    expect(relay(whole, 'data: [DONE]\n\n').written).toBe(relay(whole).written);
    expect(relay(`${whole}data: [DONE]\n\n${sse(delta)}`).written).toBe(relay(whole).written);
    expect(relay(`data: [DONE]\n\n${whole}event: done\ndata: [DONE]\n\n`).written).toBe(relay(whole).written);
    const early = relay(sse(start), 'data: [DONE]\n\nevent: done\ndata: [DONE]\n\n', sse(last, stop));
    expect([early.written, early.facts.unreadable]).toEqual([sse(renamed, last, stop), 0]);
    const reader = new MessagesRelay({ model: asked });
    reader.push(Buffer.from(whole));
    expect([reader.push(Buffer.from(sse(delta))), reader.end(), reader.facts.failure]).toEqual([null, null, null]);
  });

  it.each([
    [
      'full',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}',
      'overloaded_error',
      'Overloaded',
    ],
    ['without type', '{"type":"error","error":{"message":"Odd"}}', null, 'Odd'],
    [
      'without message',
      '{"type":"error","error":{"type":"api_error"}}',
      'api_error',
      'Copilot reported an error without a message.',
    ],
    ['a string', '{"type":"error","error":"Odd"}', null, 'Odd'],
    [
      'extra fields',
      '{"type":"error","error":{"type":"api_error","message":"m","details":{"a":1}},"x":1}',
      'api_error',
      'm',
    ],
    ['no JSON', 'upstream connect error', null, 'upstream connect error'],
  ])('A9.5 B5.7 an error event (%s) is told, not written, and nothing follows it', (_, data, type, message) => {
    const { written, facts } = relay(
      sse(start, open, delta),
      `event: error\ndata: ${data}\n\n${sse(close, last, stop)}`,
    );
    expect(written).toBe(sse(renamed, open, delta));
    expect(facts).toMatchObject({ ended: false, contentBegan: true, failure: { kind: 'error', type, message } });
  });

  it('A9.5 knows an error by its data alone', () => {
    expect(relay('data: {"type":"error","error":{"type":"overloaded_error","message":"m"}}\n\n').facts.failure).toEqual(
      { kind: 'error', type: 'overloaded_error', message: 'm' },
    );
    expect(relay('data: {"error":{"message":"m","code":"rate_limited"}}\n\n').facts.failure).toEqual({
      kind: 'error',
      type: 'rate_limited',
      message: 'm',
    });
  });

  it('A9.6 A9.7 an end without message_stop is a cut; the open block stays open', () => {
    const { written, facts } = relay(sse(start, open, delta));
    expect(written).toBe(sse(renamed, open, delta));
    expect(facts.failure).toEqual({ kind: 'cut', type: null, message: 'Copilot’s answer ended early.' });
  });

  it('A9.6 half an event is not written', () => {
    const { written, facts } = relay(sse(start, open), sse(delta).slice(0, -5));
    expect([written, facts.failure?.kind, facts.unreadable]).toEqual([sse(renamed, open), 'cut', 0]);
  });

  it('a last event without its blank line counts when it is whole', () => {
    for (const missing of [1, 2]) {
      const { written, facts } = relay(whole.slice(0, -missing));
      expect(eventsIn(Buffer.from(written)).at(-1)).toEqual(stop);
      expect([facts.ended, facts.failure]).toEqual([true, null]);
    }
  });

  it('B5.8 an empty answer is a cut that never started', () => {
    expect(relay()).toEqual({
      written: '',
      facts: { ...noFacts(), failure: { kind: 'cut', type: null, message: 'Copilot’s answer ended early.' } },
    });
  });

  it('B5.6 data that is not JSON is left out and counted', () => {
    const { written, facts } = relay(
      sse(start, open),
      'event: content_block_delta\ndata: {"delta":\n\n',
      'data: oops\n\n',
      'event: message_delta\ndata: 7\n\n',
      sse(delta, close, last, stop),
    );
    expect(written).toBe(sse(renamed, open, delta, close, last, stop));
    expect(facts).toMatchObject({ unreadable: 3, ended: true });
  });

  it('B5.5 comments pass once the stream has begun, and are no beginning', () => {
    const { written } = relay(': hello\n\n', sse(start), ': still here\n\n', sse(last, stop));
    expect(written).toBe(`${sse(renamed)}: still here\n\n${sse(last, stop)}`);
    expect(relay(': hello\n\n').facts.started).toBe(false);
  });

  it('B5.5 data alone gets its event line', () => {
    const alone = whole.replace(/^event: .*\n/gm, '');
    expect(relay(alone).written).toBe(relay(whole).written);
    expect(relay(`\uFEFF\n${alone}`).written).toBe(relay(whole).written);
    expect(relay('\n\ndata: {"type":"ping"}\n\n').written).toBe(sse(ping));
    expect(relay('\uFEFFdata: {"type":"ping"}\n\n').written).toBe(sse(ping));
    // Read instead of told by its bytes, what was said is exact.
    const exact = { ...relay(whole).facts, said: 11 };
    expect(relay(alone.replaceAll('\n', '\r\n')).facts).toEqual(exact);
  });

  it('B5.5 data without a space and over several lines is understood', () => {
    const spread = 'event:message_start\ndata:{"message":{"id":"m",\ndata:"model":"x"},"type":"message_start"}\n\n';
    const { written, facts } = relay(spread, sse(last, stop));
    expect(eventsIn(Buffer.from(written))[0]).toEqual({ type: 'message_start', message: { id: 'm', model: asked } });
    expect(facts.upstreamModel).toBe('x');
  });

  it('B5.3 a hundred small deltas in one chunk', () => {
    const deltas = Array.from({ length: 100 }, (_, n) => ({ ...delta, delta: { text: `${n}`, type: 'text_delta' } }));
    expect(relay(sse(start, open, ...deltas, close, last, stop)).written).toBe(
      sse(renamed, open, ...deltas, close, last, stop),
    );
  });

  it('A11.5 A11.6 without a bill the cost is unknown; of two the last counts', () => {
    expect(relay(whole).facts.copilotUsage).toBeNull();
    const bill = (total: number) => ({ ...last, copilot_usage: { total_nano_aiu: total, token_details: [] } });
    expect(relay(sse(start, bill(1), bill(2), stop)).facts.copilotUsage).toEqual({ totalNanoAiu: 2, details: [] });
  });

  it('what message_delta leaves out stays as message_start said it', () => {
    expect(relay(sse(start, last, stop)).facts.usage).toEqual({
      input: 3,
      output: 9,
      cacheRead: null,
      cacheWrite: null,
    });
  });
});
