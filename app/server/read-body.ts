import type { IncomingMessage } from 'node:http';
import type { BodyBudget, Room } from './body-budget.ts';
import { largestBody } from './door.ts';

/**
 * `left`: the client broke off while it was sending. `silent`: it stopped. `busy`: other bodies take all there is for
 * them.
 */
export type Unread = 'too-large' | 'left' | 'silent' | 'busy';
/** `room` is the caller's to release. */
export type ReadBody = { ok: true; body: Buffer; room: Room } | { ok: false; why: Unread };

/** A client that stopped (asleep, or killed without a word) would keep its room from the others. */
export const silentMs = 60_000;

/** Of a body whose length nobody knows so much is read before it has to wait for all that it may come to. */
const unknownAtFirst = 1024 * 1024;

/**
 * Reads a body as it is, chunked or not, once the budget has room for it; until then nothing is read. Stops at the
 * limit: nothing larger is ever held.
 */
export async function readBody(request: IncomingMessage, budget: BodyBudget): Promise<ReadBody> {
  const left = new AbortController();
  const onClose = (): void => left.abort();
  request.on('error', () => {});
  request.on('close', onClose);
  try {
    return await readWithin(request, budget, left.signal);
  } finally {
    request.off('close', onClose);
  }
}

async function readWithin(request: IncomingMessage, budget: BodyBudget, left: AbortSignal): Promise<ReadBody> {
  const length = request.headers['content-length'];
  const known = length !== undefined;
  const room = await budget.take(known ? Number(length) : unknownAtFirst, left);
  if (room === null) return { ok: false, why: left.aborted ? 'left' : 'busy' };
  const chunks: Buffer[] = [];
  const begun = await readUpTo(request, chunks, known ? largestBody : unknownAtFirst);
  if (begun.end === 'whole') return whole(chunks, begun.size, room);
  if (begun.end !== 'too-large' || known) return refused(room, begun.end);
  const more = await budget.take(largestBody, left);
  if (more === null) return refused(room, left.aborted ? 'left' : 'busy');
  room.release();
  const read = await readUpTo(request, chunks, largestBody);
  return read.end === 'whole' ? whole(chunks, read.size, more) : refused(more, read.end);
}

function whole(chunks: readonly Buffer[], size: number, room: Room): ReadBody {
  room.shrink(size);
  const [only] = chunks;
  return { ok: true, body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size), room };
}

function refused(room: Room, why: Unread): ReadBody {
  room.release();
  return { ok: false, why };
}

type ReadEnd = 'whole' | 'left' | 'too-large' | 'silent';

/**
 * Reads until the end, or until there is more than `most`; then the request stands still, with the last piece among the
 * chunks.
 */
function readUpTo(request: IncomingMessage, chunks: Buffer[], most: number): Promise<{ end: ReadEnd; size: number }> {
  return new Promise((resolve) => {
    let size = chunks.reduce((sum, { length }) => sum + length, 0);
    const settle = (end: ReadEnd): void => {
      clearTimeout(timer);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve({ end, size });
    };
    const onData = (chunk: Buffer): void => {
      timer.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size <= most) return;
      request.pause();
      settle('too-large');
    };
    const onEnd = (): void => settle('whole');
    const onClose = (): void => settle('left');
    const timer = setTimeout(() => settle('silent'), silentMs);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    if (request.closed) onClose();
    else if (request.isPaused()) request.resume();
  });
}
