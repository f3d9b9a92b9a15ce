import type { ProxyServer, Routes } from '../app/adapters/proxy.ts';

const kinds: Readonly<Record<string, { protocol: ProxyServer['protocol']; port: number }>> = {
  PROXY: { protocol: 'http', port: 80 },
  HTTP: { protocol: 'http', port: 80 },
  HTTPS: { protocol: 'https', port: 443 },
  SOCKS: { protocol: 'socks4', port: 1080 },
  SOCKS4: { protocol: 'socks4', port: 1080 },
  SOCKS5: { protocol: 'socks5', port: 1080 },
};

/**
 * What Chromium and PAC scripts answer, `PROXY a:1; SOCKS5 b:2; DIRECT`, in its order. Kinds that Jumpseat does not
 * speak (QUIC) are left out.
 */
export function readProxyList(list: string): Routes {
  const routes = list
    .split(';')
    .map(readEntry)
    .filter((route) => route !== undefined);
  return routes.length === 0 ? [null] : routes;
}

function readEntry(entry: string): ProxyServer | null | undefined {
  const [kind = '', place = ''] = entry.trim().split(/\s+/, 2);
  if (kind.toUpperCase() === 'DIRECT') return null;
  const known = kinds[kind.toUpperCase()];
  const [, bracketed, name, digits] = /^(?:\[([\da-f:.]+)\]|([^:/@\s]+))(?::(\d{1,5}))?$/i.exec(place) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? known?.port : Number(digits);
  if (!known || host === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  return { protocol: known.protocol, host, port, auth: null };
}
