import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forwarder, placeOf, readForward, unreachable } from '../../../app/cli/commands/forward.ts';
import { freePort } from '../../free-port.ts';
import { temporaryFolder } from '../adapters/folder.ts';
import { Spawned } from './spawn-jumpseat.ts';

const unix = it.skipIf(process.platform === 'win32');

/** A server on a socket, and a forward that leads to it. */
async function joined(serve: (socket: Socket) => void): Promise<{ client: Socket; target: string }> {
  const target = join(temporaryFolder(), 'a.sock');
  const there = createServer({ allowHalfOpen: true }, serve).listen(target);
  return { client: await through(target, there), target };
}

async function through(target: string, ...others: Server[]): Promise<Socket> {
  const server = forwarder(target, () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, allowHalfOpen: true });
  onTestFinished(() => {
    client.destroy();
    for (const one of [server, ...others]) one.close();
  });
  return client;
}

async function all(socket: Socket): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) text += part;
  return text;
}

describe('forward', () => {
  it('takes a path or an address, JUMPSEAT_SOCKET unless one is given, and no other arguments', () => {
    expect(readForward([], {})).toEqual({ target: '/run/jumpseat/jumpseat.sock', port: 4180 });
    expect(readForward(['--port', '5000'], { JUMPSEAT_SOCKET: '/a.sock' })).toEqual({ target: '/a.sock', port: 5000 });
    expect(readForward(['/b.sock', '--port=80'], { JUMPSEAT_SOCKET: '/a.sock' })).toEqual({
      target: '/b.sock',
      port: 80,
    });
    for (const args of [['--help'], ['a', 'b'], ['--port'], ['--port', 'x'], ['--port', '70000'], ['']])
      expect([args, readForward(args, {})]).toEqual([args, null]);
    expect(placeOf('host.docker.internal:4180')).toMatchObject({ host: 'host.docker.internal', port: 4180 });
    expect(placeOf('[fd00::1]:4180')).toMatchObject({ host: 'fd00::1', port: 4180 });
    for (const path of ['/run/a.sock', './a:1/b', '~/a.sock', 'a.sock']) expect(placeOf(path)).toMatchObject({ path });
  });

  unix('passes bytes as they are in both directions, also after one side has said all', async () => {
    const { client } = await joined(async (socket) => socket.end(`got ${await all(socket)}`));
    client.end('half\0\r\n\r\n');
    expect(await all(client)).toBe('got half\0\r\n\r\n');
  });

  unix('reads no faster than it is read', async () => {
    const size = 64 * 1024 * 1024;
    const part = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const { client } = await joined((socket) => {
      const write = (): void => {
        while (sent < size) {
          sent += part.length;
          if (!socket.write(part)) {
            socket.once('drain', write);
            return;
          }
        }
        socket.end();
      };
      write();
    });
    await once(client, 'connect');
    client.pause();
    // Nobody reads: what is on its way fills the buffers of the system and stands still.
    let before = -1;
    const standsStill = (): boolean => {
      const isSame = before === sent;
      before = sent;
      return isSame && sent > 0;
    };
    await expect.poll(standsStill, { interval: 300 }).toBe(true);
    expect(sent).toBeLessThan(size / 2);
    let read = 0;
    client.on('data', (bytes) => {
      read += bytes.length;
    });
    client.resume();
    await once(client, 'end');
    expect(read).toBe(size);
  });

  unix('ends the connection there when the client breaks off, and breaks off itself when Jumpseat does', async () => {
    const gone = Promise.withResolvers<void>();
    const first = await joined((socket) => {
      for (const ended of ['error', 'end']) socket.on(ended, () => gone.resolve());
      socket.resume().write('begun');
    });
    await once(first.client, 'data');
    first.client.resetAndDestroy();
    await gone.promise;

    const second = await joined((socket) => socket.on('error', () => undefined).write('begun', () => socket.destroy()));
    second.client.on('error', () => undefined);
    second.client.resume();
    await once(second.client, 'end');
    second.client.end();
  });

  unix('answers 503 in words while the socket isn’t there, and works once it is', async () => {
    const target = join(temporaryFolder(), 'a.sock');
    const client = await through(target);
    client.write('GET / HTTP/1.1\r\n\r\n');
    const [head, body = ''] = (await all(client)).split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 503');
    expect(JSON.parse(body).error.message).toBe(
      `jumpseat forward: The socket ${target} isn’t there. Start Jumpseat on its machine with the socket turned on, and mount the socket’s folder here.`,
    );

    const there = createServer((socket) => socket.end('there'));
    await new Promise<void>((resolve) => there.listen(target, resolve));
    expect(await all((await through(target, there)).end())).toBe('there');
  });

  it('names what keeps it from a socket', () => {
    const words = (code: string): string => unreachable('/nowhere/a.sock', Object.assign(new Error('x'), { code }));
    expect(words('ECONNREFUSED')).toBe('Nothing listens at /nowhere/a.sock. Start Jumpseat on its machine.');
    expect(words('EACCES')).toMatch(/^Your user here(?: \(uid \d+\))? may not open \/nowhere\/a\.sock\./);
    expect(unreachable('nowhere.example:1', Object.assign(new Error('x'), { code: 'ENOTFOUND' }))).toBe(
      'nowhere.example:1 isn’t known here. Check its name.',
    );
  });

  it('starts without a folder or a sign-in, makes no file, and ends in order', async () => {
    const home = temporaryFolder();
    const env = { HOME: home, JUMPSEAT_HOME: join(home, 'jumpseat'), NODE_DISABLE_COMPILE_CACHE: '1' };
    const port = await freePort();
    const running = new Spawned(['forward', '/nowhere/a.sock', '--port', String(port)], env);
    expect(await running.line()).toBe(`http://127.0.0.1:${port} leads to /nowhere/a.sock. Ctrl-C ends it.`);
    await running.untilError((err) => err.includes('The socket /nowhere/a.sock isn’t there.'));
    expect(readdirSync(home)).toEqual([]);

    const second = await new Spawned(['forward', '/nowhere/a.sock', '--port', String(port)], env).ended();
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} is in use here.`) });
    running.child.kill('SIGTERM');
    expect(await running.ended()).toMatchObject({ code: 0 });
    expect(await new Spawned(['forward', '--port', 'x'], env).ended()).toMatchObject({ code: 2 });
  });
});
