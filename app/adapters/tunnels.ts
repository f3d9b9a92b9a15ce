import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { rememberIssuer } from './certificates.ts';
import type { ProxyServer } from './proxy.ts';

type Connected = (error: Error | null, stream: Duplex) => void;

/** How long a proxy may take to open a tunnel, in ms. */
const limitMs = 30_000;

/** TLS to the host itself. */
export class DirectAgent extends https.Agent {
  override createConnection(options: https.RequestOptions, connected?: Connected): Duplex | null | undefined {
    const socket = super.createConnection(options, connected);
    if (socket instanceof TLSSocket) rememberIssuer(socket);
    return socket;
  }
}

/**
 * TLS through a proxy, which also looks the name up. What fails before the proxy is reached keeps Node's own error;
 * what it refuses is a `TunnelError`.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxy: ProxyServer;

  constructor(proxy: ProxyServer, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: https.RequestOptions, connected?: Connected): undefined {
    const fail = (error: unknown) => Reflect.apply(connected ?? (() => undefined), undefined, [error]);
    const open = this.#proxy.protocol.startsWith('socks') ? openBySocks : openByConnect;
    open(this.#proxy, options.host ?? '', Number(options.port), this.options).then((socket) => {
      const through = Object.assign({}, options, { socket });
      const secure = super.createConnection(through);
      if (secure instanceof TLSSocket) rememberIssuer(secure);
      if (secure) connected?.(null, secure);
    }, fail);
  }
}

/** The proxy was reached and opened no tunnel. */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  readonly code: 'ERR_PROXY_TUNNEL' | 'ERR_SOCKS';
  /** Its answer; null: it closed the connection without one, or speaks SOCKS. */
  readonly statusCode: number | null;
  /** The ways to sign in that it offers with 407, in lower case: `basic`, `ntlm`, `negotiate`. */
  readonly schemes: readonly string[];

  constructor(
    code: TunnelError['code'],
    message: string,
    { cause, statusCode, schemes = [] }: { cause?: unknown; statusCode?: number; schemes?: string[] } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.statusCode = statusCode ?? null;
    this.schemes = schemes;
  }
}

/** CONNECT (RFC 9110). */
async function openByConnect(
  { protocol, host, port, auth }: ProxyServer,
  target: string,
  targetPort: number,
  { secureContext }: https.AgentOptions,
): Promise<Duplex> {
  const place = `${net.isIPv6(target) ? `[${target}]` : target}:${targetPort}`;
  const options: https.RequestOptions = {
    method: 'CONNECT',
    host,
    port,
    path: place,
    agent: false,
    /** Whatever the environment says by then. */
    rejectUnauthorized: true,
    headers: {
      Host: place,
      'Proxy-Connection': 'keep-alive',
      ...(auth === null ? undefined : { 'Proxy-Authorization': basic(auth) }),
    },
    ...(secureContext && { secureContext }),
    ...(net.isIP(host) === 0 && { servername: host }),
  };
  const asked = protocol === 'https' ? https.request(options) : http.request(options);
  const { answer, socket } = await tunnelOf(asked);
  if (answer.statusCode === 200) return socket;
  socket.destroy();
  throw new TunnelError('ERR_PROXY_TUNNEL', `It answered ${answer.statusCode}.`, {
    statusCode: answer.statusCode ?? 0,
    schemes: offeredSchemes(answer),
  });
}

function tunnelOf(asked: ClientRequest): Promise<{ answer: IncomingMessage; socket: Duplex }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: IncomingMessage; socket: Duplex }>();
  const ended = (cause: unknown): void =>
    reject(new TunnelError('ERR_PROXY_TUNNEL', 'It closed the connection without an answer.', { cause }));
  let isConnected = false;
  const timer = setTimeout(() => asked.destroy(new Error('It took too long.')), limitMs);
  asked.once('socket', (socket) => {
    if (socket instanceof TLSSocket) rememberIssuer(socket);
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
  });
  asked.on('error', (error) => {
    clearTimeout(timer);
    if (isConnected) ended(error);
    else reject(error);
  });
  asked.once('connect', (answer, socket) => {
    clearTimeout(timer);
    resolve({ answer, socket });
  });
  asked.end();
  return promise;
}

/** Every scheme has a header of its own, or they stand in one with commas; parameters have an equals sign. */
function offeredSchemes({ headersDistinct }: IncomingMessage): string[] {
  const offers = (headersDistinct['proxy-authenticate'] ?? []).flatMap((value) => value.split(','));
  const names = offers.map((offer) => /^\s*([\w-]{1,30})(?:\s|$)(?!\s*=)/.exec(offer)?.[1]?.toLowerCase());
  return [...new Set(names.filter((name) => name !== undefined))];
}

function basic(auth: string): string {
  const [name = '', ...rest] = auth.split(':');
  return `Basic ${Buffer.from([name, rest.join(':')].map(decodeURIComponent).join(':')).toString('base64')}`;
}

async function openBySocks(
  { protocol, host, port, auth }: ProxyServer,
  target: string,
  targetPort: number,
): Promise<Duplex> {
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
    throw new TunnelError('ERR_SOCKS', error instanceof Error ? error.message : 'unknown', { cause: error });
  }
}
