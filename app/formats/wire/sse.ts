import { parseObject } from './json.ts';

/**
 * Server-sent events on the way of every byte, after the HTML standard: lines end with \n, \r\n or \r; a blank line
 * ends an event; lines that begin with a colon are comments. Works on bytes, so a chunk may end inside a character.
 */

const LF = 10;
const CR = 13;

/**
 * The largest event that is held until its end comes, in bytes. The last event of a Responses stream repeats the whole
 * answer and what was asked for.
 */
export const largestEvent = 16 * 1024 * 1024;

/**
 * An answer that no model gives: read on, it would fill the memory. `message` is a sentence without the name of the
 * app.
 */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

export interface SseEvent {
  event: string | null;
  data: string;
}

/**
 * Cuts a stream of chunks into whole events. The bytes of everything that is handed out, with `rest()`, are the bytes
 * that came in: where a chunk ends between \r and \n after a blank line, the \n goes in front of the next event, where
 * it means nothing.
 */
export class SseSplitter {
  /** Bytes of the event that has begun and not ended, as they came. */
  #carry: Buffer[] = [];
  #carried = 0;

  /** Whole events, each with its blank line. */
  push(chunk: Buffer): Buffer[] {
    const whole = this.whole(chunk);
    return whole === null ? [] : splitEvents(whole);
  }

  /**
   * All events that are whole by now, in one piece; null when there is none. With nothing carried over and a chunk that
   * ends where an event ends, this is the chunk itself: it can be written as it is. Throws `AnswerTooLarge` for an
   * event that does not end.
   */
  whole(chunk: Buffer): Buffer | null {
    if (this.#carry.length === 0 && isEventEnd(chunk, chunk.length)) return chunk;
    if (chunk.length === 0) return null;
    // A long event comes in many chunks: only the new one is looked through, and they are joined once.
    const end = this.#lastEnd(chunk);
    if (end === 0) {
      this.#keep(chunk);
      return null;
    }
    const whole = chunk.subarray(0, end);
    const bytes = this.#carry.length === 0 ? whole : Buffer.concat([...this.#carry, whole]);
    this.#carry = [];
    this.#carried = 0;
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    return bytes;
  }

  /** What has come of an event that has not ended; null when there is nothing. Taken out by this call. */
  rest(): Buffer | null {
    if (this.#carry.length === 0) return null;
    const rest = Buffer.concat(this.#carry);
    this.#carry = [];
    this.#carried = 0;
    return rest;
  }

  /** Where the last whole event ends in this chunk; 0 when none does. */
  #lastEnd(chunk: Buffer): number {
    if (!chunk.includes(LF) && !chunk.includes(CR)) return 0;
    const inside = lastEventEnd(chunk);
    if (inside > 0 || this.#carry.length === 0) return inside;
    // The blank line may have begun before: at most \r\n\r of it.
    const before = Buffer.concat(this.#carry.slice(-3)).subarray(-3);
    return Math.max(0, lastEventEnd(Buffer.concat([before, chunk.subarray(0, 3)])) - before.length);
  }

  #keep(bytes: Buffer): void {
    this.#carried += bytes.length;
    if (this.#carried > largestEvent)
      throw new AnswerTooLarge(`Copilot sent an event of more than ${largestEvent / 1024 / 1024} MiB.`);
    this.#carry.push(bytes);
    // Each Buffer takes memory of its own besides its bytes: where they come one by one, they are joined as a counter
    // in base 2 carries.
    for (let last = bytes, size = this.#carry.length; size > 1; size--) {
      const one = this.#carry[size - 2];
      if (one === undefined || one.length > last.length) return;
      last = Buffer.concat([one, last]);
      this.#carry.splice(size - 2, 2, last);
    }
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
 * Where the event that begins at `from` ends, its blank line and any further blank lines included; the length when it
 * does not end. `plain` is what `hasOnlyLineFeeds` said of the same bytes.
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

/** Like `readSseEvent`, for decoded text. Never holds all of an event, which may have millions of short lines. */
function readSseText(decoded: string): SseEvent | null {
  return readTwoLines(decoded) ?? readLines(decoded);
}

/** Nearly all events: a name, one line of data, and the blank line. Null if it is another one. */
function readTwoLines(text: string): SseEvent | null {
  const line = text.indexOf('\n');
  if (line <= 'event: '.length || !text.startsWith('event: ') || !text.startsWith('data: ', line + 1)) return null;
  const end = text.indexOf('\n', line + 1);
  const isBlank = end === -1 || (text.length === end + 2 && text.endsWith('\n'));
  if (!isBlank || text.includes('\r')) return null;
  return { event: text.slice(7, line), data: text.slice(line + 7, end === -1 ? text.length : end) };
}

function readLines(decoded: string): SseEvent | null {
  const text = decoded.includes('\r') ? decoded.replace(/\r\n?/g, '\n') : decoded;
  let event: string | null = null;
  const data: string[] = [];
  for (let from = text.charCodeAt(0) === 0xfeff ? 1 : 0, end = 0; end !== -1; from = end + 1) {
    end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (isField(text, 'data', from, to)) data.push(fieldValue(text, from + 4, to));
    else if (isField(text, 'event', from, to)) event = fieldValue(text, from + 5, to);
  }
  return data.length === 0 ? null : { event: event === '' ? null : event, data: data.join('\n') };
}

/** Does this line consist of the name, or of the name, a colon and a value? */
function isField(text: string, name: string, from: number, to: number): boolean {
  const end = from + name.length;
  return text.startsWith(name, from) && end <= to && (end === to || text[end] === ':');
}

/** Text behind the colon, without one space; empty if there is no colon. */
function fieldValue(text: string, colon: number, to: number): string {
  return text.slice(Math.min(to, text[colon + 1] === ' ' ? colon + 2 : colon + 1), to);
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

/** One event's name and data. False: no more of them. */
type TakeSseEvent = (event: string | null, data: string) => boolean;

/**
 * Reads an upstream's events as text, one by one, in whatever chunks they come. Data is JSON or a word, so it holds no
 * line ends.
 */
export class SseFeed {
  readonly #splitter = new SseSplitter();
  readonly #take: TakeSseEvent;

  constructor(take: TakeSseEvent) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    const whole = this.#splitter.whole(chunk);
    if (whole !== null) this.#read(whole.toString('utf8'));
  }

  /** The upstream closed. The last event may lack its blank line; half an event is no event. */
  end(): void {
    const rest = this.#splitter.rest()?.toString('utf8') ?? '';
    const data = readSseText(rest)?.data;
    if (data !== undefined && (data.trim() === '[DONE]' || parseObject(data) !== null)) this.#read(rest);
  }

  #read(decoded: string): void {
    const text = decoded.includes('\r') ? decoded.replace(/\r\n?/g, '\n') : decoded;
    for (let from = 0, more = true; from < text.length && more; ) {
      if (text.charCodeAt(from) === 10) {
        from++;
        continue;
      }
      const found = text.indexOf('\n\n', from);
      const end = found === -1 ? text.length : found;
      more = this.#event(text.slice(from, end));
      from = end + 2;
    }
  }

  /** Nearly always `data: …`, or `event: …` and one line of data. */
  #event(text: string): boolean {
    const line = text.indexOf('\n');
    if (line === -1 && text.startsWith('data: ')) return this.#take(null, text.slice(6));
    const event =
      text.startsWith('event: ') && text.startsWith('data: ', line + 1) && !text.includes('\n', line + 1)
        ? { event: text.slice(7, line), data: text.slice(line + 7) }
        : readSseText(text);
    return event === null || this.#take(event.event, event.data);
  }
}

/** Texts on their way to the client, until they are taken as bytes. */
export class WrittenTexts {
  #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  /** Null when there is nothing. */
  take(): Buffer | null {
    if (this.#texts.length === 0) return null;
    const bytes = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    return bytes;
  }
}
