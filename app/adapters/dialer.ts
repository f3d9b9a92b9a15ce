import { lookup } from 'node:dns/promises';
import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { type Dialed, type Dialer, type DialRequest, NetworkError, type ProxyReport } from '../ports.ts';
import { type Answered, awaitResponse, send, wasStale } from './await-response.ts';
import { KeptConnections } from './kept-connections.ts';
import { explainNetworkError, isBadProxy, isDistrust, neverArrived, type ProxyOnTheWay } from './network-reasons.ts';
import { isLoopback, proxyName, type Router, type Routes } from './proxy.ts';
import { environmentProxy, type ProxyEnvironment, readProxyEnvironment } from './proxy-environment.ts';
import { byEnvironment, directly, isDirect, type Way } from './way.ts';

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

class NodeDialer implements Dialer {
  readonly #environment: ProxyEnvironment | null;
  readonly #router: Router | null;
  readonly #connections: KeptConnections;

  constructor({ env = process.env, router = null }: { env?: NodeDialerOptions['env']; router?: Router | null }) {
    // Node would believe every certificate, that of a proxy included, and warn of it.
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    this.#router = router;
    this.#environment = router ? null : readProxyEnvironment(env);
    this.#connections = new KeptConnections(this.#environment);
  }

  async dial(request: DialRequest): Promise<Dialed> {
    this.#connections.letGoAfterSleep();
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
    this.#connections.close();
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
    throw failed ?? new NetworkError(request.url.host, 'UNKNOWN', 'no way leads to it', { nothingSent: true });
  }

  async #dialBy(way: Way, request: DialRequest): Promise<Answered> {
    try {
      return await this.#once(way, request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      if (isDistrust(error.code) && this.#connections.trustTheMachine()) return this.#once(way, request);
      if (wasStale(error)) {
        this.#connections.letGo();
        if (error.nothingSent || request.method !== 'POST') return this.#once(way, request);
      }
      throw error;
    }
  }

  #once(way: Way, request: DialRequest): Promise<Answered> {
    const { url, signal } = request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (request.address === null && isDirect(way, url))
      return Promise.reject(new NetworkError(url.host, 'ENOTFOUND', 'the name leads nowhere', { nothingSent: true }));
    let outgoing: ClientRequest;
    try {
      outgoing = this.#open(way, request);
    } catch (error) {
      return Promise.reject(isBadProxy(error) ? explainNetworkError(url.host, error, this.#nameOf(way), true) : error);
    }
    const answered = awaitResponse(outgoing, request, this.#nameOf(way));
    send(outgoing, request.body);
    return answered;
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
      agent: this.#connections.agentFor(way, secure),
    };
    if (isDirect(way, url) && typeof address === 'string')
      Object.assign(options, this.#connections.only(address, secure));
    return secure ? https.request(options) : http.request(options);
  }
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
