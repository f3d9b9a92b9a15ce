import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedRequest } from './record.ts';
import type { Refusal } from './refusal.ts';
import type { Reply, StreamEnd, StreamStep, UsualChange } from './script.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** One listening server of the simulator. */
export interface Listener {
  url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 only. `close` ends open streams. */
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
function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** An event in its wire form. Without a name: `data:` alone, as in Chat Completions. */
export function frame(event: string | null, data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return event === null ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

/** Opens an event stream and sends its headers at once. */
function openStream(response: ServerResponse, headers: Record<string, string> = {}, status = 200): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...lowerCase(headers),
  });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
}

/** Plays the steps one by one; ends early when the other side leaves. */
async function playSteps(response: ServerResponse, steps: readonly StreamStep[]): Promise<void> {
  for (const step of steps) {
    if (response.destroyed) return;
    if (typeof step === 'string' || Buffer.isBuffer(step)) await write(response, step);
    else if ('gate' in step) await Promise.race([step.gate, closed(response)]);
    else if ('delayMs' in step) await Promise.race([sleep(step.delayMs, undefined, { ref: false }), closed(response)]);
    else await write(response, frame(step.event ?? null, step.data));
  }
}

/** Resolves when the bytes are taken, or when the other side has left. */
async function write(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  if (response.destroyed) return;
  if (response.write(bytes)) return;
  await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed(response)]);
}

const closings = new WeakMap<ServerResponse, Promise<void>>();

/**
 * Resolves when the connection is gone, from whichever side. One promise for each answer, however often it is asked
 * for.
 */
export function closed(response: ServerResponse): Promise<void> {
  const known = closings.get(response);
  if (known !== undefined) return known;
  const closing = response.destroyed
    ? Promise.resolve()
    : new Promise<void>((resolve) => response.once('close', resolve));
  closings.set(response, closing);
  return closing;
}

function endStream(response: ServerResponse, end: StreamEnd): void {
  if (end === 'clean') response.end();
  if (end === 'destroy') response.socket?.destroySoon();
  if (end === 'reset') response.socket?.resetAndDestroy();
}

/** Answers as a script says, whatever was asked. */
export async function play(
  request: RecordedRequest,
  response: ServerResponse,
  reply: Exclude<Reply, { kind: 'usual' }>,
): Promise<void> {
  switch (reply.kind) {
    case 'answer': {
      await Promise.race([reply.gate, closed(response)]);
      const { status, headers, body } = reply;
      return sendWhole(response, { status, body, ...(headers === undefined ? {} : { headers }) });
    }
    case 'stream':
      await Promise.race([reply.gate, closed(response)]);
      if (response.destroyed) return;
      openStream(response, reply.headers, reply.status);
      await playSteps(response, reply.events);
      return finish(request, response, reply.end ?? 'clean');
    case 'silence':
      return closed(response);
    case 'reset':
      return finish(request, response, 'reset');
  }
}

/** Plays the usual events at the simulation's pace, and stops where the script says so. */
export async function playUsual(
  request: RecordedRequest,
  response: ServerResponse,
  frames: readonly string[],
  headers: Record<string, string>,
  change: UsualChange,
  paceMs: number,
): Promise<void> {
  await Promise.race([change.gate, closed(response)]);
  if (response.destroyed) return;
  openStream(response, headers);
  const cutAt = change.cutAfter ?? frames.length;
  for (const [index, bytes] of frames.slice(0, cutAt).entries()) {
    await Promise.race([change.before?.(index), closed(response)]);
    if (paceMs > 0) await Promise.race([sleep(paceMs, undefined, { ref: false }), closed(response)]);
    if (response.destroyed) return;
    await write(response, bytes);
  }
  if (change.errorEvent !== undefined) {
    await write(response, frame('error', change.errorEvent));
    return finish(request, response, 'clean');
  }
  return finish(request, response, change.cutAfter === undefined ? 'clean' : (change.cut ?? 'destroy'));
}

function finish(request: RecordedRequest, response: ServerResponse, end: StreamEnd): void {
  if (response.destroyed) return;
  if (end === 'destroy' || end === 'reset') request.outcome = 'broken';
  endStream(response, end);
}
