import { lookup } from 'node:dns/promises';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6 } from 'node:net';
import tls, { type SecureContext } from 'node:tls';
import { type Dialed, type Dialer, type DialRequest, NetworkError, type ProxyReport } from '../ports.ts';
import { explainNetworkError, isBadProxy, isDistrust, neverArrived, type ProxyOnTheWay } from './network-reasons.ts';
import { isLoopback, type ProxyServer, proxyAddress, proxyName, type Router, type Routes } from './proxy.ts';
import { environmentProxy, type ProxyEnvironment, readProxyEnvironment } from './proxy-environment.ts';
import { SocksAgent } from './socks-agent.ts';

export interface NodeDialerOptions {
  /** Where `HTTPS_PROXY` and `NO_PROXY` are read (either case); `process.env` unless told. */
  env?: Record<string, string | undefined>;
  /** Says which proxies lead to a host, in place of the environment. */
  router?: Router;
}

/**
 * The way to the network with Node's own clients: kept connections, one proxy or router for all, the certificates of
 * the machine.
 */
export function nodeDialer(options: NodeDialerOptions = {}): Dialer {
  return new NodeDialer(options);
}

const keptConnections = 32;
const keptForMs = 60_000;
/** Ways that keep connections at the same time; the one that was used longest ago goes first. */
const mostWays = 8;

/** `connectedAt`: by `performance.now()`. */
type Answered = Omit<Dialed, 'connectMs'> & { connectedAt: number };

/**
 * How a request leaves: through one proxy, or directly (`proxy: null`); `env` leaves it to Node and the environment.
 */
type Way = { kind: 'env'; proxy: null } | { kind: 'route'; proxy: ProxyServer | null };
const byEnvironment: Way = { kind: 'env', proxy: null };
const directly: Way = { kind: 'route', proxy: null };

class NodeDialer implements Dialer {
  readonly #environment: ProxyEnvironment | null;
  readonly #router: Router | null;
  /** Plain connections go to loopback only and need no proxy. */
  readonly #plain = new http.Agent(agentOptions);
  readonly #secure = new Map<string, https.Agent>();
  /** With the machine's own certificates besides Node's; see `#trustTheMachine`. */
  #machineIsTrusted = false;
  #usedAt = 0;

  constructor({ env = process.env, router = null }: { env?: NodeDialerOptions['env']; router?: Router | null }) {
    // Node would believe every certificate, that of a proxy included, and warn of it.
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    this.#router = router;
    this.#environment = router ? null : readProxyEnvironment(env);
  }

  async dial(request: DialRequest): Promise<Dialed> {
    this.#letGoAfterSleep();
    const began = performance.now();
    const { response, reused, connectedAt } = await this.#dialSomehow(request);
    return { response, reused, connectMs: reused ? 0 : Math.max(0, connectedAt - began) };
  }

  #dialSomehow(request: DialRequest): Promise<Answered> {
    const { url } = request;
    if (!this.#router) return this.#dialBy(this.#isPinned(request) ? directly : byEnvironment, request);
    if (isLoopback(url.hostname)) return this.#dialBy(directly, request);
    return this.#dialByRouter(this.#router, request);
  }

  async proxyFor(url: URL): Promise<ProxyReport | null> {
    if (isLoopback(url.hostname)) return null;
    if (this.#router === null) return this.#environment === null ? null : environmentProxy(this.#environment, url);
    const [proxy = null] = await this.#router.routes(url);
    if (proxy === null) return null;
    return { address: proxyName(proxy), from: 'system', hasCredentials: proxy.auth !== null };
  }

  async addressesOf(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }

  /** By the environment no proxy leads there, and the address is given. */
  #isPinned({ url, address }: DialRequest): boolean {
    return address !== undefined && (this.#environment === null || environmentProxy(this.#environment, url) === null);
  }

  close(): void {
    this.#plain.destroy();
    for (const agent of this.#secure.values()) agent.destroy();
    this.#secure.clear();
  }

  /** Another route is tried only while nothing has been sent to the host. */
  async #dialByRouter(router: Router, request: DialRequest): Promise<Answered> {
    const found = router.routes(request.url);
    const routes = found instanceof Promise ? await found : found;
    try {
      return await this.#firstThatWorks(routes, router, request);
    } catch (error) {
      if (!(error instanceof NetworkError && neverArrived(error)) || !router.outdated(request.url, routes)) throw error;
      const again = await router.routes(request.url);
      if (JSON.stringify(again) === JSON.stringify(routes)) throw error;
      return this.#firstThatWorks(again, router, request);
    }
  }

  async #firstThatWorks(routes: Routes, router: Router, request: DialRequest): Promise<Answered> {
    let failed: unknown = null;
    for (const proxy of routes) {
      try {
        return await this.#dialBy(proxy === null ? directly : { kind: 'route', proxy }, request);
      } catch (error) {
        failed = error;
        if (proxy === null || !(error instanceof NetworkError && neverArrived(error))) throw error;
        router.unreachable(proxy);
      }
    }
    throw failed ?? new NetworkError(request.url.host, 'UNKNOWN', 'no way leads to it');
  }

  async #dialBy(way: Way, request: DialRequest): Promise<Answered> {
    try {
      return await this.#once(way, request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      if (isDistrust(error.code) && this.#trustTheMachine()) return this.#once(way, request);
      if (wasStale(error)) {
        this.#letGo();
        if (request.method !== 'POST') return this.#once(way, request);
      }
      throw error;
    }
  }

  #once(way: Way, request: DialRequest): Promise<Answered> {
    // No listener below may hold the request: they live as long as the answer, and the body is large.
    const { url, signal, headTimeoutMs, idleTimeoutMs } = request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (request.address === null && isDirect(way, url))
      return Promise.reject(new NetworkError(url.host, 'ENOTFOUND', 'the name leads nowhere'));
    let outgoing: ClientRequest;
    try {
      outgoing = this.#open(way, request);
    } catch (error) {
      return Promise.reject(isBadProxy(error) ? explainNetworkError(url.host, error, this.#nameOf(way)) : error);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    let response: IncomingMessage | null = null;
    let connectedAt = 0;
    whenConnected(outgoing, () => {
      connectedAt = performance.now();
    });
    const stop = () => {
      if (response) response.destroy(reasonOf(signal));
      else outgoing.destroy();
      settle();
      reject(signal?.reason);
    };
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const timer = setTimeout(() => {
      settle();
      outgoing.destroy();
      const seconds = Math.round(headTimeoutMs / 1000);
      reject(new NetworkError(url.host, 'TIMEOUT', `no answer within ${seconds} s`));
    }, headTimeoutMs);
    signal?.addEventListener('abort', stop);
    outgoing.on('error', (error) => {
      if (response) return;
      settle();
      const explained = explainNetworkError(url.host, error, this.#nameOf(way));
      if (outgoing.reusedSocket && explained.code === 'ECONNRESET') stale.add(explained);
      reject(explained);
    });
    // Without a listener Node would close the connection and say nothing.
    outgoing.on('upgrade', (incoming) => {
      settle();
      outgoing.destroy();
      const status = String(incoming.statusCode);
      reject(new NetworkError(url.host, 'UPGRADE', `it answered ${status}, another protocol than the one asked for`));
    });
    outgoing.on('response', (incoming) => {
      response = incoming;
      clearTimeout(timer);
      incoming.once('close', settle);
      if (idleTimeoutMs !== undefined) watchSilence(incoming, url.host, idleTimeoutMs);
      resolve({ response: incoming, reused: outgoing.reusedSocket, connectedAt });
    });
    outgoing.end(request.body);
    return promise;
  }

  /** What a person calls the proxy of this way. */
  #nameOf(way: Way): ProxyOnTheWay | null {
    if (way.kind === 'env') return this.#environment === null ? null : { from: 'environment' };
    return way.proxy === null ? null : { from: 'system', name: proxyName(way.proxy) };
  }

  #open(way: Way, { url, method, headers, body, address }: DialRequest): ClientRequest {
    const secure = url.protocol === 'https:';
    const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const options = {
      protocol: url.protocol,
      hostname,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      method,
      headers: rawHeaders(url, headers, body),
      agent: secure ? this.#secureAgent(way) : this.#plain,
    };
    if (isDirect(way, url) && typeof address === 'string') Object.assign(options, this.#only(address, secure));
    return secure ? https.request(options) : http.request(options);
  }

  /** A kept connection may have been made to another address of that name. */
  #only(address: string, secure: boolean): Pick<http.RequestOptions, 'agent' | 'lookup'> {
    const family = isIPv6(address) ? 6 : 4;
    const once = { ...agentOptions, keepAlive: false };
    return {
      agent: secure ? this.#makeAgent(directly, once) : new http.Agent(once),
      lookup: (_name, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    };
  }

  #secureAgent(way: Way): https.Agent {
    const key = way.proxy === null ? way.kind : proxyAddress(way.proxy);
    const agent = this.#secure.get(key) ?? this.#makeAgent(way);
    // The last one of the map is the one that was used last.
    if (this.#secure.size > 1) this.#secure.delete(key);
    this.#secure.set(key, agent);
    if (this.#secure.size > mostWays) this.#forgetOldestWay();
    return agent;
  }

  #makeAgent({ kind, proxy }: Way, ofAgent = agentOptions): https.Agent {
    const options = {
      ...ofAgent,
      ...(this.#machineIsTrusted ? { secureContext: machineContext() } : undefined),
    };
    if (proxy?.protocol.startsWith('socks')) return new SocksAgent(proxy, options);
    // The connection to a proxy that itself speaks TLS knows no context of ours.
    if (proxy?.protocol === 'https' && this.#machineIsTrusted) trustEverywhere();
    if (proxy) return new https.Agent({ ...options, proxyEnv: { HTTPS_PROXY: proxyAddress(proxy) } });
    if (kind === 'route' || !this.#environment) return new https.Agent(options);
    if (!/^https?:/.test(this.#environment.HTTPS_PROXY ?? '')) throw new OddProxyError();
    return new https.Agent({ ...options, proxyEnv: this.#environment });
  }

  #forgetOldestWay(): void {
    for (const [key, agent] of this.#secure) {
      this.#secure.delete(key);
      letGoOf(agent);
      return;
    }
  }

  /**
   * Adds the certificates that this machine trusts, a company's among them, to those that Node brings (with
   * `NODE_EXTRA_CA_CERTS`). It takes a twentieth of a second, so it is done when a certificate was not trusted: nothing
   * has been sent then. False when it was done before.
   */
  #trustTheMachine(): boolean {
    if (this.#machineIsTrusted) return false;
    this.#machineIsTrusted = true;
    for (const agent of this.#secure.values()) letGoOf(agent);
    this.#secure.clear();
    return true;
  }

  /**
   * Connections do not outlive the sleep of a machine, of which no event tells: after a long silence they are not used
   * again.
   */
  #letGoAfterSleep(): void {
    const now = Date.now();
    if (now - this.#usedAt > keptForMs || now < this.#usedAt) this.#letGo();
    this.#usedAt = now;
  }

  #letGo(): void {
    letGoOf(this.#plain);
    for (const agent of this.#secure.values()) letGoOf(agent);
  }
}

/** Whether the connection goes to the host itself. Plain ones do, whatever the way. */
function isDirect(way: Way, url: URL): boolean {
  return way === directly || url.protocol === 'http:';
}

/**
 * As a list Node writes them at once, with nothing added; one by one they cost as much as all else of a request that is
 * opened. The same ones, in the same order, as Node adds to an object.
 */
function rawHeaders(url: URL, headers: Readonly<Record<string, string>>, body: Buffer | string | undefined): string[] {
  const raw: string[] = [];
  for (const name in headers) raw.push(name, headers[name] ?? '');
  raw.push('Host', url.host, 'Connection', 'keep-alive');
  if (body !== undefined) raw.push('Content-Length', String(Buffer.byteLength(body)));
  return raw;
}

/** Calls back when the request has a connection that it can be written to: at once where one was kept. */
function whenConnected(outgoing: ClientRequest, then: () => void): void {
  outgoing.once('socket', (socket) => {
    // Of the handshake nothing is known before its end.
    if (socket instanceof tls.TLSSocket && socket.getFinished() === undefined) socket.once('secureConnect', then);
    else if (socket.connecting) socket.once('connect', then);
    else then();
  });
}

/** Closes what is kept; what is in use goes on. */
function letGoOf(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

const agentOptions = {
  /** Whatever the environment says by then. */
  rejectUnauthorized: true,
  keepAlive: true,
  noDelay: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: keptConnections,
  /** Of a free connection; while one is in use, the request's own limits hold. */
  timeout: keptForMs,
};

/**
 * Requests that met a kept connection which the other side had closed already: they were not read, and may be sent
 * again.
 */
const stale = new WeakSet<NetworkError>();

function wasStale(error: NetworkError): boolean {
  return stale.has(error);
}

/**
 * Ends an answer that says nothing for too long. Bytes that wait for a slow reader here are not the other side's
 * silence.
 */
function watchSilence(response: IncomingMessage, host: string, limitMs: number): void {
  const { socket } = response;
  const silent = () => {
    if (response.readableLength > 0) {
      socket.setTimeout(limitMs);
      return;
    }
    const seconds = Math.round(limitMs / 1000);
    response.destroy(new NetworkError(host, 'TIMEOUT', `the answer stopped for ${seconds} s`));
  };
  socket.setTimeout(limitMs);
  socket.on('timeout', silent);
  response.once('close', () => socket.off('timeout', silent));
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason });
}

let context: SecureContext | null = null;
let trustedEverywhere = false;

function machineContext(): SecureContext {
  context ??= tls.createSecureContext({ ca: machineCertificates() });
  return context;
}

/** For every TLS connection of this process. Takes a tenth of a second. */
function trustEverywhere(): void {
  if (trustedEverywhere) return;
  trustedEverywhere = true;
  tls.setDefaultCACertificates(machineCertificates());
}

function machineCertificates(): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
}

/** HTTPS_PROXY names a proxy that Node cannot use, and would pass by without a word. */
class OddProxyError extends Error {
  override readonly name = 'OddProxyError';
  readonly code = 'ERR_PROXY_NOT_HTTP';
}
