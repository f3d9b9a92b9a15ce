import type { IncomingMessage, ServerResponse } from 'node:http';
import { largestBody } from './door.ts';

const mebibyte = 1024 * 1024;

/**
 * What the bodies of all requests under way may take together, in bytes, until Copilot has begun its answer. Parsed and
 * written anew a body takes about four times its size.
 */
export const bodyBudget = 256 * mebibyte;

/** Up to this size a body has a part of the budget that larger ones never take. */
const small = mebibyte;
const forSmall = 32 * mebibyte;
/** The first in the line is read while it waits. It isn't parsed yet, so it takes a quarter of what it will take. */
const forFirst = largestBody / 4;
/** How long a request waits for its turn before the client is asked to retry. */
const waitsMs = 20_000;

/** A part of the budget. To be given back by who took it; more than once does no harm. */
export interface Room {
  /** The body is smaller than was thought. */
  shrink(bytes: number): void;
  release(): void;
}

interface BodyBudgetOptions {
  /** Bytes for bodies of more than 1 MiB; the largest one has to fit. */
  large: number;
  /** Bytes for all others. */
  small: number;
  waitsMs: number;
}

/**
 * Divides the memory for bodies: who comes first has its turn first, and small ones never wait for large ones.
 *
 * That a client left stands behind all that it sent before, so it is learnt by reading alone. The first in the line
 * holds up all others: it may be read while it waits, so that it goes as soon as its client does. Those behind it are
 * not read, and lose their place once they are first.
 */
export class BodyBudget {
  readonly #large: Pool;
  readonly #small: Pool;

  constructor(options: BodyBudgetOptions = { large: bodyBudget - forSmall - forFirst, small: forSmall, waitsMs }) {
    this.#large = new Pool(options.large, options.waitsMs);
    this.#small = new Pool(options.small, options.waitsMs);
  }

  /**
   * Null if there was no room in time, or `left` settled first. `onFirst` says that it waits as the first of the line,
   * and may be called again.
   */
  take(bytes: number, left: AbortSignal, onFirst = (): void => {}): Room | Promise<Room | null> {
    return this.#ofSmall(bytes) ?? this.#large.take(bytes, left, onFirst);
  }

  /** Null if not without waiting. */
  now(bytes: number): Room | null {
    return this.#ofSmall(bytes) ?? this.#large.now(bytes);
  }

  #ofSmall(bytes: number): Room | null {
    return bytes <= small ? this.#small.now(bytes) : null;
  }
}

interface Waiting {
  bytes: number;
  onFirst: () => void;
  go: (room: Room | null) => void;
}

/** Bytes that are taken and given back, in the order of asking. */
class Pool {
  #free: number;
  readonly #waitsMs: number;
  readonly #line = new Set<Waiting>();

  constructor(bytes: number, waitsMs: number) {
    this.#free = bytes;
    this.#waitsMs = waitsMs;
  }

  /** Null if not without waiting. */
  now(bytes: number): Room | null {
    return this.#line.size === 0 && this.#free >= bytes ? this.#room(bytes) : null;
  }

  take(bytes: number, left: AbortSignal, onFirst: () => void): Room | Promise<Room | null> {
    return this.now(bytes) ?? this.#wait(bytes, left, onFirst);
  }

  #wait(bytes: number, left: AbortSignal, onFirst: () => void): Promise<Room | null> {
    return new Promise((resolve) => {
      const giveUp = (): void => waiting.go(null);
      const timer = setTimeout(giveUp, this.#waitsMs);
      const waiting: Waiting = {
        bytes,
        onFirst,
        go: (room) => {
          clearTimeout(timer);
          left.removeEventListener('abort', giveUp);
          this.#line.delete(waiting);
          resolve(room);
          if (room === null) this.#next();
        },
      };
      this.#line.add(waiting);
      left.addEventListener('abort', giveUp);
      if (left.aborted) giveUp();
      else this.#next();
    });
  }

  #room(bytes: number): Room {
    this.#free -= bytes;
    let held = bytes;
    const shrink = (to: number): void => {
      if (to >= held) return;
      this.#free += held - to;
      held = to;
      this.#next();
    };
    return { shrink, release: () => shrink(0) };
  }

  #next(): void {
    for (const waiting of this.#line) {
      if (waiting.bytes > this.#free) {
        waiting.onFirst();
        return;
      }
      waiting.go(this.#room(waiting.bytes));
    }
  }
}

/**
 * `left`: the client broke off while it was sending. `silent`: it stopped. `busy`: other bodies take all there is for
 * them.
 */
export type Unread = 'too-large' | 'left' | 'silent' | 'busy';
/** `room` is the caller's to release. */
type ReadBody = { ok: true; body: Buffer; room: Room } | { ok: false; why: Unread };

/** A client that stopped (its machine asleep, or its connection lost) would keep memory that others need. */
export const silentMs = 60_000;

/** Bytes read of a body without a declared length before it has to wait for the memory that it may need. */
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
  const bytes = new BodyBytes(request);
  const end = await new Reading(request, bytes, largestBody).read();
  return end === 'whole' ? whole(bytes, room) : refused(room, end);
}

async function readWithin(request: IncomingMessage, budget: BodyBudget, left: AbortSignal): Promise<ReadBody> {
  const bytes = new BodyBytes(request);
  const known = bytes.declared !== null;
  const begin = new Reading(request, bytes, known ? largestBody : unknownAtFirst);
  const room = await roomFor(begin, bytes.declared ?? unknownAtFirst, budget, left);
  if (room === null) return { ok: false, why: left.aborted ? 'left' : 'busy' };
  const begun = await begin.read();
  if (begun === 'whole') return whole(bytes, room);
  if (begun !== 'too-large' || known) return refused(room, begun);
  const rest = new Reading(request, bytes, largestBody);
  const more = await roomFor(rest, largestBody, budget, left);
  if (more === null) return refused(room, left.aborted ? 'left' : 'busy');
  room.release();
  const end = await rest.read();
  return end === 'whole' ? whole(bytes, more) : refused(more, end);
}

async function roomFor(reading: Reading, bytes: number, budget: BodyBudget, left: AbortSignal): Promise<Room | null> {
  const room = await budget.take(bytes, left, () => void reading.read());
  if (room === null) reading.stop();
  return room;
}

function whole(bytes: BodyBytes, room: Room): ReadBody {
  room.shrink(bytes.size);
  return { ok: true, body: bytes.whole(), room };
}

function refused(room: Room, why: Unread): ReadBody {
  room.release();
  return { ok: false, why };
}

/**
 * The bytes read so far. A body with a declared length is copied into one buffer while it comes, so that its pieces are
 * garbage at once: two copies of a large one, one of them in thousands of pieces, leave memory that the system doesn't
 * get back.
 */
class BodyBytes {
  /** Null if the body is chunked. */
  readonly declared: number | null;
  size = 0;
  #buffer: Buffer | null = null;
  readonly #chunks: Buffer[] = [];

  constructor({ headers: { 'content-length': length } }: IncomingMessage) {
    this.declared = length === undefined ? null : Number(length);
  }

  add(chunk: Buffer): void {
    if (this.declared === null || chunk.length === this.declared) this.#chunks.push(chunk);
    else {
      this.#buffer ??= Buffer.allocUnsafeSlow(this.declared);
      chunk.copy(this.#buffer, this.size);
    }
    this.size += chunk.length;
  }

  whole(): Buffer {
    if (this.#buffer !== null) return this.#buffer;
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.size);
  }
}

type ReadEnd = 'whole' | 'left' | 'too-large' | 'silent';

/**
 * Reads until the end, or until there is more than `most`; then the request is paused, with the last piece among the
 * bytes.
 */
class Reading {
  readonly #request: IncomingMessage;
  readonly #bytes: BodyBytes;
  readonly #most: number;
  #read: Promise<ReadEnd> | null = null;
  #stop = (): void => {};

  constructor(request: IncomingMessage, bytes: BodyBytes, most: number) {
    this.#request = request;
    this.#bytes = bytes;
    this.#most = most;
  }

  /** Begins when it is asked for the first time. */
  read(): Promise<ReadEnd> {
    this.#read ??= this.#begin();
    return this.#read;
  }

  /** Nothing more is kept. */
  stop(): void {
    this.#stop();
  }

  #begin(): Promise<ReadEnd> {
    const request = this.#request;
    return new Promise((resolve) => {
      this.#stop = (): void => {
        clearTimeout(timer);
        request.off('data', onData);
        request.off('end', onEnd);
        request.off('close', onClose);
      };
      const settle = (end: ReadEnd): void => {
        this.#stop();
        resolve(end);
      };
      const onData = (chunk: Buffer): void => {
        timer.refresh();
        this.#bytes.add(chunk);
        if (this.#bytes.size <= this.#most) return;
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
