import { describe, expect, it } from 'vitest';
import { redact } from '../../../app/adapters/redact.ts';
import { Bodies, redactedBytes } from '../../../app/recording/bodies.ts';
import { assembled, difference, indentJson, shownBody } from '../../../app/recording/shown-body.ts';

describe('JSON with line ends', () => {
  it('says the same as before, digit by digit', () => {
    const text = '{"a":[1,2.50,{"b":"x, \\"y\\": {\\\\"}],"big":123456789012345678901234567890,"none":{},"list":[ ]}';
    const indented = indentJson(text);
    expect(indented).toBe(
      [
        '{',
        '  "a": [',
        '    1,',
        '    2.50,',
        '    {',
        '      "b": "x, \\"y\\": {\\\\"',
        '    }',
        '  ],',
        '  "big": 123456789012345678901234567890,',
        '  "none": {},',
        '  "list": []',
        '}',
      ].join('\n'),
    );
    expect(indented.replace(/\n\s*/g, '').replace(/": /g, '":')).toBe(text.replace('[ ]', '[]').replace(/": /g, '":'));
    expect(JSON.parse(indented)).toEqual(JSON.parse(text));
  });

  it.each(['', 'no JSON', '"text"', '{"cut":"he', '{"a":', '}}}}', '[1,2', '\u0000{'])('%j does no harm', (text) => {
    expect(indentJson(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('is as fast with nested lists as with flat ones', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(indentJson(deep).length).toBeLessThan(10_000_000);
  });
});

describe('the difference', () => {
  const of = (before: unknown, after: unknown) => difference(JSON.stringify(before), JSON.stringify(after));

  it('stands field by field', () => {
    expect(of({ model: 'opus', n: 1, gone: true }, { model: 'claude', n: 1, came: null })).toBe(
      ['model', '− "opus"', '+ "claude"', '', 'gone', '− true', '', 'came', '+ null', ''].join('\n'),
    );
  });

  it('tells what was put into a list or left out of it, and not what moved by that', () => {
    expect(of({ list: ['a', 'b', 'c'] }, { list: ['a', 'c'] })).toBe('list[1]\n− "b"\n');
    expect(of({ list: ['a', 'c'] }, { list: ['a', { b: 1 }, 'c'] })).toBe('list[1]\n+ {\n+   "b": 1\n+ }\n');
    expect(of([{ x: 1 }, { x: 2 }], [{ x: 1 }, { x: 3 }])).toBe('[1].x\n− 2\n+ 3\n');
  });

  it('of the same is empty, of what is no JSON there is none', () => {
    expect(of({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe('');
    expect(difference('{', '{}')).toBeNull();
  });
});

const sse = (...data: unknown[]): string => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

describe('an answer put together', () => {
  it('of Messages: thinking, text and calls in their order', () => {
    const text = sse(
      { type: 'message_start', message: { content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm. ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'Eq' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello ' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'there' } },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'Read', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"/x"}' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} },
      { type: 'message_stop' },
    );
    expect(assembled(text)).toBe(
      [
        '— thinking —\nHm. \n',
        '— text —\nHello there\n',
        '— tool_use Read —\n{\n  "path": "/x"\n}\n',
        '— stop_reason: tool_use —',
      ].join('\n'),
    );
  });

  it('of a stream that was cut: what came', () => {
    const text = sse(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half a' } },
    );
    expect(assembled(`${text}data: {"type":"content_bl`)).toBe('— text —\nHalf a\n');
  });

  it('of Chat Completions', () => {
    const delta = (value: object, finish: string | null = null) => ({
      choices: [{ delta: value, finish_reason: finish }],
    });
    const call = (name: string, json: string) => ({ tool_calls: [{ index: 0, function: { name, arguments: json } }] });
    const text = sse(
      delta({ reasoning_text: 'Hm' }),
      delta({ content: 'One ' }),
      delta({ content: 'two' }),
      delta(call('Read', '{"a"')),
      delta(call('', ':1}')),
      delta(call('Bash', '{}'), 'tool_calls'),
    );
    expect(assembled(`${text}data: [DONE]\n\n`)).toBe(
      [
        '— reasoning —\nHm\n',
        '— text —\nOne two\n',
        '— tool_call Read —\n{"a":1}\n',
        '— tool_call Bash —\n{}\n',
        '— finish_reason: tool_calls —',
      ].join('\n'),
    );
  });

  it('of Responses, and of an error', () => {
    const text = sse(
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
      { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', name: 'run' } },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"x":1}' },
      { type: 'response.output_item.done', output_index: 1, item: {} },
      { type: 'response.completed', response: { status: 'completed' } },
    );
    expect(assembled(text)).toBe('— message —\nHi\n\n— function_call run —\n{\n  "x": 1\n}\n\n— status: completed —');
    expect(assembled(sse({ type: 'error', error: { message: 'Overloaded' } }))).toBe(
      '— error —\n{\n  "message": "Overloaded"\n}\n',
    );
  });

  it('of one that is no stream: its JSON', () => {
    expect(assembled('{"input_tokens":7}')).toBe('{\n  "input_tokens": 7\n}');
  });
});

describe('a body as it is shown', () => {
  const token = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';

  it('begins with 256 kB where it is over 1 MB, unless all of it is wanted', async () => {
    const bodies = new Bodies(0);
    bodies.add('answer', Buffer.from('y'.repeat(1_200_000)));
    const cut = await shownBody(bodies, 'events', { whole: false, redact });
    expect([cut?.text.length, cut?.bytes, cut?.cut]).toEqual([256_000, 1_200_000, true]);
    const whole = await shownBody(bodies, 'events', { whole: true, redact });
    expect([whole?.text.length, whole?.cut]).toEqual([1_200_000, false]);
    expect(await shownBody(bodies, 'sent', { whole: true, redact })).toBeNull();
    const list = JSON.stringify(Array.from({ length: 300_000 }, () => 7));
    bodies.add('sent', Buffer.from(list.repeat(2)));
    const begin = await shownBody(bodies, 'sent', { whole: false, redact });
    expect([begin?.text.slice(0, 10), begin?.text.length, begin?.bytes, begin?.cut]).toEqual([
      '[\n  7,\n  7',
      256_000,
      list.length * 2,
      true,
    ]);
  });

  it('has no token in it, wherever the parts of a long one end', async () => {
    for (const before of [262_100, 262_120, 262_144, 262_150]) {
      const block = '{"text":"some words, and more of them"},';
      const filling = block.repeat(Math.ceil(before / block.length)).slice(0, before);
      const text = `[${filling}{"text":"${token}"},${block.repeat(9000)}{}]`;
      const clean = (await redactedBytes(Buffer.from(text), redact)).toString();
      expect(clean).toBe(text.replace(token, '[redacted]'));
    }
  });

  it('without a secret is the very same bytes', async () => {
    const bytes = Buffer.from(`{"text":"${'ü'.repeat(300_000)}"}`);
    expect(await redactedBytes(bytes, redact)).toBe(bytes);
  });
});
