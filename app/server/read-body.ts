import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyBudget, Room } from './body-budget.ts';
import { largestBody } from './door.ts';

/**
 * `left`: the client broke off while it was sending. `silent`: it stopped. `busy`: other bodies take all there is for
 * them.
 */
export type Unread = 'too-large' | 'left' | 'silent' | 'busy';
/** `room` is the caller's to release. */
export type ReadBody = { ok: true; body: Buffer; room: Room } | { ok: false; why: Unread };

/** A client that stopped (its machine asleep, or its connection lost) would keep memory that others need. */
export const silentMs = 60_000;

/** Of a body without a declared length so much is read before it has to wait for all that it may come to. */
const unknownAtFirst = 1024 * 1024;

/**
 * Reads a body as it is, chunked or not, once the budget has room for it or it is the first that waits for some. Stops
 * at the limit: nothing larger is ever held.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
): Promise<ReadBody> {
  request.on('error', () => {});
  const length = request.headers['content-length'];
  const room = length === undefined ? null : budget.now(Number(length));
  // Nearly all of them: nothing is waited for but the body itself.
  if (room !== null) return readInto(room, request);
  const left = new AbortController();
  const onLeft = (): void => left.abort();
  // A request that was read to its end closes too.
  const onClose = (): void => {
    if (!request.readableEnded) onLeft();
  };
  request.on('close', onClose);
  response.on('close', onLeft);
  try {
    return await readWithin(request, budget, left.signal);
  } finally {
    request.off('close', onClose);
    response.off('close', onLeft);
  }
}

async function readInto(room: Room, request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  const { end, size } = await new Reading(request, chunks, largestBody).read();
  return end === 'whole' ? whole(chunks, size, room) : refused(room, end);
}

async function readWithin(request: IncomingMessage, budget: BodyBudget, left: AbortSignal): Promise<ReadBody> {
  const length = request.headers['content-length'];
  const known = length !== undefined;
  const chunks: Buffer[] = [];
  const begin = new Reading(request, chunks, known ? largestBody : unknownAtFirst);
  const room = await roomFor(begin, known ? Number(length) : unknownAtFirst, budget, left);
  if (room === null) return { ok: false, why: left.aborted ? 'left' : 'busy' };
  const begun = await begin.read();
  if (begun.end === 'whole') return whole(chunks, begun.size, room);
  if (begun.end !== 'too-large' || known) return refused(room, begun.end);
  const rest = new Reading(request, chunks, largestBody);
  const more = await roomFor(rest, largestBody, budget, left);
  if (more === null) return refused(room, left.aborted ? 'left' : 'busy');
  room.release();
  const read = await rest.read();
  return read.end === 'whole' ? whole(chunks, read.size, more) : refused(more, read.end);
}

async function roomFor(reading: Reading, bytes: number, budget: BodyBudget, left: AbortSignal): Promise<Room | null> {
  const room = await budget.take(bytes, left, () => void reading.read());
  if (room === null) reading.stop();
  return room;
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
class Reading {
  readonly #request: IncomingMessage;
  readonly #chunks: Buffer[];
  readonly #most: number;
  #read: Promise<{ end: ReadEnd; size: number }> | null = null;
  #stop = (): void => {};

  constructor(request: IncomingMessage, chunks: Buffer[], most: number) {
    this.#request = request;
    this.#chunks = chunks;
    this.#most = most;
  }

  /** Begins when it is asked for the first time. */
  read(): Promise<{ end: ReadEnd; size: number }> {
    this.#read ??= this.#begin();
    return this.#read;
  }

  /** Nothing more is kept. */
  stop(): void {
    this.#stop();
  }

  #begin(): Promise<{ end: ReadEnd; size: number }> {
    const request = this.#request;
    return new Promise((resolve) => {
      let size = this.#chunks.reduce((sum, { length }) => sum + length, 0);
      this.#stop = (): void => {
        clearTimeout(timer);
        request.off('data', onData);
        request.off('end', onEnd);
        request.off('close', onClose);
      };
      const settle = (end: ReadEnd): void => {
        this.#stop();
        resolve({ end, size });
      };
      const onData = (chunk: Buffer): void => {
        timer.refresh();
        size += chunk.length;
        this.#chunks.push(chunk);
        if (size <= this.#most) return;
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
}
