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
/** How long one waits for its turn before the client is told to come again. */
const waitsMs = 20_000;

/** A part of the budget. To be given back by who took it; more than once does no harm. */
export interface Room {
  /** The body is smaller than was thought. */
  shrink(bytes: number): void;
  release(): void;
}

export interface BodyBudgetOptions {
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
   * Null: there was no room in time, or `left` settled first. `onFirst` says that it waits as the first of the line,
   * and may be called again.
   */
  take(bytes: number, left: AbortSignal, onFirst = (): void => {}): Room | Promise<Room | null> {
    return this.#ofSmall(bytes) ?? this.#large.take(bytes, left, onFirst);
  }

  /** Null: not without waiting. */
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

  /** Null: not without waiting. */
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
