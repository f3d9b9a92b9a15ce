import diagnostics from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { Routes } from '../../../app/server/express-app.ts';
import { LocalServer } from '../../../app/server/server.ts';
import { RunningCalls } from '../../../app/server/take-call.ts';
import { sendTo } from '../stack.ts';

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

/** A server with these routes alone, and what it has logged. */
async function serve(
  ...routes: Routes[]
): Promise<{ get: (path: string) => ReturnType<typeof sendTo>; log: unknown[][] }> {
  const log: unknown[][] = [];
  const server = new LocalServer({
    key: 'k',
    secret: 's',
    version: '0.0.0-test',
    clock: nodeClock(),
    log: { write: (level, event, facts) => log.push([level, event, facts?.error]) },
    running: new RunningCalls(),
    routes,
  });
  servers.push(server);
  const baseUrl = `http://127.0.0.1:${await server.listen(0)}`;
  server.serve();
  return { get: (path) => sendTo(baseUrl, { path, headers: { authorization: 'Bearer k.test' } }), log };
}

describe('A1.9 a route that throws', () => {
  const broken: Routes = (router) => {
    router.get('/throws', () => {
      throw new RangeError('a secret in a message');
    });
    router.get('/rejects', () => Promise.reject(new TypeError('a secret in a message')));
    router.get('/half', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message_start\n');
      throw new RangeError('a secret in a message');
    });
    router.get('/fine', (_request, response) => response.json({ fine: true }));
  };

  it.each([
    ['/throws', 'RangeError'],
    ['/rejects', 'TypeError'],
  ])('A1.9 before the head: 500 api_error "Internal error", and no word of the fault (%s)', async (path, error) => {
    const { get, log } = await serve(broken);
    const answer = await get(path);
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'api_error', message: expect.stringContaining('Internal error') },
      request_id: answer.headers['request-id'],
    });
    expect(answer.text).not.toContain('secret');
    expect(log).toEqual([['error', 'route.broke', error]]);
  });

  it('A1.9 after the head: the socket ends, so that half an answer is not taken for a whole one', async () => {
    const { get } = await serve(broken);
    await expect(get('/half')).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
  });

  it('A1.9 the server lives on', async () => {
    const { get } = await serve(broken);
    await get('/throws');
    await get('/half').catch(() => undefined);
    expect((await get('/fine')).json()).toEqual({ fine: true });
  });
});

it('what comes in before it serves waits, and is answered then', async () => {
  let served = 0;
  const server = new LocalServer({
    key: 'k',
    secret: 's',
    version: '0.0.0-test',
    clock: nodeClock(),
    log: { write() {} },
    running: new RunningCalls(),
    routes: [
      (router) => {
        router.get('/fine', (_request, response) => response.json({ served: ++served }));
      },
    ],
  });
  servers.push(server);
  const port = await server.listen(0);
  const came = new Promise<void>((resolve) => diagnostics.subscribe('http.server.request.start', () => resolve()));
  const answer = sendTo(`http://127.0.0.1:${port}`, { path: '/fine', headers: { authorization: 'Bearer k.test' } });
  await came;
  expect(served).toBe(0);
  server.serve();
  expect((await answer).json()).toEqual({ served: 1 });
});
