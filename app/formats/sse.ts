/**
 * Server-sent events on the way of every byte, after the HTML standard: lines end with \n, \r\n or \r; a blank line ends an event;
 * lines that begin with a colon are comments. Works on bytes, so a chunk may end inside a character.
 */

const LF = 10;
const CR = 13;

export interface SseEvent {
  event: string | null;
  data: string;
}

/**
 * Cuts a stream of chunks into whole events. The bytes of everything that is handed out, with `rest()`, are the bytes that came in:
 * where a chunk ends between \r and \n after a blank line, the \n goes in front of the next event, where it means nothing.
 */
export class SseSplitter {
  /** Bytes of the event that has begun and not ended, as they came. */
  #carry: Buffer[] = [];

  /** Whole events, each with its blank line. */
  push(chunk: Buffer): Buffer[] {
    const whole = this.whole(chunk);
    return whole === null ? [] : splitEvents(whole);
  }

  /**
   * All events that are whole by now, in one piece; null when there is none. With nothing carried over and a chunk that ends where an
   * event ends, this is the chunk itself: it can be written as it is.
   */
  whole(chunk: Buffer): Buffer | null {
    if (this.#carry.length === 0 && isEventEnd(chunk, chunk.length)) return chunk;
    if (chunk.length === 0) return null;
    // A long event comes in many chunks without a line end: do not join them again with every one.
    if (chunk.indexOf(LF) === -1 && chunk.indexOf(CR) === -1) {
      this.#carry.push(chunk);
      return null;
    }
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([...this.#carry, chunk]);
    const end = lastEventEnd(bytes);
    if (end === bytes.length) this.#carry = [];
    else this.#carry = [bytes.subarray(end)];
    return end === 0 ? null : end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** What has come of an event that has not ended; null when there is nothing. Taken out by this call. */
  rest(): Buffer | null {
    if (this.#carry.length === 0) return null;
    const rest = Buffer.concat(this.#carry);
    this.#carry = [];
    return rest;
  }
}

/** Cuts bytes that hold only whole events. */
export function splitEvents(bytes: Buffer): Buffer[] {
  const plain = hasOnlyLineFeeds(bytes);
  const first = eventEnd(bytes, 0, plain);
  if (first === bytes.length) return [bytes];
  const events: Buffer[] = [bytes.subarray(0, first)];
  for (let from = first; from < bytes.length; ) {
    const end = eventEnd(bytes, from, plain);
    events.push(bytes.subarray(from, end));
    from = end;
  }
  return events;
}

/** True when no line ends with \r or \r\n; `eventEnd` is then a search for two bytes. */
export function hasOnlyLineFeeds(bytes: Buffer): boolean {
  return bytes.indexOf(CR) === -1;
}

/**
 * Where the event that begins at `from` ends, its blank line and any further blank lines included; the length when it does not end.
 * `plain` is what `hasOnlyLineFeeds` said of the same bytes.
 */
export function eventEnd(bytes: Buffer, from: number, plain: boolean): number {
  let at = from;
  while (at < bytes.length && isLineEnd(bytes[at])) at++;
  if (plain) {
    for (;;) {
      at = bytes.indexOf(LF, at);
      if (at === -1) return bytes.length;
      at++;
      if (bytes[at] === LF) break;
    }
  } else {
    for (;;) {
      while (at < bytes.length && !isLineEnd(bytes[at])) at++;
      if (at >= bytes.length) return bytes.length;
      at += lineEndLength(bytes, at);
      if (isLineEnd(bytes[at])) break;
    }
  }
  while (at < bytes.length && isLineEnd(bytes[at])) at++;
  return at;
}

/** Where the last whole event ends; 0 when none does. */
function lastEventEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > 1; end--) if (isEventEnd(bytes, end)) return end;
  return 0;
}

/** Does a blank line end just before `end`? A \r counts, though a \n may still follow it. */
function isEventEnd(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1];
  if (last !== LF && last !== CR) return false;
  return isLineEnd(bytes[end - (last === LF && bytes[end - 2] === CR ? 3 : 2)]);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

function lineEndLength(bytes: Buffer, at: number): number {
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1;
}

/** Null: only comments, blank lines, or no data. */
export function readSseEvent(bytes: Buffer): SseEvent | null {
  return readSseText(bytes.toString('utf8'));
}

const lineEnds = /\r\n|\n|\r/;

/** As `readSseEvent`, of decoded text. */
export function readSseText(text: string): SseEvent | null {
  let event: string | null = null;
  let data: string | null = null;
  const lines = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).split(lineEnds);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name !== 'data' && name !== 'event') continue;
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    else data = data === null ? value : `${data}\n${value}`;
  }
  return data === null ? null : { event: event === '' ? null : event, data };
}

/** The text of one event. Data of several lines becomes several `data:` lines. */
export function sseEvent(event: string, data: string): string {
  if (data.indexOf('\n') === -1 && data.indexOf('\r') === -1) return `event: ${event}\ndata: ${data}\n\n`;
  return `event: ${event}\n${data
    .split(lineEnds)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}

/** What keeps a silent stream alive. Anthropic's clients know it and ignore it. */
export const pingEvent: string = sseEvent('ping', '{"type":"ping"}');
