import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Refusal } from './refusal.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** One listening server of the simulator. */
export interface Listener {
  url: string;
  close(): Promise<void>;
}

/** On 127.0.0.1 only. `close` does not wait for open streams: it ends them. */
export function listen(port: number, handler: Handler, tls?: { key: string; cert: string }): Promise<Listener> {
  const server: Server = tls === undefined ? createServer(handler) : createTlsServer(tls, handler);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      resolve({ url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${bound}`, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The whole body. Rejects when the sender leaves before its end. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The sender left.')));
  });
}

/** A string body goes out as text/plain, none stays empty, anything else is JSON; `headers` win. */
export function sendWhole(response: ServerResponse, answer: Refusal): void {
  if (response.destroyed || response.headersSent) return;
  const isText = typeof answer.body === 'string';
  const text = isText ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(answer.status, { 'content-type': type, ...lowerCase(answer.headers) });
  response.end(text);
}

/** Header names in lower case, so that a given one replaces a default one. */
export function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
