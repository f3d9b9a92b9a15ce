import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../app/api/app.ts';
import { placesOf } from '../../../app/words/reach.ts';
import { Started } from '../../started.ts';
import { temporaryFolder } from '../adapters/folder.ts';
import { type Stack, type StackOptions, sendTo, startStack } from '../stack.ts';

const unix = it.skipIf(process.platform === 'win32');

async function stackWith(settings: object, options: StackOptions = {}): Promise<Stack> {
  const home = temporaryFolder();
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  const stack = await startStack({ home, ...options });
  onTestFinished(() => stack.close());
  return stack;
}

const socketOf = ({ home }: Stack): string => join(home, 'socket', 'jumpseat.sock');

interface Said {
  status: number;
  text: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** One request over a socket; the error's code where there is no answer. */
function over(
  socketPath: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Said | string> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    asked.end();
  });
}

const statusOf = (said: Said | string): number | string => (typeof said === 'string' ? said : said.status);
const problems = (app: App): string[] =>
  app.warnings().flatMap(({ code, text }) => (code.startsWith('place-') ? [text] : []));

describe('the socket', () => {
  unix('is off unless it is set, and then opens and closes while requests go on', async () => {
    const { app, home, key, send } = await stackWith({});
    const socket = join(home, 'socket', 'jumpseat.sock');
    expect(placesOf(app.state())).toEqual([]);
    expect(statSync(join(home, 'socket'), { throwIfNoEntry: false })).toBe(undefined);

    await app.changePreferences({ proxy: { socket: true } });
    await expect
      .poll(() => placesOf(app.state()))
      .toEqual([{ kind: 'socket', at: socket, who: 'your user only', problem: null }]);
    expect(
      statusOf(await over(socket, '/v1/models', { host: '127.0.0.1:1', authorization: `Bearer ${key}.test` })),
    ).toBe(200);

    await app.changePreferences({ proxy: { socket: false } });
    await expect.poll(() => placesOf(app.state())).toEqual([]);
    expect(await over(socket, '/healthz')).toBe('ENOENT');
    expect((await send({ path: '/v1/models' })).status).toBe(200);
  });

  unix('is for its user alone: mode 0600 in a folder of mode 0700 that holds nothing else', async () => {
    const stack = await stackWith({ proxy: { socket: true } });
    expect(statSync(socketOf(stack)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socketOf(stack))).mode & 0o777).toBe(0o700);
  });

  unix('has the checks of every place: key, Host and Origin, and no dashboard', async () => {
    const stack = await stackWith({ proxy: { socket: true } });
    const [socket, authorization] = [socketOf(stack), `Bearer ${stack.key}.test`];
    const status = async (path: string, headers: Record<string, string>) => statusOf(await over(socket, path, headers));
    const host = '127.0.0.1:4180';
    expect(await status('/v1/models', { host })).toBe(401);
    expect(await status('/v1/models', { host, authorization: 'Bearer wrong.test' })).toBe(401);
    for (const own of ['localhost', '127.0.0.1:9', '[::1]:4180'])
      expect([own, await status('/v1/models', { host: own, authorization })]).toEqual([own, 200]);
    for (const other of ['example.com', '127.0.0.1.nip.io:4180', '172.17.0.1:4180', 'host.docker.internal:4180'])
      expect([other, await status('/healthz', { host: other, authorization })]).toEqual([other, 421]);
    const port = new URL(stack.baseUrl).port;
    for (const origin of ['https://evil.example', `http://127.0.0.1:${port}`])
      expect(await status('/v1/models', { host, authorization, origin })).toBe(403);
    expect(await status('/v1/models', { host, authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
    for (const path of ['/ui/', '/ui/api/events', '/ui/link'])
      expect([path, await status(path, { host, authorization })]).toEqual([path, 403]);
  });

  unix('proves to nobody there that it is the owner of the folder', async () => {
    const stack = await stackWith({ proxy: { socket: true } });
    const headers = { host: '127.0.0.1:4180', 'x-jumpseat-challenge': 'a'.repeat(64) };
    const said = await over(socketOf(stack), '/healthz', headers);
    expect(typeof said === 'string' ? said : Object.keys(said.headers)).not.toContain('x-jumpseat-proof');
    const direct = await sendTo(stack.baseUrl, {
      path: '/healthz',
      headers: { 'x-jumpseat-challenge': 'a'.repeat(64) },
    });
    expect(Object.keys(direct.headers)).toContain('x-jumpseat-proof');
  });

  unix('takes the place of one whose process was killed, and never of one that is listened on', async () => {
    const home = temporaryFolder();
    const socket = join(home, 'socket', 'jumpseat.sock');
    mkdirSync(dirname(socket), { mode: 0o700 });
    const listen = `require('net').createServer().listen(process.argv[1], () => console.log('on'))`;
    const other = new Started(process.execPath, ['-e', listen, socket]);
    await other.line();
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ proxy: { socket: true } }));
    const first = await startStack({ home });
    expect(problems(first.app)).toEqual([`Another program listens on the socket ${socket}.`]);
    expect((await first.send({ path: '/v1/models' })).status).toBe(200);
    await first.close();

    other.child.kill('SIGKILL');
    await other.ended();
    expect(statSync(socket).isSocket()).toBe(true);
    const second = await startStack({ home });
    onTestFinished(() => second.close());
    expect(problems(second.app)).toEqual([]);
    expect(statusOf(await over(socket, '/healthz', { host: 'localhost' }))).toBe(200);
  });

  unix('is not made where others could reach it, over a file, or at a path that is too long', async () => {
    const folder = temporaryFolder();
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    const file = join(folder, 'file.sock');
    writeFileSync(file, 'mine');
    const long = join(folder, 'x'.repeat(108));
    const cases = [
      [join(open, 'a.sock'), `Other users can enter the folder ${open} of the socket.`],
      [file, `${file} is there, and is no socket.`],
      [long, `The path of the socket has ${Buffer.byteLength(long)} bytes, and the system allows 107: ${long}.`],
      ['a.sock', 'The path of the socket has to be absolute, and “a.sock” isn’t.'],
    ];
    const stack = await stackWith({ proxy: { socket: true, socketPath: cases[0]?.[0] } });
    for (const [path, words] of cases) {
      await stack.app.changePreferences({ proxy: { socketPath: String(path) } });
      await expect.poll(() => problems(stack.app)).toEqual([words]);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await stack.send({ path: '/healthz' })).status).toBe(200);
    const check = await stack.app.check('server.places');
    expect(check).toMatchObject({ verdict: 'warning', finding: cases[3]?.[1] });
  });
});

/** An address that this machine has in a network, if it has one. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('another address', () => {
  it.each([
    ['0.0.0.0', 'every network'],
    ['::', 'every network'],
    ['::ffff:0.0.0.0', 'every network'],
    ['127.0.0.1', 'this machine only'],
    ['::1', 'this machine only'],
    ['224.0.0.1', 'isn’t the address of one machine'],
    ['255.255.255.255', 'isn’t the address of one machine'],
    ['fe80::1', 'isn’t the address of one machine'],
    ['example.com', 'is no IP address'],
    ['172.17.0.1/16', 'is no IP address'],
  ])('is never %s, whoever agreed', async (address, why) => {
    const { app } = await stackWith({});
    await expect(app.whoReaches(address)).rejects.toThrow(why);
    await expect(app.changePreferences({ proxy: { address }, agreedAddress: address })).rejects.toThrow(why);
    expect(app.preferences().proxy.address).toBe(null);
  });

  it('is not opened by a line in settings.json, nor without the person’s yes to that very address', async () => {
    const { app } = await stackWith({ proxy: { address: '192.0.2.7' }, addressAgreed: '192.0.2.8' });
    expect(problems(app)).toEqual([
      'Jumpseat doesn’t listen on 192.0.2.7: you haven’t agreed that others can reach it.',
    ]);
    for (const agreedAddress of ['192.0.2.8', ''])
      await expect(app.changePreferences({ proxy: { address: '192.0.2.9' }, agreedAddress })).rejects.toThrow(
        'only if you agree',
      );
    await expect(app.changePreferences({ proxy: { address: '192.0.2.9' } })).rejects.toThrow('only if you agree');
    expect(app.preferences().proxy.address).toBe('192.0.2.7');
  });

  it('is said to be missing where this machine doesn’t have it, and 127.0.0.1 works on', async () => {
    const { app, send } = await stackWith({ proxy: { address: '192.0.2.7' }, addressAgreed: '192.0.2.7' });
    expect(problems(app)).toEqual(['This machine doesn’t have the address 192.0.2.7 now.']);
    expect((await send({ path: '/v1/models' })).status).toBe(200);
  });

  it.skipIf(ownAddress === undefined)(
    'is open under its own name alone, with a key, and closed when it is taken back',
    async () => {
      const address = String(ownAddress);
      const { app, baseUrl, key } = await stackWith({});
      const { port } = new URL(baseUrl);
      const url = `http://${address}:${port}`;
      const authorization = `Bearer ${key}.test`;
      expect(await app.whoReaches(address)).toContain('every user of this machine');
      await app.changePreferences({ proxy: { address }, agreedAddress: address });
      await expect.poll(() => placesOf(app.state())).toMatchObject([{ kind: 'address', at: url, problem: null }]);

      const status = async (path: string, host: string, headers: Record<string, string> = {}) =>
        (await sendTo(url, { path, headers: { host, ...headers } })).status;
      expect(await status('/v1/models', `${address}:${port}`, { authorization })).toBe(200);
      expect(await status('/v1/models', `host.docker.internal:${port}`, { authorization })).toBe(200);
      expect(await status('/v1/models', `${address}:${port}`)).toBe(401);
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `evil.example:${port}`, address])
        expect([host, await status('/v1/models', host, { authorization })]).toEqual([host, 421]);
      expect(await status('/v1/models', `${address}:${port}`, { authorization, origin: url })).toBe(403);
      expect(await status('/ui/', `${address}:${port}`)).toBe(403);
      // Here it is still another name.
      for (const host of [`${address}:${port}`, `host.docker.internal:${port}`])
        expect((await sendTo(baseUrl, { path: '/healthz', headers: { host } })).status).toBe(421);
      expect(await app.check('server.address')).toMatchObject({ finding: `127.0.0.1:${port}` });
      expect(await app.check('server.places')).toMatchObject({
        verdict: 'passed',
        finding: expect.stringContaining(url),
      });

      await app.changePreferences({ proxy: { address: null } });
      await expect.poll(() => placesOf(app.state())).toEqual([]);
      await expect(sendTo(url, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
    },
  );

  it.skipIf(ownAddress === undefined)('says who has its port there', async () => {
    const address = String(ownAddress);
    const { app, baseUrl } = await stackWith({});
    const port = Number(new URL(baseUrl).port);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen({ host: address, port }, resolve));
    onTestFinished(() => void other.close());
    await app.changePreferences({ proxy: { address }, agreedAddress: address });
    await expect.poll(() => problems(app)).toEqual([`Another program listens on ${address} with port ${port}.`]);
  });
});
