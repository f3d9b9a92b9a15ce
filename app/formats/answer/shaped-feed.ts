import { parseObject } from '../wire/json.ts';
import { eventEnd, hasOnlyLineFeeds, readSseEvent, SseSplitter } from '../wire/sse.ts';
import type { AnswerFacts } from './answer.ts';

export interface ShapedFeedOptions {
  facts: AnswerFacts;
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
  readonly #options: ShapedFeedOptions;
  #written: Buffer[] = [];

  constructor(options: ShapedFeedOptions) {
    this.#options = options;
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
    const { facts, same, take } = this.#options;
    let plain: boolean | null = null;
    for (let from = 0, end = 0; from < bytes.length; from = end) {
      end = same(bytes, from);
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
      if (!take(event.event, event.data, raw)) return;
    }
  }
}
