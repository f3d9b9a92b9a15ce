import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { type Dialer, type DialRequest, NetworkError } from '../../../app/ports.ts';
import { gate } from '../account/fake-server.ts';
import { jsonSample } from '../account/surroundings.ts';
import { createAuthority } from './certificate.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const cleanUps: (() => void)[] = [];
let dialer: Dialer;
beforeEach(() => {
  dialer = nodeDialer({ env: {} });
});
afterEach(() => {
  dialer.close();
  vi.useRealTimers();
  for (const clean of cleanUps.splice(0)) clean();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serve(handler: Handler): Promise<URL> {
  const server = http.createServer(handler);
  server.keepAliveTimeout = 0;
  return new URL(`http://127.0.0.1:${await listen(server)}/path?q=1`);
}

const request = (url: URL, changes: Partial<DialRequest> = {}): DialRequest => ({
  url,
  method: 'GET',
  headers: {},
  headTimeoutMs: 10_000,
  ...changes,
});

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Dials, reads to the end and waits until the connection is free again. */
async function whole(changes: DialRequest): Promise<{ text: string; reused: boolean }> {
  const { response, reused } = await dialer.dial(changes);
  const text = await read(response);
  if (!response.closed) await once(response, 'close');
  await new Promise(setImmediate);
  return { text, reused };
}

async function failure(promise: Promise<unknown>): Promise<NetworkError> {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(NetworkError);
  return error;
}

describe('a request', () => {
  it('goes out as it is: names in their spelling, a body with its length, no encoding asked for', async () => {
    const seen: { raw: string[]; body: string; url: string | undefined; method: string | undefined }[] = [];
    const url = await serve(async (incoming, response) => {
      seen.push({ raw: incoming.rawHeaders, body: await read(incoming), url: incoming.url, method: incoming.method });
      response.end();
    });
    await whole(
      request(url, {
        method: 'POST',
        headers: { 'X-Request-Id': '1', 'anthropic-version': '2' },
        body: Buffer.from('grün'),
      }),
    );
    await whole(request(url, { method: 'POST', body: 'grün' }));
    await whole(request(url));
    const host = url.host;
    expect(seen).toEqual([
      {
        raw: [
          'X-Request-Id',
          '1',
          'anthropic-version',
          '2',
          'Host',
          host,
          'Connection',
          'keep-alive',
          'Content-Length',
          '5',
        ],
        body: 'grün',
        url: '/path?q=1',
        method: 'POST',
      },
      {
        raw: ['Host', host, 'Connection', 'keep-alive', 'Content-Length', '5'],
        body: 'grün',
        url: '/path?q=1',
        method: 'POST',
      },
      { raw: ['Host', host, 'Connection', 'keep-alive'], body: '', url: '/path?q=1', method: 'GET' },
    ]);
  });

  it('uses a kept connection again, and says so', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.end('ok');
    });
    expect(await whole(request(url))).toEqual({ text: 'ok', reused: false });
    expect(await whole(request(url))).toEqual({ text: 'ok', reused: true });
    expect(ports.size).toBe(1);
  });

  it('after a sleep of the machine no kept connection is used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const url = await serve((_incoming, response) => response.end('ok'));
    await whole(request(url));
    vi.setSystemTime(Date.now() + 61_000);
    expect((await whole(request(url))).reused).toBe(false);
    expect((await whole(request(url))).reused).toBe(true);
  });

  it('B3.5 a redirect is an answer like any other', async () => {
    const url = await serve((_incoming, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    );
    const { response } = await dialer.dial(request(url));
    response.resume();
    expect(response.statusCode).toBe(302);
  });

  it('reaches ::1 by its address', async () => {
    const server = http.createServer((_incoming, response) => response.end('six'));
    const listening = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(0, '::1', () => resolve(true));
    });
    if (!listening) return;
    cleanUps.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect((await whole(request(new URL(`http://[::1]:${port}/`)))).text).toBe('six');
  });
});

it('a header that cannot be sent is a mistake of ours and no trouble of the network', async () => {
  const url = await serve((_incoming, response) => response.end('ok'));
  await expect(dialer.dial(request(url, { headers: { 'X-Name': 'a\nb' } }))).rejects.toMatchObject({
    code: 'ERR_INVALID_CHAR',
  });
});

describe('a kept connection that the other side had closed', () => {
  /** Answers the first request of the first connection, and closes it when a second one comes. */
  async function serveOnce(): Promise<{ url: URL; asked: () => number }> {
    let count = 0;
    const first = new WeakSet<Duplex>();
    const url = await serve((incoming, response) => {
      count += 1;
      if (first.has(incoming.socket)) incoming.socket.destroy();
      else {
        if (count <= 2) first.add(incoming.socket);
        response.end('ok');
      }
    });
    return { url, asked: () => count };
  }

  it('while the request was read is ECONNRESET for a POST; the next one goes over a new connection', async () => {
    const { url, asked } = await serveOnce();
    // Two kept connections, both of them dead.
    await Promise.all([whole(request(url)), whole(request(url))]);
    expect(await failure(dialer.dial(request(url, { method: 'POST', body: 'x' })))).toMatchObject({
      code: 'ECONNRESET',
      host: url.host,
      message: 'the connection was closed before an answer came',
      nothingSent: false,
    });
    expect(asked()).toBe(3);
    expect(await whole(request(url, { method: 'POST', body: 'x' }))).toEqual({ text: 'ok', reused: false });
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'before the request was written is not noticed by a POST: %s',
    async (close) => {
      const sockets: net.Socket[] = [];
      const bodies: string[] = [];
      const url = await serve(async (incoming, response) => {
        sockets.push(incoming.socket);
        bodies.push(await read(incoming));
        response.end('ok');
      });
      await Promise.all([whole(request(url)), whole(request(url))]);
      // In one turn of the loop with the request: nobody here has read of it.
      for (const socket of sockets) socket[close]();
      expect(await whole(request(url, { method: 'POST', body: 'x' }))).toEqual({ text: 'ok', reused: false });
      expect(bodies).toEqual(['', '', 'x']);
    },
  );

  it('is not noticed by a GET', async () => {
    const { url } = await serveOnce();
    await whole(request(url));
    expect((await whole(request(url))).text).toBe('ok');
  });
});

describe('time', () => {
  it('no head in time', async () => {
    const closed = gate();
    const url = await serve((incoming) => incoming.socket.on('close', closed.open));
    expect(await failure(dialer.dial(request(url, { headTimeoutMs: 30 })))).toMatchObject({
      code: 'TIMEOUT',
      host: url.host,
    });
    await closed.opened;
  });

  it('C9.2 an answer that falls silent ends with TIMEOUT', async () => {
    const url = await serve((_incoming, response) => response.write('begin'));
    const { response } = await dialer.dial(request(url, { idleTimeoutMs: 30 }));
    expect(await failure(read(response))).toMatchObject({ code: 'TIMEOUT', host: url.host });
  });

  it('a slow reader is not silence', async () => {
    const url = await serve((_incoming, response) => response.end(Buffer.alloc(4 * 1024 * 1024)));
    const { response } = await dialer.dial(request(url, { idleTimeoutMs: 20 }));
    await once(response.socket, 'timeout');
    await once(response.socket, 'timeout');
    expect(await read(response)).toHaveLength(4 * 1024 * 1024);
  });

  it('the limits of one answer do not follow its connection to the next', async () => {
    const url = await serve((_incoming, response) => response.end('ok'));
    await whole(request(url, { idleTimeoutMs: 20 }));
    const { response, reused } = await dialer.dial(request(url));
    expect(reused).toBe(true);
    expect(response.socket.timeout).not.toBe(20);
    await read(response);
  });
});

describe('leaving', () => {
  it('before it began', async () => {
    let asked = 0;
    const url = await serve(() => {
      asked += 1;
    });
    const reason = new Error('left');
    await expect(dialer.dial(request(url, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(asked).toBe(0);
  });

  it('before the head: the other side sees it', async () => {
    const asked = gate();
    const closed = gate();
    const url = await serve((incoming) => {
      incoming.socket.on('close', closed.open);
      asked.open();
    });
    const leaving = new AbortController();
    const reason = new Error('left');
    const dialed = dialer.dial(request(url, { signal: leaving.signal }));
    await asked.opened;
    leaving.abort(reason);
    await expect(dialed).rejects.toBe(reason);
    await closed.opened;
  });

  it('during the answer: the reader gets the reason, the other side sees it', async () => {
    const closed = gate();
    const url = await serve((incoming, response) => {
      incoming.socket.on('close', closed.open);
      response.write('begin');
    });
    const leaving = new AbortController();
    const reason = new Error('left');
    const { response } = await dialer.dial(request(url, { signal: leaving.signal }));
    const reading = read(response);
    leaving.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await closed.opened;
  });

  it('no listener is left behind, on the signal or on the connection', async () => {
    const url = await serve((_incoming, response) => response.end('ok'));
    const { signal } = new AbortController();
    let socket: net.Socket | null = null;
    const counts: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { response } = await dialer.dial(request(url, { signal, idleTimeoutMs: 10_000 }));
      socket = response.socket;
      await read(response);
      if (!response.closed) await once(response, 'close');
      await new Promise(setImmediate);
      counts.push(socket.eventNames().reduce((sum, name) => sum + (socket?.listenerCount(name) ?? 0), 0));
    }
    await failure(dialer.dial(request(new URL('http://127.0.0.1:1/'), { signal })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(new Set(counts).size).toBe(1);
  });
});

describe('trouble, in words', () => {
  it('an answer that goes over to another protocol is told at once', async () => {
    const server = http.createServer();
    server.on('connection', (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    );
    const url = new URL(`http://127.0.0.1:${await listen(server)}/`);
    const { code, message } = await failure(dialer.dial(request(url, { headTimeoutMs: 60_000 })));
    expect([code, message]).toEqual(['UPGRADE', expect.stringContaining('101')]);
  });

  it('refused', async () => {
    expect(await failure(dialer.dial(request(new URL('http://127.0.0.1:1/'))))).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'the connection was refused',
      host: '127.0.0.1:1',
    });
  });

  it('no such name', async () => {
    const error = await failure(dialer.dial(request(new URL('https://jumpseat.invalid/'))));
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(error.code);
    expect(error.message).toMatch(/^its name could not be /);
  });

  it('a proxy whose address makes no sense', async () => {
    const proxied = nodeDialer({ env: { HTTPS_PROXY: 'socks://nowhere' } });
    const error = await failure(proxied.dial(request(new URL('https://jumpseat.invalid/'))));
    proxied.close();
    expect(error.message).toMatch(/HTTPS_PROXY/);
  });

  it('a proxy that wants a password; its own is in no text', async () => {
    const proxy = http.createServer();
    proxy.on('connect', (_incoming, socket: Duplex) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    const port = await listen(proxy);
    const proxied = nodeDialer({ env: { https_proxy: `http://me:hunter2@127.0.0.1:${port}` } });
    const error = await failure(proxied.dial(request(new URL('https://jumpseat.invalid/'))));
    proxied.close();
    expect(error).toMatchObject({
      code: 'ERR_PROXY_TUNNEL',
      message: 'the proxy in HTTPS_PROXY requires a name and a password (407)',
    });
    expect(JSON.stringify([error.message, error.stack])).not.toContain('hunter2');
  });

  it('loopback never goes through a proxy', async () => {
    const url = await serve((_incoming, response) => response.end('direct'));
    const proxied = nodeDialer({ env: { HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' } });
    const { response } = await proxied.dial(request(url));
    expect(await read(response)).toBe('direct');
    const secure = await failure(proxied.dial(request(new URL('https://127.0.0.1:2/'))));
    proxied.close();
    expect(secure.cause).toMatchObject({ port: 2 });
  });
});

describe('B4.8 C18.1 C18.2 the company’s network', { timeout: 30_000 }, () => {
  const authority = createAuthority();

  it.each(['before', 'after'])(
    'NODE_TLS_REJECT_UNAUTHORIZED=0, set %s the dialer was made, lets nobody in between: not the host, not ' +
      'a proxy of TLS',
    async (when) => {
      let asked = 0;
      const stranger = createAuthority('Nobody knows me');
      const server = https.createServer(stranger.issue('localhost'), (_incoming, response) => {
        asked += 1;
        response.end();
      });
      server.on('connect', (_incoming, socket) => {
        asked += 1;
        socket.end();
      });
      const port = await listen(server);
      const off = () => vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      try {
        if (when === 'before') off();
        const through = nodeDialer({ env: { HTTPS_PROXY: `https://localhost:${port}` } });
        const direct = nodeDialer({ env: {} });
        if (when === 'after') off();
        for (const way of [through, direct]) {
          const url = new URL(way === direct ? `https://localhost:${port}/` : 'https://api.octo.ghe.test/');
          await expect(way.dial(request(url))).rejects.toMatchObject({ name: 'NetworkError', isDistrust: true });
        }
        for (const way of [through, direct]) way.close();
      } finally {
        vi.unstubAllEnvs();
      }
      expect(asked).toBe(0);
    },
  );
  const run = promisify(execFile);

  /** What a process with this environment gets. */
  async function outside(argument: string, env: Record<string, string>): Promise<unknown> {
    const { stdout } = await run(
      process.execPath,
      [fileURLToPath(new URL('./dial-from-outside.ts', import.meta.url)), argument],
      {
        env: { PATH: process.env.PATH, ...env },
      },
    );
    return JSON.parse(stdout);
  }

  function authorityFile(text = authority.certificate): string {
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-dialer-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'company.pem');
    writeFileSync(file, text);
    return file;
  }

  async function serveSecurely(handler: Handler, certificate = authority.issue('localhost')): Promise<URL> {
    return new URL(`https://localhost:${await listen(https.createServer(certificate, handler))}/`);
  }

  const fine: Handler = (_incoming, response) => response.end('ok');

  it('a certificate without a trusted authority is not accepted, and the likely cause is named', async () => {
    const error = await failure(dialer.dial(request(await serveSecurely(fine))));
    expect(error.message).toBe(
      'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): its issuer “Company Root” is unknown here. ' +
        'Probably a company proxy decrypts TLS. Add that issuer’s certificate to the system’s, or name its file in ' +
        'Settings → Network or JUMPSEAT_CA_FILE',
    );
  });

  it('nothing is sent over a connection that is not trusted', async () => {
    let asked = 0;
    const url = await serveSecurely((_incoming, response) => {
      asked += 1;
      response.end();
    });
    await failure(
      dialer.dial(request(url, { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: 'x' })),
    );
    expect(asked).toBe(0);
  });

  it('a company’s new certificate in the system’s store counts, beside a file that has expired', async () => {
    const url = await serveSecurely(fine);
    const env = { NODE_EXTRA_CA_CERTS: authorityFile(authority.former), SSL_CERT_FILE: authorityFile() };
    expect(await outside(url.href, env)).toEqual({ status: 200 });
    const { SSL_CERT_FILE: _new, ...alone } = env;
    expect(await outside(url.href, alone)).toMatchObject({
      code: 'CERT_HAS_EXPIRED',
      message: expect.stringContaining('are no longer valid (Company Root). Put new ones into that file'),
    });
  });

  it('NODE_EXTRA_CA_CERTS is honoured', async () => {
    const url = await serveSecurely(fine);
    expect(await outside(url.href, { NODE_EXTRA_CA_CERTS: authorityFile() })).toEqual({ status: 200 });
  });

  it.runIf(process.platform === 'linux')('so are the system’s certificates', async () => {
    const url = await serveSecurely(fine);
    expect(await outside(url.href, { SSL_CERT_FILE: authorityFile() })).toEqual({ status: 200 });
  });

  it('another name and an old date are refused, with their own reason', async () => {
    const env = { NODE_EXTRA_CA_CERTS: authorityFile() };
    const other = await serveSecurely(fine, authority.issue('elsewhere.example'));
    const old = await serveSecurely(fine, authority.issue('localhost', { expired: true }));
    expect(await outside(other.href, env)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(await outside(old.href, env)).toEqual({
      code: 'CERT_HAS_EXPIRED',
      message: 'its certificate has expired; check the clock of this machine',
    });
  });

  it.runIf(process.platform === 'linux')(
    'sign-in, token, models and messages all go through the proxy and trust the company',
    async () => {
      const asked: string[] = [];
      const answers: Record<string, unknown> = {
        '/login/device/code': { ...jsonSample('device-code.response.json'), interval: 0.001 },
        '/login/oauth/access_token': jsonSample('device-token.success.response.json'),
        '/copilot_internal/v2/token': { token: 't', refresh_in: 1500, endpoints: { api: 'https://api.copilot.test' } },
        '/copilot_internal/user': { login: 'me' },
        '/models': { data: [] },
        '/v1/messages': {},
      };
      const ports = new Map<string, number>();
      for (const hostname of ['github.test', 'api.github.test', 'api.copilot.test']) {
        const url = await serveSecurely((incoming, response) => {
          asked.push(`${hostname}${incoming.url}`);
          response.end(JSON.stringify(answers[incoming.url ?? '']));
        }, authority.issue(hostname));
        ports.set(`${hostname}:443`, Number(url.port));
      }
      const proxy = http.createServer();
      const tunnels: string[] = [];
      proxy.on('connect', (incoming, client: Duplex, head: Buffer) => {
        tunnels.push(`${incoming.url} ${incoming.headers['proxy-authorization']}`);
        const target = net.connect(ports.get(incoming.url ?? '') ?? 1, '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
          target.write(head);
          target.pipe(client).pipe(target);
        });
        target.on('error', () => client.destroy());
        client.on('error', () => target.destroy());
      });
      const env = { HTTPS_PROXY: `http://me:pw@127.0.0.1:${await listen(proxy)}`, SSL_CERT_FILE: authorityFile() };
      expect(await outside('whole-way', env)).toEqual({ signedIn: 'signed-in', models: true, sent: true });
      expect(asked.toSorted()).toEqual([
        'api.copilot.test/models',
        'api.copilot.test/v1/messages',
        'api.github.test/copilot_internal/user',
        'api.github.test/copilot_internal/v2/token',
        'github.test/login/device/code',
        'github.test/login/oauth/access_token',
      ]);
      expect(new Set(tunnels.map((tunnel) => tunnel.split(' ')[2]))).toEqual(
        new Set([Buffer.from('me:pw').toString('base64')]),
      );
    },
  );
});
