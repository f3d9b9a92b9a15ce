import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { ProxyScript } from '../../../app/adapters/proxy-script.ts';
import { type Dialer, NetworkError } from '../../../app/ports.ts';
import { createAuthority } from './certificate.ts';
import { connectProxy, socksProxy, type TestProxy } from './proxies.ts';

const authority = createAuthority();
const target = new URL('https://api.copilot.test/models');
const cleanUps: (() => void)[] = [];

beforeAll(() => tls.setDefaultCACertificates([authority.certificate]));
afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

async function listening(server: http.Server | https.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Copilot's host, which only a proxy of the test finds. */
async function upstream(): Promise<Map<string, number>> {
  const server = https.createServer(authority.issue(target.hostname), (_incoming, response) => response.end('ok'));
  return new Map([[`${target.hostname}:443`, await listening(server)]]);
}

/** The company's server of PAC scripts. */
async function scripts(answer: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return `http://127.0.0.1:${await listening(http.createServer(answer))}/proxy.pac?who=me`;
}

const saying = (result: string): string => `function FindProxyForURL(url, host) { return ${result}; }`;

function file(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-pac-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'proxy.pac'), script);
  return join(folder, 'proxy.pac');
}

const kept = (proxy: TestProxy): TestProxy => {
  cleanUps.push(() => proxy.close());
  return proxy;
};

function dialerBy(proxyScript: string, env: Record<string, string> = {}): Dialer {
  const dialer = nodeDialer({ env });
  cleanUps.push(() => dialer.close());
  dialer.configure?.({ proxyScript, caFile: null });
  return dialer;
}

async function get(dialer: Dialer, url = target): Promise<unknown> {
  try {
    const { response } = await dialer.dial({ url, method: 'POST', headers: {}, headTimeoutMs: 10_000 });
    response.resume();
    return response.statusCode;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe('C18.1 a PAC script that the person named', () => {
  it('chooses the proxy, above HTTPS_PROXY, from a server, a file and its address', async () => {
    const ports = await upstream();
    const proxy = kept(await connectProxy({ ports }));
    const script = saying(`host === "${target.hostname}" ? "PROXY 127.0.0.1:${proxy.port}" : "PROXY 127.0.0.1:1"`);
    const path = file(script);
    for (const address of [await scripts((_, to) => to.end(script)), path, pathToFileURL(path).href]) {
      const dialer = dialerBy(address, { HTTPS_PROXY: 'http://127.0.0.1:1' });
      expect(await get(dialer)).toBe(200);
      const report = { address: `127.0.0.1:${proxy.port}`, from: 'script', hasCredentials: false, problem: null };
      expect(await dialer.proxyFor?.(target)).toEqual(report);
    }
    expect(proxy.asked.length).toBe(3);
  });

  it('is told the host alone, never the path or the query of a request', async () => {
    const proxy = kept(await connectProxy({ ports: await upstream() }));
    const path = file(saying(`url === "https://api.copilot.test/" ? "PROXY 127.0.0.1:${proxy.port}" : "nothing"`));
    expect(await get(dialerBy(path), new URL('https://api.copilot.test/secret?key=1'))).toBe(200);
  });

  it('names several, of which the next is used only where no connection was made; SOCKS among them', async () => {
    const ports = await upstream();
    const proxy = kept(await socksProxy({ ports }));
    const refusing = kept(await connectProxy({ refuses: 403 }));
    const list = `PROXY 127.0.0.1:1; SOCKS5 127.0.0.1:${proxy.port}; DIRECT`;
    expect(await get(dialerBy(file(saying(JSON.stringify(list)))))).toBe(200);
    expect(proxy.asked).toHaveLength(1);
    const obeyed = `PROXY 127.0.0.1:${refusing.port}; SOCKS5 127.0.0.1:${proxy.port}`;
    expect(await get(dialerBy(file(saying(JSON.stringify(obeyed)))))).toBe(
      `ERR_PROXY_TUNNEL: the PAC script’s proxy 127.0.0.1:${refusing.port} refused the connection (403)`,
    );
    expect(proxy.asked).toHaveLength(1);
  });

  it('says DIRECT, or nothing, and is followed', async () => {
    for (const result of ['"DIRECT"', 'null', '""', 'undefined'])
      expect(await dialerBy(file(saying(result))).proxyFor?.(target), result).toBeNull();
  });

  it('gives a proxy the password that HTTPS_PROXY has for it', async () => {
    const proxy = kept(await connectProxy({ ports: await upstream(), wants: 'me:secret' }));
    const path = file(saying(`"PROXY 127.0.0.1:${proxy.port}"`));
    expect(await get(dialerBy(path, { HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}` }))).toBe(200);
    expect(await get(dialerBy(path))).toContain('requires a name and a password (407)');
  });

  it('can look names up', async () => {
    const path = file(saying('dnsResolve("localhost") + (isResolvable("no.such.invalid") ? " yes" : " no")'));
    const script = new ProxyScript({ address: path, dial: () => Promise.reject(new Error()) });
    expect(await script.find(target)).toEqual({ answer: '127.0.0.1 no', problem: null });
  });
});

describe('a PAC script that can’t be used never means the direct way', () => {
  it.each([
    ['a syntax error', 'function FindProxyForURL(', /failed \(SyntaxError: /],
    ['no function', 'var a = 1;', /has no function FindProxyForURL/],
    ['an error', saying('nobody.knows'), /failed \(ReferenceError: nobody is not defined\)/],
    ['a number', saying('4'), /answered with something else than text \(number\)/],
    ['a promise', `async ${saying('"DIRECT"')}`, /something else than text \(object\)/],
    ['no kind of proxy that there is', saying('"QUIC a:1; 12"'), /answered “QUIC a:1; 12”, which names no proxy/],
    ['an endless loop', saying('(() => { for (;;) {} })()'), /ran for more than 2 s/],
    ['an endless expression', saying('/^(a+)+$/.test("a".repeat(60) + "b")'), /ran for more than 2 s/],
    ['all memory', saying('(() => { const a = []; for (;;) a.push("x".repeat(1e6)); })()'), /out of memory/],
    ['the reach of Node', saying('require("fs").readFileSync("/etc/passwd")'), /require is not defined/],
    ['the way out of the engine', saying('alert.constructor("return process")().version'), /process is not defined/],
  ])('%s', { timeout: 20_000 }, async (_, script, why) => {
    const dialer = dialerBy(file(script));
    const said = await get(dialer);
    expect(said).toMatch(/^ERR_PAC: the PAC script .*proxy\.pac /);
    expect(said).toMatch(why);
    expect((await dialer.proxyFor?.(target))?.problem).toMatch(why);
  });

  it.each([
    ['is not there', '/nowhere/proxy.pac', /isn’t there/],
    ['has no server', 'http://127.0.0.1:1/proxy.pac', /can’t be read: the connection was refused/],
  ])('%s', async (_, address, why) => {
    expect(await get(dialerBy(address))).toMatch(why);
  });

  it.each([
    [404, {}, '', /can’t be read: the server answered 404/],
    [302, { location: 'http://evil.example/x?k=1' }, '', /redirects \(302\), to http:\/\/evil\.example\/x$/],
    [200, {}, '<html>Sign in</html>', /is a web page instead of a script/],
    [200, {}, 'x'.repeat(2 ** 20 + 1), /is larger than 1 MB/],
  ])('a server that answers %d %j', async (status, headers, body, why) => {
    const address = await scripts((_incoming, to) => to.writeHead(status, headers).end(body));
    const said = await get(dialerBy(address));
    expect(said).toMatch(why);
    expect(said).not.toContain('who=me');
  });
});

describe('a script from a server', () => {
  it('is kept as long as its rules say, asked whether it changed, and kept over a failure', async () => {
    let now = Date.parse('2026-11-25T10:00:00Z');
    const asked: (string | undefined)[] = [];
    let answer: 'script' | 'same' | 'gone' = 'script';
    const address = await scripts((incoming, to) => {
      asked.push(incoming.headers['if-none-match']);
      const status = { script: 200, same: 304, gone: 500 }[answer];
      to.writeHead(status, { etag: '"one"', 'cache-control': 'max-age=600' });
      to.end(answer === 'script' ? saying('"PROXY a:1"') : '');
    });
    const dialer = nodeDialer({ env: {} });
    cleanUps.push(() => dialer.close());
    const script = new ProxyScript({ address, dial: (request) => dialer.dial(request), now: () => now });
    const later = async (seconds: number): Promise<unknown> => {
      now += seconds * 1000;
      return [(await script.find(target)).answer, asked.length, script.staleBecause];
    };
    expect(await later(0)).toEqual(['PROXY a:1', 1, null]);
    expect(await later(599)).toEqual(['PROXY a:1', 1, null]);
    answer = 'same';
    expect(await later(2)).toEqual(['PROXY a:1', 2, null]);
    expect(asked).toEqual([undefined, '"one"']);
    answer = 'gone';
    expect(await later(601)).toEqual(['PROXY a:1', 3, 'can’t be read: the server answered 500']);
    // Not for every request.
    expect(await later(1)).toEqual(['PROXY a:1', 3, 'can’t be read: the server answered 500']);
    answer = 'script';
    expect(await later(6)).toEqual(['PROXY a:1', 4, null]);
    script.reload();
    expect(await later(0)).toEqual(['PROXY a:1', 5, null]);
  });
});
