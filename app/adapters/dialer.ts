import { lookup } from 'node:dns/promises';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6 } from 'node:net';
import tls from 'node:tls';
import {
  type CertificateSource,
  type Dialed,
  type Dialer,
  type DialRequest,
  NetworkError,
  type NetworkSettings,
  type ProxyReport,
  type ScriptReport,
} from '../ports.ts';
import { TrustedCertificates } from './certificates.ts';
import { explainNetworkError, isDistrust, neverArrived, ofExpiredFile, type ProxyOnTheWay } from './network-reasons.ts';
import {
  EnvironmentProxy,
  isLoopback,
  type ProxyServer,
  proxyAddress,
  proxyName,
  type Router,
  type Routes,
} from './proxy.ts';
import { ScriptedProxies } from './scripted-proxies.ts';
import { DirectAgent, TunnelAgent } from './tunnels.ts';

interface NodeDialerOptions {
  /** Environment with `HTTPS_PROXY` and `NO_PROXY` (either case). Default `process.env`. */
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
  readonly #router: Router | null;
  readonly #connections = new KeptConnections();
  readonly #env: Readonly<Record<string, string | undefined>>;
  #network: NetworkSettings = { proxyScript: null, caFile: null };
  /** Above the router: the person named it. */
  #script: ScriptedProxies | null = null;

  constructor({ env = process.env, router = null }: { env?: NodeDialerOptions['env']; router?: Router | null }) {
    // Node would believe every certificate, that of a proxy included, and warn of it.
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    this.#env = env;
    this.#router = router ?? EnvironmentProxy.read(env);
  }

  /** @param router null: directly */
  async dial(request: DialRequest, router: Router | null = this.#script ?? this.#router): Promise<Dialed> {
    this.#connections.letGoAfterSleep();
    const { protocol, hostname } = request.url;
    const began = performance.now();
    // Plain connections go to the host itself, whatever the way.
    const isDirect = router === null || protocol === 'http:' || isLoopback(hostname);
    const answered = isDirect ? this.#dialBy(null, request) : this.#dialByRouter(router, request);
    const { response, reused, connectedAt } = await answered;
    return { response, reused, connectMs: reused ? 0 : Math.max(0, connectedAt - began) };
  }

  async proxyFor(url: URL): Promise<ProxyReport | null> {
    const router = this.#script ?? this.#router;
    if (router === null || isLoopback(url.hostname)) return null;
    try {
      const [proxy = null] = await router.routes(url);
      if (proxy === null) return null;
      return { address: proxyName(proxy), from: router.from, hasCredentials: proxy.auth !== null, problem: null };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const address = router.from === 'environment' ? 'HTTPS_PROXY' : '';
      return { address, from: router.from, hasCredentials: false, problem: error.message };
    }
  }

  async proxyScript(url: URL): Promise<ScriptReport | null> {
    return this.#script === null ? null : this.#script.report(url);
  }

  async addressesOf(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }

  certificates(): CertificateSource[] {
    return this.#connections.certificates.sources();
  }

  configure(network: NetworkSettings): void {
    const before = this.#network;
    this.#network = network;
    if (network.caFile !== before.caFile) this.#connections.trustFile(network.caFile);
    if (network.proxyScript === before.proxyScript) return;
    const dial = (request: DialRequest) => this.dial(request, null);
    this.#script =
      network.proxyScript === null ? null : new ScriptedProxies({ address: network.proxyScript, dial, env: this.#env });
  }

  close(): void {
    this.#connections.close();
  }

  /** Tries another route only if nothing has been sent to the host. */
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
      const by = proxy === null ? null : { proxy, from: router.from };
      try {
        return await this.#dialBy(by, request);
      } catch (error) {
        failed = error;
        if (proxy === null || !(error instanceof NetworkError && neverArrived(error))) throw error;
        router.unreachable(proxy);
      }
    }
    throw failed ?? new NetworkError(request.url.host, 'UNKNOWN', 'no way leads to it', { nothingSent: true });
  }

  /** @param by null: directly */
  async #dialBy(by: ProxyOnTheWay | null, request: DialRequest): Promise<Answered> {
    try {
      return await this.#once(by, request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const isUnchecked = isDistrust(error.code);
      const expired =
        isUnchecked || error.code === 'CERT_HAS_EXPIRED' ? this.#connections.certificates.expiredFile() : null;
      // A company's new certificate may be in the system's store alone.
      if ((isUnchecked || expired !== null) && this.#connections.trustTheMachine()) return this.#dialBy(by, request);
      if (expired !== null) throw ofExpiredFile(error, expired);
      if (wasStale(error)) {
        this.#connections.letGo();
        if (error.nothingSent || request.method !== 'POST') return this.#once(by, request);
      }
      throw error;
    }
  }

  #once(by: ProxyOnTheWay | null, request: DialRequest): Promise<Answered> {
    const { url, signal } = request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (request.address === null && by === null)
      return Promise.reject(new NetworkError(url.host, 'ENOTFOUND', 'the name leads nowhere', { nothingSent: true }));
    const { method, headers, body, address } = request;
    const proxy = by?.proxy ?? null;
    const secure = url.protocol !== 'http:';
    const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const options = {
      protocol: url.protocol,
      hostname,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      method,
      headers: rawHeaders(url, headers, body),
      agent: this.#connections.agentFor(proxy, secure),
    };
    if (proxy === null && typeof address === 'string') Object.assign(options, this.#connections.only(address, secure));
    const outgoing = secure ? https.request(options) : http.request(options);
    const answered = awaitResponse(outgoing, request, by);
    send(outgoing, body);
    return answered;
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

/** `connectedAt`: by `performance.now()`. */
type Answered = Omit<Dialed, 'connectMs'> & { connectedAt: number };

/** Requests whose kept connection broke before an answer came. */
const stale = new WeakSet<NetworkError>();

function wasStale(error: NetworkError): boolean {
  return stale.has(error);
}

/**
 * Writes the request. A kept connection may have been closed by the other side, and the news of it lie unread: before
 * it is written to, the event loop looks at it once more, so that what it then breaks with was met by no byte.
 */
export function send(outgoing: ClientRequest, body: DialRequest['body']): void {
  if (!outgoing.reusedSocket) {
    write(outgoing, body);
    return;
  }
  // The first one may run within the turn that has read its events already.
  setImmediate(() =>
    setImmediate(() => {
      if (!outgoing.destroyed) write(outgoing, body);
    }),
  );
}

/** Requests that may have been sent in part. */
const begun = new WeakSet<ClientRequest>();

/**
 * A large body is written piece by piece, each once the one before it is on its way: Node encrypts what it is given at
 * once, and the 16 KB blocks that it does that in are never given back to the system.
 */
const pieceBytes = 512 * 1024;

function write(outgoing: ClientRequest, body: DialRequest['body']): void {
  begun.add(outgoing);
  if (!Buffer.isBuffer(body) || body.length <= pieceBytes) {
    outgoing.end(body);
    return;
  }
  let at = 0;
  const next = (): void => {
    let takesMore = true;
    while (takesMore && at + pieceBytes < body.length) {
      takesMore = outgoing.write(body.subarray(at, at + pieceBytes));
      at += pieceBytes;
    }
    if (!takesMore) return;
    outgoing.off('drain', next);
    outgoing.end(body.subarray(at));
  };
  outgoing.on('drain', next);
  next();
}

/**
 * The beginning of the answer to a request that its caller then sends, within the request's limits. The listeners live
 * as long as the answer, so none may hold the request itself: its body is large.
 */
function awaitResponse(
  outgoing: ClientRequest,
  { url, signal, headTimeoutMs, idleTimeoutMs }: Omit<DialRequest, 'body'>,
  proxy: ProxyOnTheWay | null,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  let response: IncomingMessage | null = null;
  let connectedAt = 0;
  outgoing.once('socket', (socket) => {
    const connected = (): void => {
      connectedAt = performance.now();
    };
    // Of the handshake nothing is known before its end; a kept connection can be written to at once.
    if (socket instanceof tls.TLSSocket && socket.getFinished() === undefined) socket.once('secureConnect', connected);
    else if (socket.connecting) socket.once('connect', connected);
    else connected();
  });
  /** True without a connection, or on an idle one that was not written to yet. */
  const nothingSent = (): boolean => connectedAt === 0 || !begun.has(outgoing);
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
    reject(new NetworkError(url.host, 'TIMEOUT', `no answer within ${seconds} s`, { nothingSent: nothingSent() }));
  }, headTimeoutMs);
  signal?.addEventListener('abort', stop);
  outgoing.on('error', (error) => {
    if (response) return;
    settle();
    const explained = explainNetworkError(url.host, error, proxy, nothingSent());
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
  return promise;
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

const keptConnections = 32;
const keptForMs = 60_000;
/** Ways that keep connections at the same time; the one that was used longest ago goes first. */
const mostWays = 8;

const agentOptions = {
  /** Whatever the environment says by then. */
  rejectUnauthorized: true,
  keepAlive: true,
  noDelay: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: keptConnections,
  /** Timeout of an idle connection; in use, the request's own limits hold. */
  timeout: keptForMs,
};

/** Connections that are kept for the next request: a set of them for each way that requests leave by. */
class KeptConnections {
  /** Plain connections go to loopback only and need no proxy. */
  readonly #plain = new http.Agent(agentOptions);
  readonly #secure = new Map<string, https.Agent>();
  readonly certificates = new TrustedCertificates();
  #usedAt = 0;

  /** @param proxy null: directly */
  agentFor(proxy: ProxyServer | null, secure: boolean): http.Agent {
    if (!secure) return this.#plain;
    const key = proxy === null ? '' : proxyAddress(proxy);
    const agent = this.#secure.get(key) ?? this.#makeAgent(proxy);
    // The last one of the map is the one that was used last.
    if (this.#secure.size > 1) this.#secure.delete(key);
    this.#secure.set(key, agent);
    if (this.#secure.size > mostWays) this.#forgetOldestWay();
    return agent;
  }

  /** For one request to this address: a kept connection may have been made to another address of that name. */
  only(address: string, secure: boolean): Pick<http.RequestOptions, 'agent' | 'lookup'> {
    const family = isIPv6(address) ? 6 : 4;
    const once = { ...agentOptions, keepAlive: false };
    return {
      agent: secure ? this.#makeAgent(null, once) : new http.Agent(once),
      lookup: (_name, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    };
  }

  #makeAgent(proxy: ProxyServer | null, ofAgent = agentOptions): https.Agent {
    const secureContext = this.certificates.context();
    const options = { ...ofAgent, ...(secureContext && { secureContext }) };
    return proxy === null ? new DirectAgent(options) : new TunnelAgent(proxy, options);
  }

  #forgetOldestWay(): void {
    for (const [key, agent] of this.#secure) {
      this.#secure.delete(key);
      letGoOf(agent);
      return;
    }
  }

  /**
   * Adds the certificates that this machine trusts, a company's among them, when a certificate was not trusted: nothing
   * has been sent then. False when it was done before.
   */
  trustTheMachine(): boolean {
    const isNew = this.certificates.trustSystem();
    if (isNew) this.#letGoOfSecure();
    return isNew;
  }

  /** Connections that were checked with other certificates are not used again. */
  trustFile(path: string | null): void {
    this.certificates.trustFile(path);
    this.#letGoOfSecure();
  }

  #letGoOfSecure(): void {
    for (const agent of this.#secure.values()) letGoOf(agent);
    this.#secure.clear();
  }

  /**
   * A machine that sleeps loses its connections, and no event tells of it: after a long silence they are not used
   * again.
   */
  letGoAfterSleep(): void {
    const now = Date.now();
    if (now - this.#usedAt > keptForMs || now < this.#usedAt) this.letGo();
    this.#usedAt = now;
  }

  letGo(): void {
    letGoOf(this.#plain);
    for (const agent of this.#secure.values()) letGoOf(agent);
  }

  close(): void {
    this.#plain.destroy();
    for (const agent of this.#secure.values()) agent.destroy();
    this.#secure.clear();
  }
}

/** Closes what is kept; what is in use goes on. */
function letGoOf(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
