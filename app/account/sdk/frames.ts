import { type JsonObject, parseObject } from '../../formats/wire/json.ts';
import { RuntimeFault } from './failure.ts';

const headerLimit = 4 * 1024;
const frameLimit = 8 * 1024 * 1024;
/** Of everything in one answered question, notifications included. */
const totalLimit = 32 * 1024 * 1024;

const headerEnd = Buffer.from('\r\n\r\n');

/** One message as it goes over the pipe. */
export function frame(message: JsonObject): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Takes messages out of what comes over the pipe, however it is cut. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;
  #total = 0;
  /** Of the frame that has begun; null: its header is not whole yet. */
  #awaited: number | null = null;

  /** Throws `RuntimeFault`. */
  *read(chunk: Buffer): Generator<JsonObject> {
    this.#total += chunk.length;
    if (this.#total > totalLimit) throw new RuntimeFault('unreadable', 'it does not stop talking');
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      this.#awaited ??= this.#header();
      if (this.#awaited === null || this.#held < this.#awaited) return;
      const message = parseObject(this.#take(this.#awaited).toString('utf8'));
      this.#awaited = null;
      if (message === null) throw new RuntimeFault('unreadable', 'it is no JSON');
      yield message;
    }
  }

  #header(): number | null {
    const held = this.#joined();
    const end = held.indexOf(headerEnd);
    if (end < 0 && held.length <= headerLimit) return null;
    const text = end < 0 ? '' : held.toString('latin1', 0, end);
    const digits = /^content-length: *(\d{1,9})$/imu.exec(text)?.[1];
    if (digits === undefined) throw new RuntimeFault('unreadable', 'it has no length');
    const length = Number(digits);
    if (length > frameLimit) throw new RuntimeFault('unreadable', 'it is too long');
    this.#take(end + headerEnd.length);
    return length;
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    if (more.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer {
    const held = this.#joined();
    this.#chunks = [held.subarray(length)];
    this.#held -= length;
    return held.subarray(0, length);
  }
}
