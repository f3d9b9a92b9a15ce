import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import tls, { type SecureContext } from 'node:tls';
import { type Dialed, type Dialer, type DialRequest, NetworkError } from '../ports.ts';
import { explainNetworkError, isBadProxy, isDistrust } from './network-reasons.ts';

export interface NodeDialerOptions {
  /** Where `HTTPS_PROXY` and `NO_PROXY` are read (either case); `process.env` unless told. */
  env?: Record<string, string | undefined>;
}

/** The way to the network with Node's own clients: kept connections, the proxy of the environment, the certificates of the machine. */
export function nodeDialer(options: NodeDialerOptions = {}): Dialer {
  return new NodeDialer(options.env ?? process.env);
}

const keptConnections = 32;
const keptForMs = 60_000;

class NodeDialer implements Dialer {
  readonly #proxy: ProxyEnvironment | null;
  /** Plain connections go to loopback only and need no proxy. */
  readonly #plain = new http.Agent(agentOptions);
  #secure: https.Agent | null = null;
  /** With the machine's own certificates besides Node's; see `#trustTheMachine`. */
  #machineIsTrusted = false;
  #usedAt = 0;

  constructor(env: Record<string, string | undefined>) {
    this.#proxy = readProxyEnvironment(env);
  }

  async dial(request: DialRequest): Promise<Dialed> {
    this.#letGoAfterSleep();
    try {
      return await this.#once(request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      if (isDistrust(error.code) && this.#trustTheMachine()) return this.#once(request);
      if (wasStale(error)) {
        this.#letGo();
        if (request.method !== 'POST') return this.#once(request);
      }
      throw error;
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#secure?.destroy();
  }

  #once(request: DialRequest): Promise<Dialed> {
    return new Promise((resolve, reject) => {
      const { url, signal } = request;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      let outgoing: ClientRequest;
      try {
        outgoing = this.#open(request);
      } catch (error) {
        reject(isBadProxy(error) ? explainNetworkError(url.host, error, true) : error);
        return;
      }
      let response: IncomingMessage | null = null;
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
        const seconds = Math.round(request.headTimeoutMs / 1000);
        reject(new NetworkError(url.host, 'TIMEOUT', `no answer within ${seconds} s`));
      }, request.headTimeoutMs);
      signal?.addEventListener('abort', stop);
      outgoing.on('error', (error) => {
        if (response) return;
        settle();
        const explained = explainNetworkError(url.host, error, this.#proxy !== null);
        if (outgoing.reusedSocket && explained.code === 'ECONNRESET') stale.add(explained);
        reject(explained);
      });
      outgoing.on('response', (incoming) => {
        response = incoming;
        clearTimeout(timer);
        incoming.once('close', settle);
        if (request.idleTimeoutMs !== undefined) watchSilence(incoming, url.host, request.idleTimeoutMs);
        resolve({ response: incoming, reused: outgoing.reusedSocket });
      });
      outgoing.end(request.body);
    });
  }

  #open({ url, method, headers }: DialRequest): ClientRequest {
    const secure = url.protocol === 'https:';
    const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const options = {
      protocol: url.protocol,
      hostname,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      method,
      headers,
      agent: secure ? this.#secureAgent() : this.#plain,
    };
    return secure ? https.request(options) : http.request(options);
  }

  #secureAgent(): https.Agent {
    this.#secure ??= new https.Agent({
      ...agentOptions,
      ...(this.#proxy ? { proxyEnv: this.#proxy } : undefined),
      ...(this.#machineIsTrusted ? { secureContext: machineContext() } : undefined),
    });
    return this.#secure;
  }

  /**
   * Adds the certificates that this machine trusts, a company's among them, to those that Node brings (with
   * `NODE_EXTRA_CA_CERTS`). It takes a twentieth of a second, so it is done when a certificate was not trusted: nothing has been
   * sent then. False when it was done before.
   */
  #trustTheMachine(): boolean {
    if (this.#machineIsTrusted) return false;
    this.#machineIsTrusted = true;
    this.#secure?.destroy();
    this.#secure = null;
    return true;
  }

  /** Connections do not outlive the sleep of a machine, and nobody is told: after a long silence they are not used again. */
  #letGoAfterSleep(): void {
    const now = Date.now();
    if (now - this.#usedAt > keptForMs || now < this.#usedAt) this.#letGo();
    this.#usedAt = now;
  }

  #letGo(): void {
    for (const agent of [this.#plain, this.#secure]) {
      for (const sockets of Object.values(agent?.freeSockets ?? {})) {
        for (const socket of sockets ?? []) socket.destroy();
      }
    }
  }
}

const agentOptions = {
  keepAlive: true,
  noDelay: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: keptConnections,
  /** Of a free connection; while one is in use, the request's own limits hold. */
  timeout: keptForMs,
};

/** Requests that met a kept connection which the other side had closed already: they were not read, and may be sent again. */
const stale = new WeakSet<NetworkError>();

function wasStale(error: NetworkError): boolean {
  return stale.has(error);
}

/** Ends an answer that says nothing for too long. Bytes that wait for a slow reader here are not the other side's silence. */
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

function machineContext(): SecureContext {
  if (!context) {
    const certificates = new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
    context = tls.createSecureContext({ ca: [...certificates] });
  }
  return context;
}

type ProxyEnvironment = NodeJS.ProcessEnv;

/** Loopback is never reached through a proxy, whatever the environment leaves out. */
function readProxyEnvironment(env: Record<string, string | undefined>): ProxyEnvironment | null {
  const proxy = env.https_proxy || env.HTTPS_PROXY;
  if (!proxy) return null;
  const except = env.no_proxy || env.NO_PROXY;
  return { HTTPS_PROXY: proxy, NO_PROXY: [except, 'localhost', '127.0.0.1', '[::1]', '::1'].filter(Boolean).join(',') };
}
