import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import type { ProxyServer, Router, Routes } from '../../../app/adapters/proxy.ts';
import { type Dialer, NetworkError } from '../../../app/ports.ts';
import { createAuthority } from './certificate.ts';
import { connectProxy, socksProxy, type TestProxy } from './proxies.ts';

const authority = createAuthority();
const target = 'https://api.copilot.test/models';
const cleanUps: (() => void)[] = [];

beforeAll(() => tls.setDefaultCACertificates([authority.certificate]));
afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

/** Copilot's host, which only a proxy of the test finds. */
async function upstream(): Promise<{ ports: Map<string, number>; asked: () => number }> {
  let asked = 0;
  const server = https.createServer(authority.issue('api.copilot.test'), (_incoming, response) => {
    asked += 1;
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ports: new Map([['api.copilot.test:443', (server.address() as AddressInfo).port]]), asked: () => asked };
}

const kept = (proxy: TestProxy): TestProxy => {
  cleanUps.push(() => proxy.close());
  return proxy;
};

const at = (
  { port }: { port: number },
  protocol: ProxyServer['protocol'] = 'http',
  auth: string | null = null,
): ProxyServer => ({ protocol, host: '127.0.0.1', port, auth });

/** A router that gives these answers one after the other, the last of them for ever. */
function router(...answers: (Routes | Promise<Routes>)[]): Router & { reported: unknown[] } {
  const reported: unknown[] = [];
  return {
    from: 'system',
    reported,
    routes: ({ href }) => {
      reported.push(['routes', href]);
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? [null];
    },
    unreachable: ({ port }) => reported.push(['unreachable', port]),
    outdated: () => true,
  };
}

function dialerBy(router: Router): Dialer {
  const dialer = nodeDialer({ router, env: { HTTPS_PROXY: 'http://127.0.0.1:1' } });
  cleanUps.push(() => dialer.close());
  return dialer;
}

async function get(dialer: Dialer, address = target, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  try {
    const { response, reused } = await dialer.dial({
      url: new URL(address),
      method,
      headers: {},
      headTimeoutMs: 5_000,
    });
    response.resume();
    if (!response.closed) await once(response, 'close');
    await new Promise(setImmediate);
    return { status: response.statusCode, reused };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const nowhere: ProxyServer = { protocol: 'http', host: '127.0.0.1', port: 1, auth: null };

/** What the router says now is not what it said when the addresses of the name were looked at. */
describe('a plain connection to an address that was looked at', () => {
  const dial = (dialer: Dialer, port: number, address: string | null) =>
    dialer.dial({
      ...{ url: new URL(`http://page.test:${port}/`), method: 'GET', headers: {}, headTimeoutMs: 5_000, address },
    });

  it('goes there and nowhere else, though a router names a proxy by now', async () => {
    const server = http.createServer((incoming, response) => response.end(incoming.headers.host));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { response } = await dial(dialerBy(router([nowhere])), port, '127.0.0.1');
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it('is not made where the name led nowhere', async () => {
    await expect(dial(dialerBy(router([nowhere])), 1, null)).rejects.toThrow('the name leads nowhere');
  });
});

describe('C18.1 the way to a host, as a router knows it', () => {
  it('leads through its proxy; HTTPS_PROXY is not looked at', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    const dialer = dialerBy(router([at(proxy)]));
    expect(await get(dialer)).toEqual({ status: 200, reused: false });
    expect(await get(dialer, target, 'POST')).toEqual({ status: 200, reused: true });
    expect(proxy.asked).toEqual([{ target: 'api.copilot.test:443', authorization: undefined }]);
  });

  it('takes its time once: a connection that is kept takes none', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    const dialer = dialerBy(router([at(proxy)]));
    const took: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const request = { url: new URL(target), method: 'GET', headers: {}, headTimeoutMs: 5_000 } as const;
      const { response, connectMs } = await dialer.dial(request);
      took.push(connectMs);
      response.resume();
      if (!response.closed) await once(response, 'close');
      await new Promise(setImmediate);
    }
    expect([took[0] !== undefined && took[0] > 0 && took[0] < 60_000, took[1]]).toEqual([true, 0]);
  });

  it('is waited for where it has to be looked up', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    expect(await get(dialerBy(router(Promise.resolve([at(proxy)]))))).toEqual({ status: 200, reused: false });
  });

  it('a proxy gets the name and password that belong to it', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports, wants: 'me:p@ss' }));
    const dialer = dialerBy(router([at(proxy, 'http', 'me:p%40ss')]));
    expect(await get(dialer)).toEqual({ status: 200, reused: false });
  });

  it('without them it says where to put them, and nothing else of its address', async () => {
    const proxy = kept(await connectProxy({ wants: 'me:secret' }));
    expect(await get(dialerBy(router([at(proxy, 'http', 'me:wrong-one')])))).toEqual({
      code: 'ERR_PROXY_TUNNEL',
      message:
        `the system’s proxy 127.0.0.1:${proxy.port} requires a name and a password (407): set HTTPS_PROXY to ` +
        `http://NAME:PASSWORD@127.0.0.1:${proxy.port} and start Jumpseat again`,
    });
  });

  it('a proxy that cannot be reached is passed over, and the router is told', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    const ways = router([nowhere, at(proxy)]);
    expect(await get(dialerBy(ways), target, 'POST')).toEqual({ status: 200, reused: false });
    expect(ways.reported).toEqual([
      ['routes', target],
      ['unreachable', 1],
    ]);
  });

  it('a proxy that hangs up before the tunnel stands is passed over', async () => {
    const { ports, asked } = await upstream();
    const rude = http.createServer().on('connect', (_incoming, socket) => socket.end());
    rude.listen(0, '127.0.0.1');
    await once(rude, 'listening');
    cleanUps.push(() => rude.close());
    const proxy = kept(await connectProxy({ ports }));
    const dialer = dialerBy(router([at(rude.address() as AddressInfo), at(proxy)]));
    expect(await get(dialer, target, 'POST')).toEqual({ status: 200, reused: false });
    expect(asked()).toBe(1);
  });

  it('a proxy that refuses is obeyed: the next one is not asked', async () => {
    const first = kept(await connectProxy({ refuses: 403 }));
    const second = kept(await connectProxy());
    expect(await get(dialerBy(router([at(first), at(second)])))).toEqual({
      code: 'ERR_PROXY_TUNNEL',
      message: `the system’s proxy 127.0.0.1:${first.port} refused the connection (403)`,
    });
    expect(second.asked).toEqual([]);
  });

  it('when every way is gone the router is asked once more: the network may be another', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    expect(await get(dialerBy(router([nowhere], [at(proxy)])), target, 'POST')).toEqual({ status: 200, reused: false });
    const ways = router([nowhere], [nowhere]);
    expect(await get(dialerBy(ways))).toEqual({
      code: 'ECONNREFUSED',
      message: 'the connection was refused; the system’s settings put the proxy 127.0.0.1:1 in between',
    });
    expect(ways.reported.filter((call) => Array.isArray(call) && call[0] === 'unreachable')).toHaveLength(1);
  });

  it('loopback never asks it', async () => {
    const server = http.createServer((_incoming, response) => response.end('direct'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    const ways = router([nowhere]);
    const dialer = dialerBy(ways);
    const { port } = server.address() as AddressInfo;
    expect(await get(dialer, `http://127.0.0.1:${port}/`)).toEqual({ status: 200, reused: false });
    for (const host of ['localhost', 'service.localhost', '127.8.9.10', '[::1]'])
      await get(dialer, `https://${host}:2/`);
    expect(ways.reported).toEqual([]);
  });

  it('ways to many proxies do not pile up, and one that was let go comes back', async () => {
    const { ports } = await upstream();
    const proxies = await Promise.all(Array.from({ length: 10 }, () => connectProxy({ ports }).then(kept)));
    const dialer = dialerBy(router(...proxies.map((proxy): Routes => [at(proxy)]), [at(proxies[0] ?? { port: 1 })]));
    for (const _ of proxies) expect(await get(dialer)).toEqual({ status: 200, reused: false });
    expect(await get(dialer)).toEqual({ status: 200, reused: false });
    expect(proxies[0]?.asked).toHaveLength(2);
  });
});

describe('C18.1 a SOCKS5 proxy', () => {
  it('is told the name of the host, and looks it up itself', async () => {
    const { ports } = await upstream();
    const proxy = kept(await socksProxy({ ports }));
    const dialer = dialerBy(router([at(proxy, 'socks5')]));
    expect(await get(dialer)).toEqual({ status: 200, reused: false });
    expect(await get(dialer)).toEqual({ status: 200, reused: true });
    expect(proxy.asked).toEqual([{ target: 'api.copilot.test:443', authorization: undefined }]);
  });

  it('gets its password', async () => {
    const { ports } = await upstream();
    const proxy = kept(await socksProxy({ ports, wants: 'me:p@ss' }));
    expect(await get(dialerBy(router([at(proxy, 'socks5', 'me:p%40ss')])))).toEqual({ status: 200, reused: false });
  });

  it('that is not there is passed over; one that refuses is not', async () => {
    const { ports } = await upstream();
    const proxy = kept(await socksProxy({ ports }));
    const ways = router([{ ...nowhere, protocol: 'socks5' }, at(proxy, 'socks5')]);
    expect(await get(dialerBy(ways), target, 'POST')).toEqual({ status: 200, reused: false });
    const refusing = kept(await socksProxy({ refuses: 2 }));
    expect(await get(dialerBy(router([at(refusing, 'socks5'), at(proxy, 'socks5')])))).toEqual({
      code: 'ERR_SOCKS',
      message: `the system’s proxy 127.0.0.1:${refusing.port} refused the connection`,
    });
  });
});

describe('B4.8 C18.2 certificates behind a proxy', () => {
  it('a proxy that speaks TLS itself', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports, certificate: authority.issue('localhost') }));
    expect(await get(dialerBy(router([{ ...at(proxy, 'https'), host: 'localhost' }])))).toEqual({
      status: 200,
      reused: false,
    });
  });

  it.runIf(process.platform === 'linux').each(['http', 'https', 'socks5'] as const)(
    'the system’s certificates count for the host and for the proxy: %s',
    { timeout: 30_000 },
    async (protocol) => {
      const { ports } = await upstream();
      const certificate = authority.issue('localhost');
      const proxy = kept(
        protocol === 'socks5'
          ? await socksProxy({ ports })
          : await connectProxy(protocol === 'https' ? { ports, certificate } : { ports }),
      );
      const folder = mkdtempSync(join(tmpdir(), 'jumpseat-dialer-'));
      cleanUps.push(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'company.pem'), authority.certificate);
      const through = JSON.stringify({ ...at(proxy, protocol), host: 'localhost' });
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [fileURLToPath(new URL('./dial-from-outside.ts', import.meta.url)), target, through],
        { env: { PATH: process.env.PATH, SSL_CERT_FILE: join(folder, 'company.pem') } },
      );
      expect(JSON.parse(stdout)).toEqual({ status: 200 });
    },
  );
});

describe('HTTPS_PROXY that names something unusual', () => {
  const message = async (value: string) => {
    const dialer = nodeDialer({ env: { HTTPS_PROXY: value } });
    cleanUps.push(() => dialer.close());
    return await get(dialer);
  };

  it('without a scheme it is http, and capitals make no difference', async () => {
    const { ports } = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    expect(await message(`127.0.0.1:${proxy.port}`)).toEqual({ status: 200, reused: false });
    expect(await message(`HTTP://127.0.0.1:${proxy.port}`)).toEqual({ status: 200, reused: false });
  });

  it('another kind of proxy is refused instead of passed by', async () => {
    expect(await message('ftp://127.0.0.1:1')).toEqual({
      code: 'ERR_PROXY_NOT_SUPPORTED',
      message: 'HTTPS_PROXY is set to a proxy of another kind than http, https and SOCKS, and only those are supported',
    });
    expect(await message('http://')).toEqual({
      code: 'ERR_PROXY_INVALID_CONFIG',
      message: 'the address in HTTPS_PROXY cannot be read',
    });
  });

  it.each(['socks5', 'socks5h', 'socks'])('%s is SOCKS 5, with its password', async (scheme) => {
    const { ports } = await upstream();
    const proxy = kept(await socksProxy({ ports, wants: 'me:p@ss' }));
    expect(await message(`${scheme}://me:p%40ss@127.0.0.1:${proxy.port}`)).toEqual({ status: 200, reused: false });
    expect(proxy.asked).toEqual([{ target: 'api.copilot.test:443', authorization: 'me:p@ss' }]);
  });
});

describe('a proxy that lets nobody sign in with a name and a password', () => {
  const refused = async (offers: readonly string[]) => {
    const proxy = kept(await connectProxy({ wants: 'me:secret', offers }));
    const dialer = nodeDialer({ env: { HTTPS_PROXY: `http://me:other@127.0.0.1:${proxy.port}` } });
    cleanUps.push(() => dialer.close());
    const answered = [await get(dialer), await get(dialerBy(router([at(proxy)])))];
    return answered.map((answer) => (answer as { message: string }).message);
  };

  it.each([
    { offers: ['NTLM'], named: 'NTLM' },
    { offers: ['Negotiate', 'NTLM'], named: 'Negotiate (Kerberos) and NTLM' },
    { offers: ['Negotiate, NTLM, Digest realm="a, b", nonce="x=="'], named: 'Negotiate (Kerberos), NTLM and Digest' },
  ])('is told apart, with what helps: $named', async ({ offers, named }) => {
    const [byVariable, bySystem] = await refused(offers);
    expect(byVariable).toBe(
      `the proxy in HTTPS_PROXY accepts only ${named} (407), which Jumpseat can’t do. Run a helper that can, such ` +
        'as Px or Cntlm, and set HTTPS_PROXY to its address',
    );
    expect(bySystem).toMatch(/such as Px or Cntlm, and set it as the system’s proxy$/);
  });

  it.each([[], ['NTLM', 'Basic realm="proxy"'], ['Negotiate, Basic realm="proxy"']])(
    'is another one than one that takes both, or names none: %s',
    async (...offers) => {
      const [byVariable] = await refused(offers);
      expect(byVariable).toBe('the proxy in HTTPS_PROXY requires a name and a password (407)');
    },
  );
});

describe('NO_PROXY', () => {
  it.each([
    { exceptions: 'copilot.test', direct: ['https://copilot.test'] },
    { exceptions: '.copilot.test', direct: ['https://copilot.test', 'https://api.copilot.test'] },
    { exceptions: '*.copilot.test', direct: ['https://api.copilot.test'] },
    { exceptions: 'API.copilot.test:443 other', direct: ['https://api.copilot.test'] },
    { exceptions: 'api.copilot.test:8443', direct: [] },
    { exceptions: '10.0.0.1-10.0.0.9', direct: ['https://10.0.0.5'] },
    { exceptions: '*', direct: ['https://copilot.test', 'https://api.copilot.test', 'https://10.0.0.5'] },
  ])('$exceptions', async ({ exceptions, direct }) => {
    const dialer = nodeDialer({ env: { HTTPS_PROXY: 'http://proxy.test:3128', NO_PROXY: exceptions } });
    const asked = ['https://copilot.test', 'https://api.copilot.test', 'https://10.0.0.5'];
    const reports = await Promise.all(asked.map((address) => dialer.proxyFor?.(new URL(address))));
    expect(asked.filter((_, index) => reports[index] === null)).toEqual(direct);
  });
});
