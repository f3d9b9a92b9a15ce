import { parseObject } from './json.ts';
import { readSseText, SseSplitter } from './sse.ts';

/** One event's name and data. False: no more of them. */
export type TakeSseEvent = (event: string | null, data: string) => boolean;

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
