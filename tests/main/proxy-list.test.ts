import { expect, it } from 'vitest';
import { readProxyList } from '../../main/proxy-list.ts';

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
