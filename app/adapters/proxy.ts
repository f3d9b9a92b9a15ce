import { isIPv4 } from 'node:net';
import { NetworkError, type ProxyReport } from '../ports.ts';

/** A proxy on the way to a host. */
export interface ProxyServer {
  protocol: 'http' | 'https' | 'socks4' | 'socks5';
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  /** `name:password`, percent-encoded as in an address. It appears in no error and no log. */
  auth: string | null;
}

/** What to try, in this order. Null is the direct way. */
export type Routes = readonly (ProxyServer | null)[];

/** Knows the route to a host. Never asked about loopback. */
export interface Router {
  /** Who says so. */
  readonly from: ProxyReport['from'];
  /** Answers at once if it is known. Rejects with `NetworkError`, and with nothing else. */
  routes(url: URL): Routes | Promise<Routes>;
  /** This proxy could not be reached: for a while others come first. */
  unreachable(proxy: ProxyServer): void;
  /** Called when none of these routes worked, as after a change of network. True if it is worth asking again. */
  outdated(url: URL, routes: Routes): boolean;
}

/** `proxy.example:3128`, as a person knows it. */
export function proxyName({ host, port }: ProxyServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Address with its password: to tell proxies apart, never to be shown or logged. */
export function proxyAddress(proxy: ProxyServer): string {
  return `${proxy.protocol}://${proxy.auth === null ? '' : `${proxy.auth}@`}${proxyName(proxy)}`;
}

/** Hosts on this machine: no proxy reaches them, and none may see what goes to them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** The proxies that the environment's variables name. */
export class EnvironmentProxy implements Router {
  readonly from = 'environment';
  readonly #proxy: ProxyServer | NetworkProblem;
  readonly #exceptions: readonly string[];

  private constructor(proxy: ProxyServer | NetworkProblem, exceptions: readonly string[]) {
    this.#proxy = proxy;
    this.#exceptions = exceptions;
  }

  /** Null if `HTTPS_PROXY` names no proxy. Either case. */
  static read(env: Readonly<Record<string, string | undefined>>): EnvironmentProxy | null {
    const given = (env.https_proxy || env.HTTPS_PROXY)?.trim();
    if (!given) return null;
    const except = (env.no_proxy || env.NO_PROXY) ?? '';
    return new EnvironmentProxy(readProxyAddress(given), except.toLowerCase().split(/[\s,]+/));
  }

  routes(url: URL): Routes | Promise<Routes> {
    if (this.#exceptions.some((entry) => isException(entry, url))) return [null];
    const proxy = this.#proxy;
    if ('protocol' in proxy) return [proxy];
    return Promise.reject(new NetworkError(url.host, proxy.code, proxy.why, { nothingSent: true }));
  }

  /** There is no other. */
  unreachable(): void {}
  outdated(): boolean {
    return false;
  }
}

interface NetworkProblem {
  code: string;
  why: string;
}

const schemes: Readonly<Record<string, { protocol: ProxyServer['protocol']; port: number }>> = {
  'http:': { protocol: 'http', port: 80 },
  'https:': { protocol: 'https', port: 443 },
  'socks:': { protocol: 'socks5', port: 1080 },
  'socks4:': { protocol: 'socks4', port: 1080 },
  'socks4a:': { protocol: 'socks4', port: 1080 },
  'socks5:': { protocol: 'socks5', port: 1080 },
  'socks5h:': { protocol: 'socks5', port: 1080 },
};

/** Without a scheme an address is one of http, as every other program takes it. */
function readProxyAddress(text: string): ProxyServer | NetworkProblem {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  const scheme = schemes[url?.protocol ?? ''];
  if (url === null || url.hostname === '') {
    return { code: 'ERR_PROXY_INVALID_CONFIG', why: 'the address in HTTPS_PROXY cannot be read' };
  }
  if (scheme === undefined) {
    const why =
      'HTTPS_PROXY is set to a proxy of another kind than http, https and SOCKS, and only those are supported';
    return { code: 'ERR_PROXY_NOT_SUPPORTED', why };
  }
  const { hostname, port, username, password } = url;
  return {
    protocol: scheme.protocol,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? scheme.port : Number(port),
    auth: username === '' && password === '' ? null : `${username}:${password}`,
  };
}

/** The rules that Node and curl share: all, a name, a name with its port, what ends like it, a range of addresses. */
function isException(entry: string, { hostname, port }: URL): boolean {
  if (entry === '*') return true;
  const [, name = entry, wanted] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== (port || '443')) return false;
  if (name.startsWith('*.')) return hostname.endsWith(name.slice(1));
  if (name.startsWith('.')) return hostname === name.slice(1) || hostname.endsWith(name);
  const [first = '', last = ''] = name.split('-', 2);
  if (!isIPv4(hostname) || !isIPv4(first) || !isIPv4(last)) return hostname === name;
  return inOrder([first, hostname, last].map(asNumber));
}

function inOrder([first = 0, middle = 0, last = 0]: readonly number[]): boolean {
  return first <= middle && middle <= last;
}

function asNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
