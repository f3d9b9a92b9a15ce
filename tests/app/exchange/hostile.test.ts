import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prompt, type Stack, sendTo, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const post = (body: string | Buffer) => stack.send({ method: 'POST', path: '/v1/messages', body });
const upstream = () => stack.simulator.requests.filter(({ path }) => path !== '/models');
const messageOf = (text: string): string => (JSON.parse(text) as { error: { message: string } }).error.message;
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const ask = (more: string) =>
  `{"model":"claude-sonnet-4.6","max_tokens":9,"messages":[{"role":"user","content":"hi"}]${more}}`;

describe('bodies that mean harm', () => {
  it('bytes that are no UTF-8 are refused, not bent', async () => {
    const [before = '', after = ''] = ask('').split('hi');
    const answer = await post(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc0]), Buffer.from(after)]));
    expect([answer.status, messageOf(answer.text)]).toEqual([
      400,
      'Jumpseat: the body isn’t valid UTF-8. Send one JSON object in UTF-8.',
    ]);
    expect(upstream()).toEqual([]);
  });

  it.each([
    ['an unknown field', ask(`,"later":${deep(300_000)}`)],
    ['a tool’s schema', ask(`,"tools":[{"name":"t","input_schema":{"enum":${deep(300_000)}}}]`)],
  ])('values within values within values: %s', async (_name, body) => {
    const answer = await post(body);
    expect([answer.status, messageOf(answer.text), answer.headers['x-should-retry']]).toEqual([
      400,
      'Jumpseat: the body is nested too deeply. Send values within fewer others.',
      'false',
    ]);
    expect(upstream()).toEqual([]);
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'failed', status: 400, failure: { code: 'too-deep' } }]);
  });

  const million = deep(1_000_000);
  it.each([
    ['content', ask('').replace('"hi"', million), 'messages.0.content.0: Input should be an object'],
    ['a tool’s schema', ask(`,"tools":[{"name":"t","input_schema":{"enum":${million}}}]`), 'nested too deeply'],
    [
      'the input of a call',
      ask('').replace('"hi"', `[{"type":"tool_use","id":"a","name":"t","input":{"a":${million}}}]`),
      'nested too deeply',
    ],
    ['no end', '['.repeat(4_000_000), 'isn’t valid JSON'],
  ])('a million values within each other, in %s, are refused in time', async (_place, body, said) => {
    const before = performance.now();
    const answer = await post(body);
    expect([answer.status, messageOf(answer.text)]).toEqual([400, expect.stringContaining(said)]);
    // What grew faster than the body would take minutes.
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(upstream()).toEqual([]);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
  });

  it('a request without a body is told so', async () => {
    const answer = await post('');
    expect([answer.status, messageOf(answer.text)]).toEqual([
      400,
      'Jumpseat: the request has no body. Send one JSON object.',
    ]);
  });

  it.each([
    ['a line break', 'a\nb'],
    ['a sequence for terminals', 'a\u001b[31mb'],
    ['another one', 'a\u009b31mb'],
    ['257 characters', 'a'.repeat(257)],
  ])('a model’s name with %s is neither kept nor given back', async (_name, model) => {
    const answer = await stack.messages(prompt('hi', { model }));
    expect([answer.status, messageOf(answer.text)]).toEqual([
      400,
      'Jumpseat: model: a name of at most 256 characters on one line is required.',
    ]);
    expect(await stack.rows(1)).toMatchObject([{ askedModel: null, failure: { code: 'invalid_body' } }]);
  });

  it.each([
    ['/v1/messages', '"messages":[{"role":"user","content":"hi"}],"messages":[]', 'messages'],
    ['/v1/messages', '"messages":[{"role":"user","content":"hi","role":"assistant"}]', 'role'],
    ['/v1/messages/count_tokens', '"messages":[{"role":"user","content":"hi"}],"system":"a","system":"b"', 'system'],
    ['/v1/chat/completions', '"messages":[{"role":"tool","role":"user","content":"hi"}]', 'role'],
    ['/v1/responses', '"input":"hi","input":"ho"', 'input'],
    ['/v1/embeddings', '"input":"hi" , "inp\\u0075t" : "ho"', 'input'],
  ])('%s: a body with a key twice is refused, which names the key: %s', async (path, fields, key) => {
    const answer = await stack.send({ method: 'POST', path, body: `{"model":"claude-sonnet-4.6",${fields}}` });
    expect([answer.status, messageOf(answer.text)]).toEqual([
      400,
      `Jumpseat: the body has the key “${key}” twice in one object, so that nobody knows which value ` +
        'counts. Send it once.',
    ]);
    expect(await stack.rows(1)).toMatchObject([{ status: 400, attempts: [], failure: { code: 'invalid_body' } }]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('a model of the name %s is an unknown model', async (model) => {
    const answer = await stack.messages(prompt('hi', { model }));
    expect(answer.status).toBe(404);
    expect(messageOf(answer.text)).toContain(`no model "${model}"`);
  });

  it('a label that steers a terminal is refused, and shown without that', async () => {
    const { status, text } = await stack.send({
      method: 'POST',
      path: '/v1/messages',
      headers: { authorization: `Bearer ${stack.key}.a\u009b31mb` },
      body: Buffer.from(ask('')),
    });
    expect([status, messageOf(text)]).toEqual([401, expect.stringContaining('“a?31mb” can’t be the name after it')]);
    expect(text).not.toContain('\u009b');
  });

  it('__proto__ is a key like any other: it goes on and pollutes nothing', async () => {
    const answer = await post(ask(',"__proto__":{"polluted":1}'));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(upstream()[0]?.body)).toContain('"__proto__":{"polluted":1}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('numbers beyond 2^53 keep their digits', () => {
  const id = '1234567890123456789';
  const history = (model: string) =>
    `{"model":"${model}","max_tokens":99,"tools":[{"name":"get","input_schema":{"type":"object","properties":{"id":{"enum":[${id}]}}}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"get","input":{"id":${id}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]}`;

  /** The simulator keeps parsed bodies; this one keeps the bytes. */
  const sentFor = async (model: string): Promise<string> => {
    const sent: string[] = [];
    const { nodeDialer } = await import('../../../app/adapters/dialer.ts');
    const dialer = nodeDialer();
    const watched = await startStack({
      ports: {
        dialer: {
          dial: (request) => {
            if (request.body !== undefined) sent.push(request.body.toString());
            return dialer.dial(request);
          },
          close: () => dialer.close(),
        },
      },
    });
    const { baseUrl, key } = watched;
    await sendTo(baseUrl, {
      method: 'POST',
      path: '/v1/messages',
      headers: { authorization: `Bearer ${key}.test` },
      body: history(model),
    });
    await watched.close();
    return sent.at(-1) ?? '';
  };

  it('on the native path', async () => {
    const sent = await sentFor('claude-sonnet-4.6');
    expect(sent).toContain(`"input":{"id":${id}}`);
    expect(sent).toContain(`"enum":[${id}]`);
  });

  it.each(['gpt-4.1', 'gpt-5.4'])('on the translated path of %s', async (model) => {
    const sent = await sentFor(model);
    expect(sent).toContain(`"arguments":"{\\"id\\":${id}}"`);
    expect(sent).toContain(`"enum":[${id}]`);
  });

  it('in the tool call of a whole answer', async () => {
    const events = [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'get', input: {} } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: `{"id":${id.slice(0, 9)}` },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: `${id.slice(9)}}` } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    stack.simulator.script.next({
      kind: 'stream',
      events: events.map((data) => ({ event: data.type, data })),
    });
    const answer = await stack.messages(prompt('hi', { stream: false }));
    expect(answer.text).toContain(`"input":{"id":${id}}`);
  });
});

describe('answers that mean harm', () => {
  it.each([true, false])(
    'a value nested beyond what can be written ends this answer alone (stream: %s)',
    async (stream) => {
      const bill = `"copilot_usage":{"total_nano_aiu":1,"token_details":[],"later":${deep(300_000)}}`;
      stack.simulator.script.next({
        kind: 'stream',
        events: [
          'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n',
          `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],${bill}}\n\n`,
          'data: [DONE]\n\n',
        ],
      });
      const answer = await stack.messages(prompt('hi', { model: 'gpt-4.1', stream }));
      expect(answer.text).toContain('Jumpseat: Copilot’s answer could not be put together.');
      expect(answer.text).not.toContain('message_stop');
      expect(await stack.rows(1)).toMatchObject([
        { outcome: 'failed', failure: { source: 'copilot', code: 'api_error' } },
      ]);
      expect((await stack.messages(prompt('hi'))).status).toBe(200);
    },
  );
});

describe('a client that leaves', () => {
  it('while the catalog is waited for is let go at once', async () => {
    let open: (value: unknown) => void = () => {};
    const gate = new Promise((resolve) => {
      open = resolve;
    });
    stack.simulator.script.always({ kind: 'usual', gate }, '/models');
    const asked = stack.simulator.script.arrival('/models');
    const left = new AbortController();
    const leaving = fetch(`${stack.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}.test` },
      body: ask(''),
      signal: left.signal,
    });
    await asked;
    left.abort();
    await expect(leaving).rejects.toThrow();
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cancelled', failure: { code: 'client-left' } }]);
    open(null);
  });
});

describe('a stop of the proxy', () => {
  it.each([true, false])(
    'between the end of an answer and the end of its connection takes nothing back (stream: %s)',
    async (stream) => {
      stack.simulator.script.next({
        kind: 'stream',
        events: [
          // In one write, so that both have been read when the first one shows.
          'data: {"choices":[{"index":0,"delta":{"content":"all of it"}}]}\n\n' +
            'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        ],
        end: 'open',
      });
      const begun = new Promise<void>((resolve) =>
        stack.app.listen((event) => {
          if (event.event === 'exchange' && event.exchange.times.firstEvent !== null) resolve();
        }),
      );
      const answer = stack.messages(prompt('hi', { model: 'gpt-4.1', stream }));
      await begun;
      await stack.app.stopProxy({ graceMs: 0 });
      const { status, text } = await answer;
      expect(status).toBe(200);
      expect(text).toContain('all of it');
      expect(text).not.toContain('error');
      expect(text.includes('message_stop')).toBe(stream);
      expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'end_turn', failure: null }]);
    },
  );
});
