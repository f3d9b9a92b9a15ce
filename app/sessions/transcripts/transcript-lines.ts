import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Line, readLine } from './line.ts';

/** A longer line is left out: what Claude Code writes stays below it, and memory is bounded. */
const longestLine = 64 * 1024 * 1024;
/** Bytes parsed before other work gets its turn: about 10 ms. */
const sliceBytes = 1024 * 1024;

/**
 * The lines of one transcript, read further as it grows. A line that is not whole yet waits for its end; one that can't
 * be read is left out and counted.
 */
export class TranscriptLines {
  readonly path: string;
  readonly #lines: Line[] = [];
  #read = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #unreadable = 0;

  constructor(path: string) {
    this.path = path;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** How many lines were broken. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Reads what was added. False: nothing was. Rejects with Node's error where the file can't be read. */
  async readOn(): Promise<boolean> {
    const { size } = await stat(this.path);
    if (size < this.#read) this.#beginAnew();
    if (size === this.#read) return false;
    const before = this.#lines.length;
    let slice = 0;
    const stream = createReadStream(this.path, { start: this.#read, end: size - 1, highWaterMark: 256 * 1024 });
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      this.#read += chunk.length;
      this.#take(chunk);
      slice += chunk.length;
      if (slice >= sliceBytes) {
        slice = 0;
        await nextTurn();
      }
    }
    return this.#lines.length !== before;
  }

  /** Starts again with another file. */
  #beginAnew(): void {
    this.#lines.length = 0;
    this.#read = 0;
    this.#unreadable = 0;
    this.#letGo();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const part = chunk.subarray(from, end);
      from = end + 1;
      if (this.#restBytes + part.length > longestLine) this.#unreadable += 1;
      else this.#add(this.#rest.length === 0 ? part : Buffer.concat([...this.#rest, part]));
      this.#letGo();
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) return;
    this.#restBytes += rest.length;
    if (this.#restBytes <= longestLine) this.#rest.push(Buffer.from(rest));
    else this.#rest = [];
  }

  #letGo(): void {
    this.#rest = [];
    this.#restBytes = 0;
  }

  #add(bytes: Buffer): void {
    const text = bytes.toString('utf8').trimEnd();
    if (text === '') return;
    const line = readLine(text);
    if (line !== null) this.#lines.push(line);
    else if (!isJsonBeginning(text)) this.#unreadable += 1;
  }
}

/** Whether a line that could not be read is a whole object all the same, and so of no interest, not damaged. */
function isJsonBeginning(text: string): boolean {
  return text.startsWith('{"type":"') && text.endsWith('}');
}
