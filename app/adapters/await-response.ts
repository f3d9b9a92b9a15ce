import type { ClientRequest, IncomingMessage } from 'node:http';
import tls from 'node:tls';
import { type Dialed, type DialRequest, NetworkError } from '../ports.ts';
import { explainNetworkError, type ProxyOnTheWay } from './network-reasons.ts';

/** `connectedAt`: by `performance.now()`. */
export type Answered = Omit<Dialed, 'connectMs'> & { connectedAt: number };

/** Requests whose kept connection broke before an answer came. */
const stale = new WeakSet<NetworkError>();

export function wasStale(error: NetworkError): boolean {
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
export function awaitResponse(
  outgoing: ClientRequest,
  { url, signal, headTimeoutMs, idleTimeoutMs }: Omit<DialRequest, 'body'>,
  proxy: ProxyOnTheWay | null,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  let response: IncomingMessage | null = null;
  let connectedAt = 0;
  whenConnected(outgoing, () => {
    connectedAt = performance.now();
  });
  /** Without a connection, or on a kept one that was not written to yet. */
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

/** Calls back when the request has a connection that it can be written to: at once where one was kept. */
function whenConnected(outgoing: ClientRequest, then: () => void): void {
  outgoing.once('socket', (socket) => {
    // Of the handshake nothing is known before its end.
    if (socket instanceof tls.TLSSocket && socket.getFinished() === undefined) socket.once('secureConnect', then);
    else if (socket.connecting) socket.once('connect', then);
    else then();
  });
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
