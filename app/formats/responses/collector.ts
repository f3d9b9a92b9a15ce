import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { SseFeed } from '../wire/sse-feed.ts';

/**
 * Turns the events of a Responses stream into the response of `stream: false`: the one of its last event, with the
 * items that were finished before.
 */
export class ResponsesCollector {
  readonly #feed = new SseFeed((_event, data) => this.#data(data));
  /** By the place in the output. */
  readonly #items = new Map<number, JsonObject>();
  #response: JsonObject | null = null;

  push(bytes: Buffer): void {
    this.#feed.push(bytes);
  }

  /** Null until the stream came to its end. */
  answer(): JsonObject | null {
    if (this.#response === null) return null;
    const { output } = this.#response;
    const items = [...this.#items.entries()].sort(([one], [other]) => one - other).map(([, item]) => item);
    return Array.isArray(output) && output.length > 0 ? this.#response : { ...this.#response, output: items };
  }

  #data(data: string): boolean {
    const { type, item, output_index: at, response, copilot_usage: bill } = parseObject(data) ?? {};
    if (type === 'response.output_item.done' && isObject(item) && typeof at === 'number') this.#items.set(at, item);
    if ((type !== 'response.completed' && type !== 'response.incomplete') || !isObject(response)) return true;
    this.#response = bill === undefined ? response : { copilot_usage: bill, ...response };
    return false;
  }
}
