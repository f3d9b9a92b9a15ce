import { parseObject } from '../wire/json.ts';
import { stringEnd } from '../wire/json-bytes.ts';
import { eventEnd, hasOnlyLineFeeds, readSseEvent, SseSplitter } from '../wire/sse.ts';
import type { AnswerFacts } from './answer.ts';

/**
 * What stays the same from one event of a stream to the next: its bytes without the values of a few keys. Events follow
 * each other by the thousand that differ in nothing else, so one that has the shape of an event that was parsed says
 * the same about the answer and need not be parsed itself.
 *
 * A key is given as its JSON is written up to the value: `"delta":"` for a string, `"sequence_number":` for a number. A
 * quote inside a string is escaped, so no key is found in one. Keys that the event does not hold are passed over.
 */
export class EventShape {
  /** Keys whose values are left out, in the order of the event. */
  readonly keys: readonly string[];
  /** One more than there are values. */
  readonly literals: readonly Buffer[];
  /** Where the values stood in the event that matched last: from, to, from, to, … */
  readonly spans: number[] = [];
  readonly #areStrings: readonly boolean[];

  private constructor(keys: readonly string[], literals: readonly Buffer[]) {
    this.keys = keys;
    this.literals = literals;
    this.#areStrings = keys.map(isOfString);
  }

  /** Null if the event has a key more than once: the meant one is unknown. */
  static of(event: Buffer, keys: readonly string[]): EventShape | null {
    const found: { key: string; from: number }[] = [];
    for (const key of keys) {
      const at = event.indexOf(key, 0, 'latin1');
      if (at === -1) continue;
      if (event.includes(key, at + key.length, 'latin1')) return null;
      found.push({ key, from: at + key.length });
    }
    found.sort((one, other) => one.from - other.from);
    const literals: Buffer[] = [];
    let last = 0;
    for (const { key, from } of found) {
      literals.push(Buffer.from(event.subarray(last, from)));
      last = isOfString(key) ? stringEnd(event, from, short) : numberEnd(event, from);
      if (last === -1) return null;
    }
    literals.push(Buffer.from(event.subarray(last)));
    return new EventShape(
      found.map(({ key }) => key),
      literals,
    );
  }

  /**
   * Where the event ends that begins here, if it has this shape: then `spans` says where its values stand. -1: it has
   * another.
   */
  endOf(bytes: Buffer, from: number): number {
    const { literals, spans } = this;
    const strings = this.#areStrings;
    let at = from;
    for (let n = 0; n < strings.length; n++) {
      const literal = literals[n];
      if (literal === undefined || !isAt(bytes, at, literal)) return -1;
      at += literal.length;
      const near = (spans[2 * n + 1] ?? 0) - (spans[2 * n] ?? 0) < short;
      const end = strings[n] === true ? stringEnd(bytes, at, near ? short : 0) : numberEnd(bytes, at);
      if (end === -1) return -1;
      spans[2 * n] = at;
      spans[2 * n + 1] = end;
      at = end;
    }
    const rest = literals[strings.length];
    return rest !== undefined && isAt(bytes, at, rest) ? at + rest.length : -1;
  }
}

/** Below this a loop is faster than a call out of JavaScript. */
const short = 96;

function isOfString(key: string): boolean {
  return key.endsWith('"');
}

function isAt(bytes: Buffer, at: number, literal: Buffer): boolean {
  const { length } = literal;
  if (at + length > bytes.length) return false;
  if (length > short) return bytes.compare(literal, 0, length, at, at + length) === 0;
  for (let n = 0; n < length; n++) if (bytes[at + n] !== literal[n]) return false;
  return true;
}

/** -1 where there is no digit. */
function numberEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 48 && byte <= 57; byte = bytes[++at]);
  return at === from ? -1 : at;
}

/** Relays the events. */
interface Relaying {
  readonly facts: AnswerFacts;
  /**
   * Where the event ends that begins here, if it is known by its bytes, and what it becomes was written; -1: it has to
   * be read.
   */
  same(bytes: Buffer, from: number): number;
  /** One event that was read, and its bytes. False: no more of them. */
  take(event: string | null, data: string, bytes: Buffer): boolean;
}

/**
 * Leads an upstream's events to what relays them, one by one, and collects what is written for them. Most are known by
 * their bytes and never become text.
 */
export class ShapedFeed {
  readonly #splitter = new SseSplitter();
  readonly #relay: Relaying;
  #written: Buffer[] = [];

  constructor(relay: Relaying) {
    this.#relay = relay;
  }

  push(chunk: Buffer): void {
    const whole = this.#splitter.whole(chunk);
    if (whole !== null) this.#read(whole);
  }

  /** The upstream closed. The last event may lack its blank line; half an event is no event. */
  end(): void {
    const rest = this.#splitter.rest();
    const data = rest === null ? undefined : readSseEvent(rest)?.data;
    if (rest !== null && data !== undefined && (data.trim() === '[DONE]' || parseObject(data) !== null))
      this.#read(Buffer.concat([rest, Buffer.from('\n\n')]));
  }

  write(bytes: Buffer): void {
    this.#written.push(bytes);
  }

  /** What was written since the last call; null when nothing was. */
  takeBytes(): Buffer | null {
    const [first] = this.#written;
    if (first === undefined) return null;
    const bytes = this.#written.length === 1 ? first : Buffer.concat(this.#written);
    this.#written = [];
    return bytes;
  }

  #read(bytes: Buffer): void {
    const relay = this.#relay;
    const { facts } = relay;
    let plain: boolean | null = null;
    for (let from = 0, end = 0; from < bytes.length; from = end) {
      end = relay.same(bytes, from);
      if (end !== -1) {
        facts.events++;
        continue;
      }
      plain ??= hasOnlyLineFeeds(bytes);
      end = eventEnd(bytes, from, plain);
      const raw = bytes.subarray(from, end);
      const event = readSseEvent(raw);
      if (event === null) continue;
      facts.events++;
      if (!relay.take(event.event, event.data, raw)) return;
    }
  }
}
