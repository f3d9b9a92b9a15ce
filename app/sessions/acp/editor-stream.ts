import {
  type AnyMessage,
  type JsonRpcId,
  ndJsonStream,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { parseObject } from '../../formats/wire/json.ts';

/** Bytes of one message of an editor's. */
const mostBytes = 32 * 1024 * 1024;
/** Values within values. Code that reads a message may call itself once per level. */
const mostLevels = 1_000;
/** Bytes of a refused message's own members that are saved, to find its id. */
const mostTopBytes = 4_096;
const mostTopString = 512;

/** Stands for a string that is longer: no id. */
const longString = Buffer.from('\\u0000');

const [quote, backslash, lineEnd, zero] = [0x22, 0x5c, 0x0a, 0x30];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const words = {
  'too-large': 'Jumpseat: this message is over 32 MiB. Send less at once, or smaller images.',
  'too-deep': `Jumpseat: this message is nested over ${mostLevels} levels deep. Send values within fewer others.`,
} as const;

/**
 * An editor's line. A message that is too large or nested too deeply gets an error with its id, and the line goes on:
 * the library would end it.
 */
export function editorStream(output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>): Stream {
  const encoder = new TextEncoder();
  const frames = new EditorFrames();
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for (const frame of frames.take(chunk)) {
        if (!('refused' in frame)) {
          for (const bytes of frame.bytes) controller.enqueue(bytes);
          continue;
        }
        const message = errorFor(frame);
        // Nobody waits for an answer to a notification.
        if (message === null) continue;
        // An answer to a question of ours that is refused is an error to whoever asked.
        if (frame.isAnswer) controller.enqueue(encoder.encode(`${JSON.stringify(message)}\n`));
        else await sender.write(message);
      }
    },
    flush(controller) {
      for (const bytes of frames.rest()) controller.enqueue(bytes);
    },
  });
  const line = ndJsonStream(output, input.pipeThrough(bounded), { maxMessageBytes: mostBytes });
  const sender = line.writable.getWriter();
  return { readable: line.readable, writable: new WritableStream<AnyMessage>({ write: (it) => sender.write(it) }) };
}

/** One line of an editor's: its bytes, or why it is not read. */
type EditorFrame = { bytes: readonly Uint8Array[] } | RefusedFrame;
interface RefusedFrame {
  refused: keyof typeof words;
  isAnswer: boolean;
  /** Undefined: a notification. Null if the id can't be read. */
  id: JsonRpcId | undefined;
}

function errorFor({ id, refused }: RefusedFrame): AnyMessage | null {
  if (id === undefined) return null;
  return { jsonrpc: '2.0', id, error: new RequestError(-32600, words[refused]).toErrorResponse() };
}

/** Splits an editor's bytes into lines, and looks at each byte once. Of a refused line nothing is held. */
class EditorFrames {
  #bytes: Uint8Array[] = [];
  #length = 0;
  #refused: keyof typeof words | null = null;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The message with a zero for each value within its own members; null if it is too long to be held. */
  #top: number[] | null = [];
  /** Where the string that is open began there. */
  #stringAt = 0;

  *take(chunk: Uint8Array): Generator<EditorFrame> {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(lineEnd, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
      from += piece.length;
      this.#add(piece);
      if (end !== -1) yield this.#end();
    }
  }

  /** A line that was not ended. */
  rest(): readonly Uint8Array[] {
    return this.#refused === null ? this.#bytes : [];
  }

  #add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; at += 1) {
      if (this.#inString && this.#depth > 1 && !this.#isEscaped) at = this.#skipString(piece, at);
      const byte = piece[at];
      if (byte !== undefined) this.#look(byte);
    }
    this.#length += piece.length;
    // The line's end is not the message's.
    if (this.#length > mostBytes + 1) this.#refused ??= 'too-large';
    if (this.#refused === null) this.#bytes.push(piece);
    else this.#bytes = [];
  }

  /** The next quote, whether it is escaped or not: images are texts of millions of bytes. */
  #skipString(piece: Uint8Array, from: number): number {
    const found = piece.indexOf(quote, from);
    const end = found === -1 ? piece.length : found;
    let slashes = 0;
    while (end - slashes > from && piece[end - slashes - 1] === backslash) slashes += 1;
    this.#isEscaped = slashes % 2 === 1;
    return end;
  }

  #look(byte: number): void {
    if (this.#inString) {
      const isEnd = byte === quote && !this.#isEscaped;
      if (this.#depth <= 1) this.#noteString(byte, isEnd);
      this.#isEscaped = byte === backslash && !this.#isEscaped;
      this.#inString = !isEnd;
      return;
    }
    if (byte === openList || byte === openObject) {
      this.#depth += 1;
      if (this.#depth > mostLevels) this.#refused ??= 'too-deep';
      if (this.#depth <= 2) this.#note(this.#depth === 1 ? byte : zero);
    } else if (byte === closeList || byte === closeObject) {
      this.#depth -= 1;
      if (this.#depth <= 0) this.#note(byte);
    } else if (this.#depth <= 1) {
      this.#note(byte);
      if (byte === quote) this.#stringAt = this.#top?.length ?? 0;
    }
    if (byte === quote) this.#inString = true;
  }

  #note(byte: number): void {
    this.#top?.push(byte);
    if ((this.#top?.length ?? 0) > mostTopBytes) this.#top = null;
  }

  #noteString(byte: number, isEnd: boolean): void {
    const top = this.#top;
    if (top !== null && top.length - this.#stringAt > mostTopString) {
      if (!isEnd) return;
      top.length = this.#stringAt;
      top.push(...longString);
    }
    this.#note(byte);
  }

  #end(): EditorFrame {
    const [bytes, refused, top] = [this.#bytes, this.#refused, this.#top];
    this.#bytes = [];
    this.#length = 0;
    this.#refused = null;
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#top = [];
    return refused === null ? { bytes } : { refused, ...this.#readTop(top) };
  }

  #readTop(top: readonly number[] | null): Pick<RefusedFrame, 'isAnswer' | 'id'> {
    const message = top === null ? null : parseObject(Buffer.from(top).toString('utf8'));
    if (message === null) return { isAnswer: false, id: null };
    const isAnswer = !('method' in message) && ('result' in message || 'error' in message);
    const { id } = message;
    const isId = id === undefined || typeof id === 'number' || (typeof id === 'string' && id !== '\0');
    return { isAnswer, id: isId ? id : null };
  }
}
