import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isObject } from '../../../app/formats/wire/json.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { eventsOf, prompt, type Stack, sendTo, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(async () => {
  vi.useRealTimers();
  await stack.close();
});

const inference = () =>
  stack.simulator.requests.filter(({ path }) => ['/v1/messages', '/chat/completions', '/responses'].includes(path));
const start = {
  event: 'message_start',
  data: {
    message: {
      content: [],
      id: 'msg_1',
      model: 'claude-sonnet-4-6',
      role: 'assistant',
      stop_reason: null,
      stop_sequence: null,
      type: 'message',
      usage: { input_tokens: 5, output_tokens: 1 },
    },
    type: 'message_start',
  },
};
const block = {
  event: 'content_block_start',
  data: { content_block: { text: '', type: 'text' }, index: 0, type: 'content_block_start' },
};
const delta = {
  event: 'content_block_delta',
  data: { delta: { text: 'hello', type: 'text_delta' }, index: 0, type: 'content_block_delta' },
};
const blockStop = { event: 'content_block_stop', data: { index: 0, type: 'content_block_stop' } };
const messageDelta = {
  event: 'message_delta',
  data: { delta: { stop_reason: 'end_turn', stop_sequence: null }, type: 'message_delta', usage: { output_tokens: 3 } },
};
const messageStop = { event: 'message_stop', data: { type: 'message_stop' } };
const whole = [start, block, delta, blockStop, messageDelta, messageStop];

/** A promise and the hand that opens it. */
function gate(): { wait: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
}

describe('validation', () => {
  it.each([
    ['A7.1 body not JSON', '{"model": "claude'],
    ['A7.1 empty body', ''],
    ['A7.2 JSON array', '[]'],
    ['A7.3 no model', JSON.stringify({ messages: [] })],
    ['A7.3 model is no text', JSON.stringify({ model: 7, messages: [] })],
    ['A7.4 messages not an array', JSON.stringify({ model: 'claude-sonnet-4.6', messages: 'hi' })],
  ])('%s → 400 invalid_request_error, no upstream call, one row', async (_name, body) => {
    const answer = await stack.messages(body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(/^Jumpseat: /) },
    });
    expect(inference()).toEqual([]);
    expect(await stack.rows(1)).toMatchObject([
      { status: 400, outcome: 'failed', path: null, charge: { kind: 'none' }, failure: { source: 'jumpseat' } },
    ]);
  });

  it('A7.5 unknown fields and headers do not fail a request, and fields go on', async () => {
    const answer = await stack.messages(prompt('hi', { a_field_of_tomorrow: { x: 1 } }), { 'x-tomorrow': '1' });
    expect(answer.status).toBe(200);
    expect(inference()[0]?.body).toMatchObject({ a_field_of_tomorrow: { x: 1 } });
  });
});

describe('headers', () => {
  it('A8.1 anthropic-version passes; 2023-06-01 where there is none', async () => {
    await stack.messages(prompt('a'), { 'anthropic-version': '2024-01-01' });
    await stack.messages(prompt('b'), { 'anthropic-version': null });
    expect(inference().map(({ headers }) => headers['anthropic-version'])).toEqual(['2024-01-01', '2023-06-01']);
  });

  it('A8.9 A8.10 B4.3 nothing of the client’s headers reaches Copilot; the header set is ours alone', async () => {
    await stack.messages(prompt('hi'), {
      'x-request-id': 'mine',
      'x-stainless-os': 'Linux',
      'x-app': 'cli',
      'x-claude-code-request-class': 'main',
      'x-claude-code-session-id': 'abc',
      cookie: 'a=b',
      'user-agent': 'claude-cli/2.1.328 (external, cli)',
      'x-initiator': 'agent',
      'anthropic-dangerous-direct-browser-access': 'true',
    });
    const [sent] = inference();
    expect(stack.simulator.script.violations).toEqual([]);
    const names = sent?.rawHeaders.map(([name]) => name).sort();
    expect(names).toMatchInlineSnapshot(`
      [
        "Accept",
        "Authorization",
        "Connection",
        "Content-Length",
        "Content-Type",
        "Copilot-Integration-Id",
        "Editor-Plugin-Version",
        "Editor-Version",
        "Host",
        "OpenAI-Intent",
        "User-Agent",
        "X-Agent-Task-Id",
        "X-GitHub-Api-Version",
        "X-Initiator",
        "X-Interaction-Id",
        "X-Interaction-Type",
        "X-Request-Id",
        "anthropic-version",
      ]
    `);
    expect(sent?.headers).toMatchObject({
      'user-agent': 'GitHubCopilotChat/0.67.0',
      'editor-version': 'vscode/1.139.1',
      'editor-plugin-version': 'copilot-chat/0.67.0',
      'copilot-integration-id': 'vscode-chat',
      'x-github-api-version': '2026-08-01',
      'openai-intent': 'conversation-agent',
      'x-initiator': 'user',
    });
    expect(sent?.headers['x-request-id']).not.toBe('mine');
  });

  it('A8.11 the answer carries our request id; Copilot’s ids are in the log only', async () => {
    const answer = await stack.messages(prompt('hi'));
    const [row] = await stack.rows(1);
    expect(answer.headers['request-id']).toBe(row?.id);
    expect(row?.upstreamRequestIds.length).toBeGreaterThan(0);
    for (const id of row?.upstreamRequestIds ?? []) expect(JSON.stringify(answer.headers)).not.toContain(id);
    expect(answer.headers['x-quota-snapshot-premium_interactions']).toBeUndefined();
  });

  it('B4.4 no vision header goes with an image to /v1/messages', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const use = { type: 'tool_use', id: 'toolu_1', name: 'shot', input: {} };
    const tools = [{ name: 'shot', input_schema: { type: 'object', properties: {} } }];
    await stack.messages(prompt('none'));
    await stack.messages({
      ...prompt(''),
      messages: [{ role: 'user', content: [image, { type: 'text', text: 'what is it' }] }],
    });
    await stack.messages({
      ...prompt('', { tools }),
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }] },
      ],
    });
    const names = inference().flatMap(({ headers }) => Object.keys(headers));
    expect(names).not.toContain('copilot-vision-request');
  });
});

describe('streams', () => {
  it('A9.1 frames in order, data byte-equal but for model; no [DONE]; A9.10 nothing after message_stop', async () => {
    stack.simulator.script.next({ kind: 'stream', events: [...whole, 'data: [DONE]\n\n', delta] });
    const answer = await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6' }));
    expect(answer.headers['content-type']).toContain('text/event-stream');
    expect(answer.text).toBe(
      whole.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
    );
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'end_turn', tokens: { output: 3 } }]);
  });

  it('A6.12 the answer and message_start carry the asked name', async () => {
    const streamed = await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6-20260101' }));
    expect(eventsOf(streamed.text)[0]).toMatchObject({ data: { message: { model: 'claude-sonnet-4-6-20260101' } } });
    const collected = await stack.messages(prompt('hi', { model: 'sonnet', stream: false }));
    expect(collected.json()).toMatchObject({ model: 'sonnet' });
  });

  it(
    'A9.2 A9.8 A9.9 A9.11 pings, thinking, signatures, citations, unknown events and Copilot’s extras ' + 'pass',
    async () => {
      const passing = [
        start,
        { event: 'ping', data: { type: 'ping' } },
        {
          event: 'content_block_start',
          data: {
            content_block: { signature: '', thinking: '', type: 'thinking' },
            index: 0,
            type: 'content_block_start',
          },
        },
        {
          event: 'content_block_delta',
          data: { delta: { thinking: 'hm', type: 'thinking_delta' }, index: 0, type: 'content_block_delta' },
        },
        {
          event: 'content_block_delta',
          data: { delta: { signature: 'EswB', type: 'signature_delta' }, index: 0, type: 'content_block_delta' },
        },
        { event: 'content_block_stop', data: { index: 0, type: 'content_block_stop' } },
        {
          event: 'content_block_delta',
          data: {
            delta: { citation: { cited_text: 'x' }, type: 'citations_delta' },
            index: 1,
            type: 'content_block_delta',
          },
        },
        { event: 'event_of_tomorrow', data: { type: 'event_of_tomorrow', x: 1 } },
        {
          event: 'message_delta',
          data: {
            copilot_usage: { token_details: [], total_nano_aiu: 5 },
            delta: { stop_reason: 'end_turn' },
            type: 'message_delta',
            usage: { output_tokens: 1 },
          },
        },
        {
          event: 'message_stop',
          data: { 'amazon-bedrock-invocationMetrics': { inputTokenCount: 1 }, type: 'message_stop' },
        },
      ];
      stack.simulator.script.next({ kind: 'stream', events: passing });
      const answer = await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6' }));
      expect(eventsOf(answer.text)).toEqual(passing);
      expect(await stack.rows(1)).toMatchObject([{ charge: { kind: 'billed', nanoAiu: 5 } }]);
    },
  );

  it('A9.4 a failure before the first event → JSON error with the right status, no 200', async () => {
    const overloaded = {
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    };
    stack.simulator.script.next({ kind: 'stream', events: [overloaded] });
    const answer = await stack.messages(prompt('hi'));
    expect(answer.status).toBe(529);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toMatchObject({
      error: { type: 'overloaded_error', message: 'Copilot broke its answer off with overloaded_error: Overloaded' },
    });
  });

  it('A9.4 no event for 30 s → 200 and pings begin; a later failure is an error event; A9.3 a ping every 10 s', async () => {
    const hold = gate();
    const overloaded = {
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const scripted = stack.simulator.script.next({ kind: 'stream', gate: hold.wait, events: [overloaded] });
    const { response, text } = await open(prompt('hi'));
    await scripted.taken;
    vi.advanceTimersByTime(29_000);
    expect(response.settled()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(await response.status).toBe(200);
    vi.advanceTimersByTime(20_000);
    hold.open();
    const events = eventsOf(await text);
    expect(events.map(({ event }) => event)).toEqual(['ping', 'ping', 'ping', 'error']);
    expect(events.at(-1)?.data).toMatchObject({
      error: { type: 'overloaded_error', message: 'Copilot broke its answer off with overloaded_error: Overloaded' },
    });
  });

  it('A9.3 silence in an open stream: our ping every 10 s, none after the end', async () => {
    const hold = gate();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    stack.simulator.script.next({
      kind: 'stream',
      events: [start, { gate: hold.wait }, block, delta, blockStop, messageDelta, messageStop],
    });
    const { response, text, seen } = await open(prompt('hi', { model: 'claude-sonnet-4-6' }));
    expect(await response.status).toBe(200);
    await seen('message_start');
    vi.advanceTimersByTime(30_000);
    hold.open();
    const events = eventsOf(await text);
    expect(events.map(({ event }) => event)).toEqual([
      'message_start',
      'ping',
      'ping',
      'ping',
      ...whole.slice(1).map(({ event }) => event),
    ]);
    vi.advanceTimersByTime(60_000);
    expect(await stack.rows(1)).toHaveLength(1);
  });

  it(
    'A9.5 an error event in mid-stream → one error event with the envelope, then the end; no ' + 'message_stop',
    async () => {
      const broke = {
        event: 'error',
        data: {
          type: 'error',
          error: { type: 'api_error', message: 'upstream broke' },
        },
      };
      stack.simulator.script.next({ kind: 'stream', events: [start, block, delta, broke, delta, messageStop] });
      const answer = await stack.messages(prompt('hi'));
      const events = eventsOf(answer.text);
      expect(events.map(({ event }) => event)).toEqual([
        'message_start',
        'content_block_start',
        'content_block_delta',
        'error',
      ]);
      const [row] = await stack.rows(1);
      expect(events.at(-1)?.data).toEqual({
        type: 'error',
        error: { type: 'api_error', message: 'Copilot broke its answer off with api_error: upstream broke' },
        request_id: row?.id,
      });
      expect(row).toMatchObject({ status: 200, outcome: 'failed', failure: { source: 'copilot', code: 'api_error' } });
    },
  );

  it.each(['clean', 'destroy'] as const)(
    'A9.6 A9.7 an end (%s) without message_stop → error event; the open tool block is not closed',
    async (end) => {
      const tool = {
        event: 'content_block_start',
        data: {
          content_block: { id: 'toolu_1', input: {}, name: 'Bash', type: 'tool_use' },
          index: 1,
          type: 'content_block_start',
        },
      };
      const json = {
        event: 'content_block_delta',
        data: {
          delta: { partial_json: '{"command": "rm', type: 'input_json_delta' },
          index: 1,
          type: 'content_block_delta',
        },
      };
      const hold = gate();
      stack.simulator.script.next({
        kind: 'stream',
        events: [start, block, delta, blockStop, tool, json, { gate: hold.wait }],
        end,
      });
      const { seen, text } = await open(prompt('hi', { model: 'claude-sonnet-4-6' }));
      await seen('content_block_delta', 2);
      hold.open();
      const events = eventsOf(await text);
      expect(events.slice(0, -1)).toEqual([start, block, delta, blockStop, tool, json]);
      expect(events.at(-1)).toMatchObject({
        event: 'error',
        data: {
          error: { type: 'api_error', message: expect.stringMatching(/^Jumpseat: Copilot’s answer ended early/) },
        },
      });
      expect(await stack.rows(1)).toMatchObject([{ outcome: 'cut', failure: { code: 'cut' } }]);
    },
  );

  it('A9.12 a refusal with no blocks passes', async () => {
    const refusal = {
      event: 'message_delta',
      data: {
        delta: { stop_details: { category: 'x', explanation: 'no', type: 'refusal' }, stop_reason: 'refusal' },
        type: 'message_delta',
        usage: { output_tokens: 0 },
      },
    };
    stack.simulator.script.next({ kind: 'stream', events: [start, refusal, messageStop] });
    const answer = await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6' }));
    expect(eventsOf(answer.text)).toEqual([start, refusal, messageStop]);
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'refusal' }]);
  });

  it('A9.13 a slow reader holds the upstream back; memory stays bounded', async () => {
    const big = {
      event: 'content_block_delta',
      data: { delta: { text: 'x'.repeat(64 * 1024), type: 'text_delta' }, index: 0, type: 'content_block_delta' },
    };
    let written = 0;
    const counted = {
      ...big,
      get data() {
        written += 1;
        return big.data;
      },
    };
    const events = [start, block, ...Array.from({ length: 1000 }, () => counted), blockStop, messageDelta, messageStop];
    stack.simulator.script.next({ kind: 'stream', events });
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(stack.baseUrl).port) });
    const body = JSON.stringify(prompt('hi'));
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: ${new URL(stack.baseUrl).host}\r\nAuthorization: Bearer ` +
        `${stack.key}.slow\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    // 1000 × 64 kB would be 64 MB; the sockets' own buffers take a few.
    expect(written).toBeLessThan(500);
    let read = 0;
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
    });
    await stack.rows(1);
    socket.destroy();
    expect(read).toBeGreaterThan(60_000_000);
  });

  it(
    'A9.15 A9.16 stream:false, and no stream at all → one JSON message, although it was streamed ' + 'upstream',
    async () => {
      for (const body of [prompt('hi', { stream: false }), { ...prompt('hi'), stream: undefined }]) {
        const answer = await stack.messages(body);
        expect(answer.headers['content-type']).toContain('application/json');
        expect(answer.json()).toMatchObject({
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4.6',
          stop_reason: 'end_turn',
          content: [{ type: 'text' }],
        });
        expect(inference().at(-1)?.body).toMatchObject({ stream: true });
      }
      expect((await stack.rows(2)).map(({ fits }) => fits.map(({ text }) => text))).toEqual([
        ['streamed upstream, collected'],
        ['streamed upstream, collected'],
      ]);
    },
  );

  it('a whole answer that is cut upstream is an error with its status, never half a message', async () => {
    stack.simulator.script.next({ kind: 'stream', events: [start, block, delta], end: 'clean' });
    const answer = await stack.messages(prompt('hi', { stream: false }));
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });
});

describe('abort', () => {
  it(
    'A10.1 the client leaves in mid-stream: upstream aborted, exchange cancelled, what was seen of the cost ' +
      'is kept',
    async () => {
      const usage = {
        event: 'message_delta',
        data: {
          copilot_usage: { token_details: [], total_nano_aiu: 7 },
          delta: { stop_reason: null },
          type: 'message_delta',
          usage: { output_tokens: 2 },
        },
      };
      stack.simulator.script.next({ kind: 'stream', events: [start, block, delta, usage], end: 'open' });
      const { seen, leave } = await open(prompt('hi'));
      await seen('message_delta');
      const aborted = stack.simulator.script.aborted();
      leave();
      await aborted;
      expect(await stack.rows(1)).toMatchObject([
        {
          outcome: 'cancelled',
          status: 200,
          charge: { kind: 'billed', nanoAiu: 7, partial: true },
          failure: { source: 'client', code: 'client-left' },
        },
      ]);
    },
  );

  it('A10.2 the client leaves before the head of Copilot’s answer', async () => {
    const taken = stack.simulator.script.next({ kind: 'silence' }).taken;
    const { leave } = await open(prompt('hi'));
    await taken;
    const aborted = stack.simulator.script.aborted();
    leave();
    await aborted;
    // The simulator had the request, so a Copilot may have begun: nothing says that it cost nothing.
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cancelled', charge: { kind: 'unknown', nanoAiu: null } }]);
  });

  it(
    'A10.3 A1.6 stop of the server: a running answer gets its error event, the upstream is aborted, nothing ' +
      'listens',
    async () => {
      stack.simulator.script.next({ kind: 'stream', events: [start, block, delta], end: 'open' });
      const { seen, text } = await open(prompt('hi'));
      await seen('content_block_delta');
      const aborted = stack.simulator.script.aborted();
      await stack.app.stopProxy({ graceMs: 0 });
      await aborted;
      const events = eventsOf(await text);
      expect(events.at(-1)).toMatchObject({
        event: 'error',
        data: { error: { type: 'api_error', message: expect.stringContaining('turned off') } },
      });
      await expect(sendTo(stack.baseUrl, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
    },
  );

  it('A10.3 a whole request, stop of the server', async () => {
    const taken = stack.simulator.script.next({ kind: 'silence' }).taken;
    const answer = stack.messages(prompt('hi', { stream: false }));
    await taken;
    await stack.app.stopProxy({ graceMs: 0 });
    expect(await answer).toMatchObject({ status: 503 });
    expect(await stack.rows(1)).toMatchObject([{ charge: { kind: 'unknown' } }]);
  });

  it('shutdown lets a running answer finish', async () => {
    const hold = gate();
    stack.simulator.script.next({
      kind: 'stream',
      events: [start, block, { gate: hold.wait }, delta, blockStop, messageDelta, messageStop],
    });
    const { seen, text } = await open(prompt('hi'));
    await seen('content_block_start');
    const stopped = stack.app.stopProxy({ graceMs: 10_000 });
    hold.open();
    expect(eventsOf(await text).at(-1)?.event).toBe('message_stop');
    await stopped;
  });
});

describe('refused before sending', () => {
  it('A6.9 A6.13 an unknown name → 404 without an upstream call, enabled ids in the text', async () => {
    const answer = await stack.messages(prompt('hi', { model: 'foo' }));
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      error: {
        type: 'not_found_error',
        message: expect.stringMatching(
          /^Jumpseat: Copilot has no model "foo" for this account\. Use a name that "jumpseat models" lists with a model, or add an override for it in Models\. Enabled: claude-/,
        ),
      },
    });
    expect(inference()).toEqual([]);
  });

  it('A6.10 C3.1 a model that is off → one 404 with the link, no Copilot call', async () => {
    const answer = await stack.messages(prompt('hi', { model: 'claude-opus-4-5' }));
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      error: {
        message: expect.stringContaining(
          'claude-opus-4.5 is off for this account. Turn it on at github.com/settings/copilot.',
        ),
      },
    });
    expect(inference()).toEqual([]);
  });

  it('a model whose only path takes no Messages request says so', async () => {
    const models = defaultModels().map((model) =>
      isObject(model) && model.id === 'gpt-5.4' ? { ...model, supported_endpoints: ['ws:/responses'] } : model,
    );
    stack.simulator.script.setModels(models);
    await stack.app.models({ refresh: true });
    const answer = await stack.messages(prompt('hi', { model: 'gpt-5.4' }));
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: { message: expect.stringContaining('only through ws:/responses,') } });
    expect(inference()).toEqual([]);
  });
});

describe('upstream failures', () => {
  it('B5.8 200 with an empty body is a cut, told with its status', async () => {
    stack.simulator.script.next({ kind: 'stream', events: [] });
    const answer = await stack.messages(prompt('hi'));
    expect(answer.status).toBe(502);
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cut', charge: { kind: 'unknown' } }]);
  });

  it('B1.9 a 401 is met with one mint and one replay; the verdict stays', async () => {
    stack.simulator.script.expireTokens();
    const answer = await stack.messages(prompt('hi'));
    expect(answer.status).toBe(200);
    const [row] = await stack.rows(1);
    expect(row?.attempts.map(({ status }) => status)).toEqual([401, 200]);
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'user']);
    expect(new Set(inference().map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  });

  it('B3.3 a 421: mint, replay on the new host, once', async () => {
    await stack.simulator.script.moveHost();
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect((await stack.rows(1))[0]?.attempts.map(({ status }) => status)).toEqual([421, 200]);
  });

  it('the door that was open stays shut after a fault in a route: the server lives on', async () => {
    stack.simulator.script.next({ kind: 'stream', events: ['event: message_start\ndata: {not json\n\n', messageStop] });
    await stack.messages(prompt('hi'));
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
  });
});

/** A request whose answer is looked at while it runs. */
async function open(body: unknown): Promise<{
  response: { status: Promise<number>; settled: () => boolean };
  text: Promise<string>;
  seen: (event: string, times?: number) => Promise<void>;
  leave: () => void;
}> {
  const status = Promise.withResolvers<number>();
  const text = Promise.withResolvers<string>();
  let settled = false;
  let soFar = '';
  const watchers: (() => void)[] = [];
  const outgoing = request(
    new URL('/v1/messages', stack.baseUrl),
    {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${stack.key}.test`, 'content-type': 'application/json' },
    },
    (response) => {
      settled = true;
      status.resolve(response.statusCode ?? 0);
      response.on('data', (chunk: Buffer) => {
        soFar += chunk.toString();
        for (const watch of watchers) watch();
      });
      response.on('error', () => {});
      response.on('close', () => text.resolve(soFar));
    },
  );
  outgoing.on('error', () => text.resolve(soFar));
  outgoing.end(JSON.stringify(body));
  return {
    response: { status: status.promise, settled: () => settled },
    text: text.promise,
    seen: (event, times = 1) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (soFar.split(`event: ${event}\n`).length > times) resolve();
        };
        watchers.push(watch);
        watch();
      }),
    leave: () => outgoing.destroy(),
  };
}
