import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { ClientCall } from '../../../app/exchange/client-call.ts';
import { BodyBudget, type Room } from '../../../app/server/body.ts';
import { LocalServer } from '../../../app/server/server.ts';
import { RunningCalls, take } from '../../../app/server/take-call.ts';
import { soon } from '../../soon.ts';
import { sendTo } from '../stack.ts';

const mebibyte = 1024 * 1024;
const stays = new AbortController().signal;

describe('BodyBudget', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const budget = new BodyBudget({ large: 100 * mebibyte, small: 4 * mebibyte, waitsMs: 20_000 });
  /** What has been let in by now, in order. */
  const entering = (): {
    enter: (name: string, megabytes: number, left?: AbortSignal) => void;
    log: string[];
    rooms: Map<string, Room>;
  } => {
    const log: string[] = [];
    const rooms = new Map<string, Room>();
    const enter = (name: string, megabytes: number, left = stays): void => {
      void Promise.resolve(budget.take(megabytes * mebibyte, left)).then((room) => {
        log.push(room === null ? `${name} refused` : name);
        if (room !== null) rooms.set(name, room);
      });
    };
    return { enter, log, rooms };
  };
  const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  it('who comes first has its turn first; small ones wait for no other; what is given back is given on', async () => {
    const { enter, log, rooms } = entering();
    enter('a', 60);
    enter('b', 60);
    enter('c', 30);
    enter('small', 1);
    await turn();
    expect(log).toEqual(['a', 'small']);
    rooms.get('a')?.shrink(50 * mebibyte);
    await turn();
    expect(log).toEqual(['a', 'small']);
    rooms.get('a')?.release();
    rooms.get('a')?.release();
    await turn();
    expect(log).toEqual(['a', 'small', 'b', 'c']);
    for (const room of rooms.values()) room.release();
    enter('the largest', 100);
    await turn();
    expect(log.at(-1)).toBe('the largest');
    rooms.get('the largest')?.release();
  });

  it('who has waited too long is refused, and holds no other up', async () => {
    const { enter, log, rooms } = entering();
    enter('a', 60);
    enter('b', 60);
    await vi.advanceTimersByTimeAsync(10_000);
    enter('c', 30);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log).toEqual(['a', 'b refused', 'c']);
    for (const room of rooms.values()) room.release();
  });

  it('who leaves waits no more', async () => {
    const { enter, log, rooms } = entering();
    const leaving = new AbortController();
    enter('a', 100);
    enter('b', 60, leaving.signal);
    enter('c', 30);
    leaving.abort();
    await turn();
    rooms.get('a')?.release();
    await turn();
    expect(log).toEqual(['a', 'b refused', 'c']);
    for (const room of rooms.values()) room.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('bodies over the budget', () => {
  const servers: LocalServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(0);
  });

  /** A server whose calls stay until they are ended from outside. */
  async function serve(
    waitsMs: number,
  ): Promise<{ baseUrl: string; calls: ClientCall[]; asked: Mock; end: () => void }> {
    const running = new RunningCalls(new BodyBudget({ large: 3 * mebibyte, small: mebibyte, waitsMs }));
    const asked = vi.spyOn(running.bodies, 'now');
    const calls: ClientCall[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const server = new LocalServer({
      key: 'k',
      secret: 's',
      version: '0.0.0-test',
      clock: nodeClock(),
      log: { write: () => {} },
      running,
      routes: [],
      calls: ['/v1/messages', '/v1/chat/completions'].map((path) => ({
        method: 'POST',
        path,
        handle: (incoming, response) =>
          take(incoming, response, running, async (call) => {
            calls.push(call);
            await ended;
            call.answer.begin(200, {});
            call.answer.end(String(call.body.length));
          }),
      })),
    });
    servers.push(server);
    const baseUrl = `http://127.0.0.1:${await server.listen(0)}`;
    server.serve();
    return { baseUrl, calls, asked, end };
  }

  const post = (baseUrl: string, path: string, size: number): ReturnType<typeof sendTo> =>
    sendTo(baseUrl, {
      method: 'POST',
      path,
      headers: { authorization: 'Bearer k.test' },
      body: Buffer.alloc(size, ' '),
    });

  it.each([
    [
      '/v1/messages',
      { type: 'error', error: { type: 'overloaded_error', message: expect.stringContaining('256 MiB') } },
    ],
    ['/v1/chat/completions', { error: { message: expect.stringContaining('256 MiB') } }],
  ])('are told to come again, in the words of %s; a small one is served', async (path, said) => {
    const { baseUrl, calls, end } = await serve(20);
    const first = post(baseUrl, path, 2 * mebibyte);
    await soon(() => expect(calls).toHaveLength(1));
    const second = await post(baseUrl, path, 2 * mebibyte);
    expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
    expect(second.json()).toMatchObject(said);
    const small = post(baseUrl, path, 1000);
    await soon(() => expect(calls).toHaveLength(2));
    end();
    expect((await first).text).toBe(String(2 * mebibyte));
    expect((await small).text).toBe('1000');
  });

  it('have their turn once a body before them is let go of, though its call goes on', async () => {
    const { baseUrl, calls, end } = await serve(60_000);
    const first = post(baseUrl, '/v1/messages', 2 * mebibyte);
    await soon(() => expect(calls).toHaveLength(1));
    const second = post(baseUrl, '/v1/messages', 2 * mebibyte);
    calls[0]?.letGo();
    await soon(() => expect(calls).toHaveLength(2));
    end();
    expect([(await first).text, (await second).text]).toEqual(['0', String(2 * mebibyte)]);
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'of clients that left while they waited (%s) hold up nobody behind them',
    async (leave) => {
      const { baseUrl, calls, asked, end } = await serve(600_000);
      const first = post(baseUrl, '/v1/messages', 2 * mebibyte);
      await soon(() => expect(calls).toHaveLength(1));
      // 1 MiB is free: too little for those that leave, one of them with its whole body sent.
      const { host, port } = new URL(baseUrl);
      const head = [
        'POST /v1/messages HTTP/1.1',
        `Host: ${host}`,
        'Authorization: Bearer k.test',
        `Content-Length: ${2 * mebibyte}`,
      ];
      const leaving = [mebibyte, 2 * mebibyte].map((sent) => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(Buffer.alloc(sent, ' '));
        return socket;
      });
      await soon(() => expect(asked).toHaveBeenCalledTimes(3));
      const small = [post(baseUrl, '/v1/messages', mebibyte), post(baseUrl, '/v1/messages', mebibyte)];
      await soon(() => expect(asked).toHaveBeenCalledTimes(5));
      for (const socket of leaving) socket[leave]();
      await soon(() => expect(calls).toHaveLength(3));
      end();
      expect((await first).text).toBe(String(2 * mebibyte));
      for (const each of small) expect((await each).text).toBe(String(mebibyte));
    },
  );

  it('of unknown length are counted as they come', async () => {
    const { baseUrl, calls, end } = await serve(20);
    const chunked = (size: number): Promise<number> =>
      new Promise((resolve, reject) => {
        const { port } = new URL(baseUrl);
        const outgoing = request(
          {
            host: '127.0.0.1',
            port,
            method: 'POST',
            path: '/v1/messages',
            headers: { authorization: 'Bearer k.test' },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        outgoing.on('error', reject);
        for (let sent = 0; sent < size; sent += 100_000) outgoing.write(Buffer.alloc(100_000, ' '));
        outgoing.end();
      });
    // What it may come to has no room here, however little it would be in the end.
    expect(await chunked(2 * mebibyte)).toBe(503);
    const small = chunked(500_000);
    await soon(() => expect(calls).toHaveLength(1));
    end();
    expect(await small).toBe(200);
  });
});
