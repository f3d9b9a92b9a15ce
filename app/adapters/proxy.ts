import { once } from 'node:events';
import https, { type AgentOptions } from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyReport } from '../ports.ts';

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
  /** Answers at once if it is known. Must not reject. */
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

/** Address with its password: for Node's agents alone, never to be shown or logged. */
export function proxyAddress(proxy: ProxyServer): string {
  return `${proxy.protocol}://${proxy.auth === null ? '' : `${proxy.auth}@`}${proxyName(proxy)}`;
}

/** Hosts on this machine: no proxy reaches them, and none may see what goes to them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** `HTTPS_PROXY` and `NO_PROXY` as Node's agents take them. */
export type ProxyEnvironment = { readonly HTTPS_PROXY: string; readonly NO_PROXY: string };

/** Null if no proxy is named. Loopback is never reached through a proxy, whatever the environment leaves out. */
export function readProxyEnvironment(env: Record<string, string | undefined>): ProxyEnvironment | null {
  const given = env.https_proxy || env.HTTPS_PROXY;
  if (!given) return null;
  const except = env.no_proxy || env.NO_PROXY;
  // Without a scheme every other program takes an address for http; Node would leave it out of account, and one in
  // capitals too.
  const proxy = given.includes('://') ? given.replace(/^[^:]+/, (scheme) => scheme.toLowerCase()) : `http://${given}`;
  return { HTTPS_PROXY: proxy, NO_PROXY: [except, 'localhost', '127.0.0.1', '[::1]', '::1'].filter(Boolean).join(',') };
}

/** The proxy that Node's agents take for an address, as a person knows it. */
export function environmentProxy({ HTTPS_PROXY, NO_PROXY }: ProxyEnvironment, url: URL): ProxyReport | null {
  if (isExcepted(url, NO_PROXY)) return null;
  if (!URL.canParse(HTTPS_PROXY)) return { address: 'HTTPS_PROXY', from: 'environment', hasCredentials: false };
  const { host, username } = new URL(HTTPS_PROXY);
  return { address: host, from: 'environment', hasCredentials: username !== '' };
}

/** The rules of Node's agents for names: all, a name, a name with its port, what ends like it. */
function isExcepted({ hostname, port }: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, wanted] = /^(.+):(\d+)$/.exec(entry) ?? [];
      if (wanted !== undefined && wanted !== (port || '443')) return false;
      const suffix = name.startsWith('*.') ? name.slice(1) : name;
      return suffix.startsWith('.') ? hostname.endsWith(suffix) : hostname === suffix;
    });
}

/**
 * How a request leaves: through one proxy, or directly (`proxy: null`); `env` leaves it to Node and the environment.
 */
export type Way = { kind: 'env'; proxy: null } | { kind: 'route'; proxy: ProxyServer | null };
export const byEnvironment: Way = { kind: 'env', proxy: null };
export const directly: Way = { kind: 'route', proxy: null };

const limitMs = 30_000;

type Connected = (error: Error | null, stream: Duplex) => void;

/**
 * TLS through a SOCKS proxy, which also looks the name up. What fails before the proxy answers keeps Node's own error.
 */
export class SocksAgent extends https.Agent {
  readonly #proxy: ProxyServer;

  constructor(proxy: ProxyServer, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: https.RequestOptions, connected?: Connected): undefined {
    const fail = (error: unknown) => Reflect.apply(connected ?? (() => undefined), undefined, [error]);
    tunnel(this.#proxy, options.host ?? '', Number(options.port)).then((socket) => {
      const through = Object.assign({}, options, { socket });
      const secure = super.createConnection(through);
      if (secure) connected?.(null, secure);
    }, fail);
  }
}

/** A way through the proxy failed after the proxy was reached. */
class SocksError extends Error {
  override readonly name = 'SocksError';
  readonly code = 'ERR_SOCKS';
}

async function tunnel(
  { protocol, host, port, auth }: ProxyServer,
  target: string,
  targetPort: number,
): Promise<net.Socket> {
  const { SocksClient } = await import('socks');
  const socket = net.connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const [userId, password] = (auth ?? '').split(':').map(decodeURIComponent);
  try {
    const { socket: through } = await SocksClient.createConnection({
      command: 'connect',
      proxy: {
        host,
        port,
        type: protocol === 'socks4' ? 4 : 5,
        ...(userId ? { userId } : undefined),
        ...(password ? { password } : undefined),
      },
      destination: { host: target, port: targetPort },
      timeout: limitMs,
      existing_socket: socket,
    });
    return through;
  } catch (error) {
    socket.destroy();
    throw new SocksError(error instanceof Error ? error.message : 'unknown', { cause: error });
  }
}
