import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { lowerCase } from './http-server.ts';
import type { StreamEnd, StreamStep } from './script.ts';

/** One event as it stands on the wire. Without a name: `data:` alone, as Chat Completions has it. */
export function frame(event: string | null, data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return event === null ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

/** Opens an event stream: the head goes out at once. */
export function openStream(response: ServerResponse, headers: Record<string, string> = {}, status = 200): void {
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
export async function playSteps(response: ServerResponse, steps: readonly StreamStep[]): Promise<void> {
  for (const step of steps) {
    if (response.destroyed) return;
    if (typeof step === 'string' || Buffer.isBuffer(step)) await write(response, step);
    else if ('gate' in step) await Promise.race([step.gate, closed(response)]);
    else if ('delayMs' in step) await Promise.race([sleep(step.delayMs, undefined, { ref: false }), closed(response)]);
    else await write(response, frame(step.event ?? null, step.data));
  }
}

/** Resolves when the bytes are taken, or when the other side has left. */
export async function write(response: ServerResponse, bytes: string | Buffer): Promise<void> {
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

export function endStream(response: ServerResponse, end: StreamEnd): void {
  if (end === 'clean') response.end();
  if (end === 'destroy') response.socket?.destroySoon();
  if (end === 'reset') response.socket?.resetAndDestroy();
}
