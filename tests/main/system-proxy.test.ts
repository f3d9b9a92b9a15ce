import { afterEach, describe, expect, it, vi } from 'vitest';
import { readProxyList } from '../../app/adapters/asked-proxies.ts';
import { SystemProxy } from '../../main/system-proxy.ts';
import { gate } from '../app/account/fake-server.ts';

const github = new URL('https://api.github.com/copilot_internal/v2/token?secret=1');
const copilot = new URL('https://api.githubcopilot.com/models');
const proxy = (host: string, auth: string | null = null) => ({ protocol: 'http', host, port: 1, auth });

afterEach(() => {
  vi.useRealTimers();
});

function system(resolve: (address: string) => Promise<string>, env: Record<string, string> = {}) {
  const asked: string[] = [];
  let now = 0;
  const proxies = new SystemProxy({
    resolve: (address) => {
      asked.push(address);
      return resolve(address);
    },
    reload: async () => {
      asked.push('reload');
    },
    env,
    ticks: () => now,
  });
  return {
    proxies,
    asked,
    later: (ms: number) => {
      now += ms;
    },
  };
}

describe('C18.1 the proxies of the system', () => {
  it('asks once per host, and tells Chromium nothing but the host', async () => {
    const { proxies, asked } = system(async () => 'PROXY a:1; DIRECT');
    expect(await proxies.routes(github)).toEqual([proxy('a'), null]);
    expect(await proxies.routes(copilot)).toEqual([proxy('a'), null]);
    expect(await proxies.routes(github)).toEqual([proxy('a'), null]);
    expect(asked).toEqual(['https://api.github.com/', 'https://api.githubcopilot.com/']);
  });

  it('answers at once what it knows, and asks again after a minute', async () => {
    const { proxies, asked, later } = system(async () => `PROXY ${asked.length}:1`);
    await proxies.routes(github);
    later(59_999);
    expect(proxies.routes(github)).toEqual([proxy('1')]);
    later(1);
    expect(proxies.routes(github)).toBeInstanceOf(Promise);
    expect(await proxies.routes(github)).toEqual([proxy('2')]);
    expect(asked).toHaveLength(2);
  });

  it('two who ask at the same time are one question', async () => {
    const { proxies, asked } = system(async () => 'DIRECT');
    expect(await Promise.all([proxies.routes(github), proxies.routes(github)])).toEqual([[null], [null]]);
    expect(asked).toHaveLength(1);
  });

  it('after a sleep or on another network everything is asked anew', async () => {
    const answers = [gate(), gate()];
    let count = 0;
    const { proxies, asked } = system(async () => {
      const mine = ++count;
      await answers[mine - 1]?.opened;
      return `PROXY ${mine}:1`;
    });
    const before = proxies.routes(github);
    proxies.networkChanged();
    const after = proxies.routes(github);
    answers[1]?.open();
    expect(await after).toEqual([proxy('2')]);
    // An answer from the old network comes late: it is not saved.
    answers[0]?.open();
    expect(await before).toEqual([proxy('1')]);
    expect(proxies.routes(github)).toEqual([proxy('2')]);
    expect(asked).toEqual(['https://api.github.com/', 'reload', 'https://api.github.com/']);
  });

  it('a proxy that could not be reached comes last for five minutes', async () => {
    const { proxies, later } = system(async () => 'PROXY a:1; PROXY b:1; DIRECT');
    await proxies.routes(github);
    proxies.unreachable({ protocol: 'http', host: 'a', port: 1, auth: null });
    expect(await proxies.routes(github)).toEqual([proxy('b'), null, proxy('a')]);
    expect(await proxies.routes(copilot)).toEqual([proxy('b'), null, proxy('a')]);
    later(5 * 60_000);
    expect(await proxies.routes(github)).toEqual([proxy('a'), proxy('b'), null]);
  });

  it('ways that led nowhere are asked for again, once', async () => {
    const { proxies, asked } = system(async () => 'DIRECT');
    await proxies.routes(github);
    expect(proxies.outdated(github)).toBe(true);
    expect(proxies.outdated(github)).toBe(false);
    await proxies.routes(github);
    expect(asked).toHaveLength(2);
  });

  it('a script that never answers is waited for within a limit', async () => {
    vi.useFakeTimers();
    const { proxies } = system(() => new Promise(() => {}));
    const routes = proxies.routes(github);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await routes).toEqual([null]);
    expect(proxies.routes(github)).toEqual([null]);
  });

  it('where Chromium fails the direct way is tried', async () => {
    const { proxies } = system(() => Promise.reject(new Error('gone')));
    expect(await proxies.routes(github)).toEqual([null]);
  });
});

describe('the password of a proxy', () => {
  it.each([
    ['http://me:p%40ss@a:1', 'me:p%40ss'],
    ['me:pw@a:1', 'me:pw'],
    ['http://me:pw@b:1', null],
    ['http://me:pw@a:2', null],
    ['http://a:1', null],
    ['nonsense://', null],
  ])('%s in HTTPS_PROXY', async (value, auth) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      const { proxies } = system(async () => 'PROXY a:1', { [name]: value });
      expect(await proxies.routes(github)).toEqual([proxy('a', auth)]);
    }
  });
});

const http = (host: string, port: number) => ({ protocol: 'http', host, port, auth: null });

it.each([
  ['DIRECT', [null]],
  ['PROXY a:1; DIRECT', [http('a', 1), null]],
  ['PROXY a.example:3128;PROXY b.example:3129', [http('a.example', 3128), http('b.example', 3129)]],
  ['proxy a:1 ;direct', [http('a', 1), null]],
  ['PROXY a', [http('a', 80)]],
  ['HTTPS a:1', [{ protocol: 'https', host: 'a', port: 1, auth: null }]],
  ['HTTPS a', [{ protocol: 'https', host: 'a', port: 443, auth: null }]],
  ['SOCKS5 s:1080', [{ protocol: 'socks5', host: 's', port: 1080, auth: null }]],
  ['SOCKS s', [{ protocol: 'socks4', host: 's', port: 1080, auth: null }]],
  ['SOCKS4 s:9', [{ protocol: 'socks4', host: 's', port: 9, auth: null }]],
  ['PROXY [::1]:8080', [http('::1', 8080)]],
  ['QUIC q:443; PROXY a:1', [http('a', 1)]],
])('C18.1 %s', (list, routes) => {
  expect(readProxyList(list)).toEqual(routes);
});

it.each([
  '',
  ';',
  'QUIC q:443',
  'PROXY',
  'PROXY a:0',
  'PROXY a:70000',
  'PROXY http://a:1',
  'PROXY me:pw@a:1',
  'constructor a:1',
])('what cannot be read is no proxy: %j', (list) => {
  expect(readProxyList(list)).toEqual([null]);
});
