import { type ChildProcess, fork } from 'node:child_process';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { largestAnswer } from '../../app/exchange/client-stream.ts';
import { largestEvent } from '../../app/formats/wire/sse.ts';
import { bodyBudget } from '../../app/server/body.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { isLong } from './rounds.ts';

/** What the process of the proxy takes at most, in bytes, while it is given more than it can hold. */

let simulator: Simulator;
let sink: Server;
let proxy: ChildProcess;
let baseUrl = '';
let key = '';
/** What it takes before it was asked for anything. */
let idle = 0;
/** How the sink answers a request that it has read. */
let answer: (response: ServerResponse) => void = () => {};

beforeEach(async () => {
  simulator = await startSimulator();
  sink = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const { port } = sink.address() as AddressInfo;
  const { webUrl, apiUrl, githubToken } = simulator;
  proxy = fork(join(import.meta.dirname, 'fixtures/proxy-process.ts'), [webUrl, apiUrl, `http://127.0.0.1:${port}/`], {
    env: { ...process.env, TOKEN: githubToken },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const line = await new Promise<string>((resolve) => proxy.stdout?.setEncoding('utf8').once('data', resolve));
  const listening = JSON.parse(line) as { baseUrl: string; key: string };
  baseUrl = listening.baseUrl;
  key = listening.key;
  idle = (await memory()).most;
});

afterEach(async () => {
  const gone = new Promise((resolve) => proxy.once('exit', resolve));
  proxy.disconnect();
  sink.closeAllConnections();
  await gone;
  sink.close();
  await simulator.close();
});

/** The most it has had, and what it holds after what is garbage was collected. */
function memory(): Promise<{ most: number; kept: number }> {
  return new Promise((resolve) => {
    proxy.once('message', (said: { most: number; kept: number }) => resolve(said));
    proxy.send('');
  });
}

function ask(
  body: Buffer,
  begun = (): void => {},
): Promise<{ status: number; text: string; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL('/v1/messages', baseUrl),
      {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${key}.test`,
          'content-length': body.length,
          'anthropic-version': '2023-06-01',
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.once('data', begun);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            retryAfter: response.headers['retry-after'],
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function prompt(size: number, more = ''): Buffer {
  const [before, after] = [
    '{"model":"claude-sonnet-4.6","max_tokens":9,"messages":[{"role":"user","content":"',
    `"}]${more}}`,
  ];
  return Buffer.concat([Buffer.from(before), Buffer.alloc(size, 'a'), Buffer.from(after)]);
}

const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const start = event({ type: 'message_start', ...{ message: { id: 'm', content: [], model: 'x' } } });
const end =
  event({ type: 'message_delta', ...{ delta: { stop_reason: 'end_turn' }, usage: {} } }) +
  event({ type: 'message_stop' });

/** Writes until its reader has gone, no faster than it is read. */
function endlessly(response: ServerResponse, chunk: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

describe('memory', { timeout: 300_000 }, () => {
  it.each(isLong ? [12, 30] : [8])(
    '%i bodies of 60 MB at once are served one after the other, or told to come again',
    async (count) => {
      answer = (response) => response.end(start + end);
      const body = prompt(60_000_000);
      const answers = await Promise.all(Array.from({ length: count }, () => ask(body)));
      const served = answers.filter(({ status }) => status === 200);
      expect(served.length).toBeGreaterThan(0);
      for (const { status, retryAfter } of answers)
        expect(status === 200 || (status === 503 && retryAfter === '5')).toBe(true);
      const { most } = await memory();
      // Parsed and written anew, bodies take four times their size; as much as one budget may wait to be collected.
      expect(most - idle).toBeLessThan(5 * bodyBudget);
      // The last of them are let go of when their answers have ended on both sides.
      await expect.poll(async () => (await memory()).kept).toBeLessThan(bodyBudget / 2);
    },
  );

  it('nothing of what was asked is kept while its answer stands still', async () => {
    const standing: ServerResponse[] = [];
    answer = (response) => {
      response.write(start);
      standing.push(response);
    };
    const { kept: before } = await memory();
    const body = prompt(20_000_000, ',"stream":true');
    const asked = Array.from({ length: 3 }, () => {
      const begun = Promise.withResolvers<void>();
      const answered = ask(body, begun.resolve);
      answered.catch(begun.reject);
      return { begun: begun.promise, answered };
    });
    await Promise.all(asked.map(({ begun }) => begun));
    // Held, each of them would be twice its size at least: as it was read, and as it was sent.
    await expect.poll(async () => (await memory()).kept - before).toBeLessThan(body.length / 4);
    for (const response of standing) response.end(end);
    for (const { answered } of asked) expect(await answered).toMatchObject({ status: 200 });
  });

  it('an upstream line without an end', async () => {
    answer = (response) => {
      response.write(start);
      endlessly(response, Buffer.alloc(64 * 1024, 'x'));
    };
    const { text } = await ask(prompt(1, ',"stream":true'));
    expect(text).toContain('event of more than 16 MiB');
    expect(text).not.toContain('message_stop');
    const { most } = await memory();
    expect(most - idle).toBeLessThan(16 * largestEvent);
  });

  it('a whole answer without an end', async () => {
    answer = (response) => {
      response.write(
        start + event({ type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: '' } } }),
      );
      const delta = event({
        type: 'content_block_delta',
        ...{ index: 0, delta: { type: 'text_delta', text: 'x'.repeat(900) } },
      });
      endlessly(response, Buffer.from(delta.repeat(64)));
    };
    const { status, text } = await ask(prompt(1));
    expect([status, text]).toEqual([expect.any(Number), expect.stringContaining('answer of more than 128 MiB')]);
    expect(status).toBeGreaterThanOrEqual(500);
    const { most } = await memory();
    expect(most - idle).toBeLessThan(4 * largestAnswer);
  });
});
