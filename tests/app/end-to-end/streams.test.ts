import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import type { Dialer, DialRequest } from '../../../app/ports.ts';
import type { Reply, StreamStep } from '../../../app/simulator/script.ts';
import {
  blockDelta,
  blockStart,
  blockStop,
  chatChunk,
  chatDone,
  errorEvent,
  messageEnd,
  messageStart,
  responseDone,
  responseEvent,
  textBlock,
} from '../events.ts';
import { openRequest } from '../live-request.ts';
import { eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/** What a stream has to keep to on its whole way, natively and translated from either format. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(async () => {
  vi.useRealTimers();
  await stack.close();
});

const native = { model: 'claude-sonnet-4.6', path: '/v1/messages' };
const chat = { model: 'gpt-4.1', path: '/chat/completions' };
const responses = { model: 'gpt-5.4', path: '/responses' };
const all = [native, chat, responses];

/** Text as it stands in a stream of the path, one event for each piece. */
function answerOf(
  path: string,
  pieces: readonly string[],
): { open: StreamStep[]; pieces: StreamStep[]; end: StreamStep[] } {
  if (path === chat.path) {
    return {
      open: [],
      pieces: pieces.map((content) => chatChunk({ content })),
      end: [chatChunk({}, 'stop'), chatDone],
    };
  }
  if (path === responses.path) {
    return {
      open: [responseEvent('created', { response: {} })],
      pieces: pieces.map((delta) => responseEvent('output_text.delta', { delta })),
      end: [responseDone],
    };
  }
  return {
    open: [messageStart(), blockStart(0, { text: '', type: 'text' })],
    pieces: pieces.map((text) => blockDelta(0, { text, type: 'text_delta' })),
    end: [blockStop(0), ...messageEnd('end_turn')],
  };
}

/** The same of thoughts, and the answer they led to. */
function thinkingOf(
  path: string,
  thoughts: readonly string[],
): { open: StreamStep[]; pieces: StreamStep[]; end: StreamStep[] } {
  if (path === chat.path) {
    return {
      open: [],
      pieces: thoughts.map((thought) => chatChunk({ reasoning_text: thought })),
      end: [chatChunk({ content: 'done' }), chatChunk({}, 'stop'), chatDone],
    };
  }
  if (path === responses.path) {
    return {
      open: [responseEvent('output_item.added', { item: { type: 'reasoning', summary: [] } })],
      pieces: thoughts.map((delta) => responseEvent('reasoning_summary_text.delta', { delta })),
      end: [responseEvent('output_text.delta', { delta: 'done', output_index: 1 }), responseDone],
    };
  }
  return {
    open: [messageStart(), blockStart(0, { signature: '', thinking: '', type: 'thinking' })],
    pieces: thoughts.map((thinking) => blockDelta(0, { thinking, type: 'thinking_delta' })),
    end: [blockStop(0), ...textBlock(1, 'done'), ...messageEnd('end_turn')],
  };
}

function textOf(stream: string): string {
  return eventsOf(stream)
    .map(({ data }) => (data.delta as { text?: string } | undefined)?.text ?? '')
    .join('');
}

const wire = (steps: readonly StreamStep[]): Buffer =>
  Buffer.concat(
    steps.map((step) => {
      if (typeof step === 'string' || Buffer.isBuffer(step)) return Buffer.from(step);
      if (!('data' in step)) return Buffer.alloc(0);
      const name = step.event === undefined ? '' : `event: ${step.event}\n`;
      return Buffer.from(`${name}data: ${JSON.stringify(step.data)}\n\n`);
    }),
  );

describe.each(all)('on $path', ({ model, path }) => {
  it('A9.14 every event reaches the client before the next one is sent: nothing waits for more', async () => {
    const words = Array.from({ length: 100 }, (_, at) => `<${at}>`);
    const gates = words.map(() => Promise.withResolvers<void>());
    const { open, pieces, end } = answerOf(path, words);
    const events = pieces.flatMap((piece, at): StreamStep[] => [
      piece,
      { gate: gates[at]?.promise ?? Promise.reject() },
    ]);
    stack.simulator.script.next({ kind: 'stream', events: [...open, ...events, ...end] });
    const { seen, text } = openRequest(stack, prompt('hi', { model }));
    for (const [at, word] of words.entries()) {
      await seen(word);
      gates[at]?.resolve();
    }
    expect(textOf(await text)).toBe(words.join(''));
  });

  it.each(['\n', '\r\n'])(
    'A9.17 cut between any two bytes, line end %j: the client reads the same',
    async (lineEnd) => {
      const words = ['grüße ', '日本語 ', '👩‍🚀 ', 'event: data: '];
      const { open, pieces, end } = answerOf(path, words);
      const bytes = Buffer.from(
        wire([...open, ...pieces, ...end])
          .toString()
          .replaceAll('\n', lineEnd),
      );
      stack.simulator.script.next({ kind: 'stream', events: Array.from(bytes, (byte) => Buffer.from([byte])) });
      const answer = await stack.messages(prompt('hi', { model }));
      expect(textOf(answer.text.replaceAll('\r\n', '\n'))).toBe(words.join(''));
      expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'end_turn' }]);
    },
  );

  it('A10.4 after the client has left nothing is written', async () => {
    const written: string[] = [];
    const heads: ServerResponse[] = [];
    const remember = (message: unknown): void => {
      const { response, server } = message as { response: ServerResponse; server: Server };
      const address = server.address();
      if (typeof address === 'object' && address?.port === Number(new URL(stack.baseUrl).port)) heads.push(response);
    };
    subscribe('http.server.request.start', remember);
    const { open, pieces } = answerOf(path, ['a', 'b']);
    stack.simulator.script.next({ kind: 'stream', events: [...open, ...pieces], end: 'open' });
    const { seen, leave } = openRequest(stack, prompt('hi', { model }));
    await seen('content_block_delta', 4);
    unsubscribe('http.server.request.start', remember);
    const [response] = heads;
    if (response === undefined) throw new Error('The request was not seen.');
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    for (const name of ['writeHead', 'write', 'end'] as const) {
      const before = response[name].bind(response) as (...args: unknown[]) => never;
      response[name] = (...args: unknown[]) => {
        written.push(name);
        return before(...args);
      };
    }
    const aborted = stack.simulator.script.aborted();
    leave();
    await gone;
    await aborted;
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cancelled' }]);
    expect(heads).toHaveLength(1);
    expect(written).toEqual([]);
  });

  it('C9.1 six minutes of thinking: pings, no time out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const thoughts = Array.from({ length: 4 }, (_, at) => `thought ${at}.`);
    const gates = thoughts.map(() => Promise.withResolvers<void>());
    const { open, pieces, end } = thinkingOf(path, thoughts);
    const thinking = pieces.flatMap((piece, at): StreamStep[] => [
      piece,
      { gate: gates[at]?.promise ?? Promise.reject() },
    ]);
    stack.simulator.script.next({ kind: 'stream', events: [...open, ...thinking, ...end] });
    const { seen, text } = openRequest(stack, prompt('hi', { model }));
    for (const [at, thought] of thoughts.entries()) {
      await seen(thought);
      vi.advanceTimersByTime(90_000);
      gates[at]?.resolve();
    }
    const names = eventsOf(await text).map(({ event }) => event);
    expect(names.filter((name) => name === 'ping').length).toBe(4 * 9);
    expect(names.at(-1)).toBe('message_stop');
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', attempts: [{ status: 200 }] }]);
  });

  const broken: [string, (at: number) => Reply][] = [
    ['a proper end', (cutAfter) => ({ kind: 'usual', cutAfter, cut: 'clean' })],
    ['a connection that closes', (cutAfter) => ({ kind: 'usual', cutAfter, cut: 'destroy' })],
    ['a reset', (cutAfter) => ({ kind: 'usual', cutAfter, cut: 'reset' })],
    [
      'an error event',
      (cutAfter) => ({ kind: 'usual', cutAfter, errorEvent: errorEvent('overloaded_error', 'too much').data }),
    ],
  ];
  it.each(broken)(
    'C9.3 C8.2 cut by %s after any number of events: a terminal event, or an error with its status',
    async (_, reply) => {
      const tools = [{ name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } }];
      const body = prompt('run: echo hi', { model, tools });
      const intact = eventsOf((await stack.messages(body)).text);
      expect(intact.at(-1)?.event).toBe('message_stop');
      for (let at = 0; at <= 8; at += 1) {
        stack.simulator.script.next(reply(at));
        const answer = await stack.messages(body);
        if (answer.status !== 200) {
          expect(answer.json()).toMatchObject({ type: 'error' });
          continue;
        }
        const events = eventsOf(answer.text);
        const terminal = events.filter(({ event }) => event === 'message_stop' || event === 'error');
        expect(terminal).toEqual([events.at(-1)]);
        // What was not ended by Copilot is not ended by us.
        const open = events.filter(({ event }) => event === 'content_block_start').length;
        const stopped = events.filter(({ event }) => event === 'content_block_stop').length;
        if (events.at(-1)?.event === 'message_stop') expect(stopped).toBe(open);
      }
      const rows = await stack.rows(10);
      expect(rows.filter(({ outcome }) => outcome === 'done').length).toBeLessThan(10);
      expect(rows.filter(({ outcome }) => outcome === 'running')).toEqual([]);
    },
  );
});

describe('silence', () => {
  it.each(all)(
    'C9.2 an upstream that is silent for its limit of 300 s: an error event ($path)',
    async ({ model, path }) => {
      const dialed: DialRequest[] = [];
      const real = nodeDialer();
      // The limit is real but short, so that nobody waits.
      const dialer: Dialer = {
        dial: (request) => {
          dialed.push(request);
          return real.dial(request.method === 'POST' ? { ...request, idleTimeoutMs: 50 } : request);
        },
        close: () => real.close(),
      };
      await stack.close();
      stack = await startStack({ ports: { dialer } });
      const { open, pieces } = answerOf(path, ['half']);
      stack.simulator.script.next({ kind: 'stream', events: [...open, ...pieces], end: 'open' });
      const answer = await stack.messages(prompt('hi', { model }));
      expect(dialed.find(({ method }) => method === 'POST')).toMatchObject({ idleTimeoutMs: 300_000 });
      expect(eventsOf(answer.text).at(-1)).toMatchObject({
        event: 'error',
        data: { error: { type: 'api_error', message: 'Jumpseat: Copilot’s answer ended early (TIMEOUT).' } },
      });
      expect(await stack.rows(1)).toMatchObject([{ outcome: 'cut', failure: { source: 'network' } }]);
    },
  );
});

describe('an answer that means nothing', () => {
  const words = 'Jumpseat: Copilot’s answer could not be put together. Try again.';
  const call = { type: 'web_search_call', name: 'look' };
  // Writing it anew takes more stack than there is.
  const deep = `event: response.created\ndata: {"type":"response.created","response":{"id":"r","more":${'['.repeat(30_000)}${']'.repeat(30_000)}}}\n\n`;

  it.each([false, true])('is a failure of Copilot’s where it can’t be written on (streamed: %s)', async (stream) => {
    stack.simulator.script.next({ kind: 'stream', events: [deep, responseDone] });
    const body = JSON.stringify({ model: 'gpt-5.4', input: 'hi', stream });
    const answer = await stack.send({ method: 'POST', path: '/v1/responses', body });
    expect([answer.status, answer.json()]).toMatchObject([502, { error: { message: words } }]);
    expect(await stack.rows(1)).toMatchObject([{ status: 502, outcome: 'failed', failure: { source: 'copilot' } }]);
    // A fault of ours would look the same: its place is in the log.
    expect(stack.log.filter(({ event }) => event === 'exchange.broke')).toMatchObject([
      { facts: { error: 'RangeError' } },
    ]);
  });

  it.each([
    ['arguments of what is no call', { ...call }, 'function_call_arguments.done', { arguments: '{}' }, 200],
    ['arguments of a text', { type: 'message' }, 'function_call_arguments.done', { arguments: '{}' }, 502],
    ['more arguments of a text', { type: 'message' }, 'function_call_arguments.delta', { delta: '{}' }, 502],
    ['a text of a call', { type: 'function_call', name: 'f' }, 'output_text.delta', { delta: 'a' }, 502],
    ['a refusal of a call', { type: 'function_call', name: 'f' }, 'refusal.delta', { delta: 'a' }, 502],
    ['thoughts of a text', { type: 'message' }, 'reasoning_summary_text.delta', { delta: 'a' }, 502],
  ])('events of /responses in another order: %s', async (_name, item, type, more, status) => {
    const events = [
      responseEvent('output_item.added', { output_index: 0, item }),
      responseEvent(type, { output_index: 0, ...more }),
      responseDone,
    ];
    stack.simulator.script.next({ kind: 'stream', events });
    const answer = await stack.messages(prompt('hi', { model: responses.model, stream: false }));
    expect(answer.status).toBe(status);
    if (status === 502) expect(answer.text).toContain('Copilot sent words of a');
    expect(stack.log.filter(({ event }) => event === 'exchange.broke')).toEqual([]);
  });
});

describe('sockets', () => {
  it('A9.14 the server’s sockets send at once (TCP_NODELAY)', async () => {
    const found: unknown[] = [];
    const remember = (message: unknown): void => {
      const { server } = message as { server: Server & { noDelay: boolean } };
      const address = server.address();
      if (typeof address === 'object' && address?.port === Number(new URL(stack.baseUrl).port))
        found.push(server.noDelay);
    };
    subscribe('http.server.request.start', remember);
    await stack.send({ path: '/healthz' });
    unsubscribe('http.server.request.start', remember);
    expect(found).toEqual([true]);
  });

  it.each(all)(
    'B5.10 an answer that was read to its end gives its connection back, a broken one closes it ($path)',
    async ({ model, path }) => {
      const reused: boolean[] = [];
      const real = nodeDialer();
      const dialer: Dialer = {
        dial: async (request) => {
          const dialed = await real.dial(request);
          if (request.method === 'POST') reused.push(dialed.reused);
          return dialed;
        },
        close: () => real.close(),
      };
      await stack.close();
      stack = await startStack({ ports: { dialer } });
      await stack.app.models();
      const ask = () => stack.messages(prompt('hi', { model }));
      await ask();
      await ask();
      expect(reused).toEqual([true, true]);
      const { open, pieces } = answerOf(path, ['half']);
      const broke =
        path === chat.path ? { data: errorEvent('api_error', 'it broke').data } : errorEvent('api_error', 'it broke');
      const aborted = stack.simulator.script.aborted();
      stack.simulator.script.next({ kind: 'stream', events: [...open, ...pieces, broke], end: 'open' });
      await ask();
      // Ended by us: it would have stayed open for ever.
      await aborted;
      expect((await ask()).status).toBe(200);
    },
  );
});
