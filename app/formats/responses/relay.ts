import { type AnswerReader, type AnswerUsage, noFacts, noteBlock, readCopilotUsage } from '../answer/answer.ts';
import { EventShape, ShapedFeed } from '../answer/event-shape.ts';
import { cutFailure, readStreamError } from '../answer/stream-error.ts';
import { failureEvents, type OpenAiError } from '../openai/error.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { SseFeed, sseEvent } from '../wire/sse.ts';

const deltaKey = '"delta":"';
const idKey = '"item_id":"';
/** Where so many in a row differ in something else, too, it is not looked for any more. */
const mostUnknownFields = 50;
/** What differs from delta to delta. */
const passing = [deltaKey, idKey, '"obfuscation":"', '"sequence_number":'];

/**
 * The way of a Responses stream whose client speaks Responses, too. Events go on as they came; those that hold the
 * response itself bear the name that was asked for. Copilot names a response and its items anew in every event, by
 * which their official SDK takes them for others: each keeps the first id it had; items are told by `output_index`. The
 * end is `response.completed` or `response.incomplete`; `response.failed` and `error` are failures, told by the caller.
 */
export class ResponsesRelay implements AnswerReader {
  readonly facts = noFacts();
  readonly #model: string;
  readonly #feed = new ShapedFeed(this);
  /** Items by their place in the output. */
  readonly #items = new Map<number, string>();
  #id: string | null = null;
  /** Every event has its number. */
  #events = 0;
  /**
   * The last delta, where the next one may be the same but for its words, number and id. `words`, `id`: which value;
   * `named`: what stands for the id.
   */
  #plain: { shape: EventShape; words: number; id: number; named: Buffer | null } | null = null;

  /** Deltas in a row that were not like the one before. */
  #unknownFields = 0;

  constructor(options: { model: string }) {
    this.#model = options.model;
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#over) return null;
    this.#feed.push(chunk);
    return this.#feed.takeBytes();
  }

  end(): Buffer | null {
    if (this.#over) return null;
    this.#feed.end();
    if (!this.#over) this.facts.failure = cutFailure();
    return this.#feed.takeBytes();
  }

  /** The last events of a stream that failed. */
  readonly failure = (error: OpenAiError): string =>
    failureEvents({ id: this.#id, model: this.#model }, this.#events, error);

  get #over(): boolean {
    return this.facts.ended || this.facts.failure !== null;
  }

  take(event: string | null, data: string, raw: Buffer): boolean {
    if (data.startsWith('[DONE]')) return true;
    this.#plain = null;
    const value = parseObject(data);
    if (value === null) {
      this.facts.unreadable++;
      return true;
    }
    this.facts.started = true;
    const type = typeof value.type === 'string' ? value.type : event;
    this.#known(type, value, data, raw);
    return !this.#over;
  }

  /**
   * Nearly every event is the delta before with other words, another number and another id: told by its bytes, it is
   * not parsed.
   */
  same(bytes: Buffer, from: number): number {
    const plain = this.#plain;
    const to = plain === null ? -1 : plain.shape.endOf(bytes, from);
    if (plain === null || to === -1) return -1;
    const { shape, named, words, id } = plain;
    this.#unknownFields = 0;
    const { spans } = shape;
    this.#events++;
    this.facts.said += (spans[2 * words + 1] ?? 0) - (spans[2 * words] ?? 0);
    if (named === null) {
      this.#feed.write(bytes.subarray(from, to));
      return to;
    }
    const [start, end] = [spans[2 * id] ?? from, spans[2 * id + 1] ?? from];
    const written = Buffer.allocUnsafe(to - from - (end - start) + named.length);
    const behind = start - from + named.length;
    bytes.copy(written, 0, from, start);
    named.copy(written, start - from);
    bytes.copy(written, behind, end, to);
    this.#feed.write(written);
    return to;
  }

  #remember({ output_index: at, item_id: named }: JsonObject, event: string, raw: Buffer): void {
    if (++this.#unknownFields > mostUnknownFields) return;
    const shape = raw.equals(Buffer.from(event)) ? EventShape.of(raw, passing) : null;
    const [words = -1, id = -1] = [shape?.keys.indexOf(deltaKey), shape?.keys.indexOf(idKey)];
    if (shape === null || words === -1 || typeof at !== 'number' || (id === -1) !== (named === undefined)) return;
    const known = JSON.stringify(this.#items.get(at) ?? '').slice(1, -1);
    this.#plain = { shape, words, id, named: id === -1 ? null : Buffer.from(known) };
  }

  #known(type: string | null, value: JsonObject, data: string, raw: Buffer): void {
    const { facts } = this;
    facts.copilotUsage = readCopilotUsage(value.copilot_usage) ?? facts.copilotUsage;
    if (type === null || type === 'error') {
      facts.failure = readStreamError(data);
      return;
    }
    if (type === 'response.output_item.added') {
      facts.contentBegan = true;
      if (isObject(value.item)) noteBlock(facts, value.item.type, value.item.name);
    }
    if (typeof value.delta === 'string') facts.said += value.delta.length;
    // An end that says nothing of what has ended is none.
    if (!isObject(value.response) && ends.has(type)) {
      facts.failure = cutFailure();
      return;
    }
    if (!isObject(value.response)) {
      const renamed = this.#nameItem(value);
      if (type.endsWith('.delta') && typeof value.delta === 'string') this.#remember(value, sseEvent(type, data), raw);
      this.#write(type, renamed ? JSON.stringify(value) : data);
      return;
    }
    this.#response(type, value.response);
    if (facts.failure !== null) return;
    this.#write(type, JSON.stringify(value));
  }

  #write(type: string, data: string): void {
    this.#events++;
    this.#feed.write(Buffer.from(sseEvent(type, data)));
  }

  /** True when the event was changed. */
  #nameItem(event: JsonObject): boolean {
    const { output_index: at, item, item_id: named } = event;
    if (typeof at !== 'number') return false;
    let changed = false;
    if (isObject(item) && typeof item.id === 'string') {
      const id = this.#idOf(at, item.id);
      changed = id !== item.id;
      item.id = id;
    }
    if (typeof named === 'string') {
      const id = this.#idOf(at, named);
      changed ||= id !== named;
      event.item_id = id;
    }
    return changed;
  }

  #idOf(at: number, id: string): string {
    const known = this.#items.get(at);
    if (known === undefined) this.#items.set(at, id);
    return known ?? id;
  }

  /** Changes the parsed event itself, which is used here alone. */
  #response(type: string, response: JsonObject): void {
    const { facts } = this;
    if (isObject(response.usage)) readResponsesUsage(response.usage, facts.usage);
    facts.copilotUsage = readCopilotUsage(response.copilot_usage) ?? facts.copilotUsage;
    this.#id ??= typeof response.id === 'string' ? response.id : null;
    if (this.#id !== null) response.id = this.#id;
    for (const [at, item] of Array.isArray(response.output) ? response.output.entries() : []) {
      if (isObject(item) && typeof item.id === 'string') item.id = this.#idOf(at, item.id);
    }
    if (typeof response.model === 'string') {
      facts.upstreamModel = response.model;
      response.model = this.#model;
    }
    if (type === 'response.failed') facts.failure = readStreamError(JSON.stringify({ error: response.error }));
    if (type !== 'response.completed' && type !== 'response.incomplete') return;
    const { incomplete_details: details } = response;
    const reason = isObject(details) && typeof details.reason === 'string' ? details.reason : 'incomplete';
    facts.stopReason = type === 'response.completed' ? 'completed' : reason;
    facts.ended = true;
  }
}

const ends: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * Reads the `usage` of a response. `input_tokens` includes cached ones, ours do not; `output_tokens` includes those of
 * reasoning, as ours do.
 */
export function readResponsesUsage(usage: JsonObject, into: AnswerUsage): void {
  const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const { cached_tokens: cached, cache_write_tokens: written } = details;
  const { input_tokens: input, output_tokens: output } = usage;
  if (isFiniteNumber(cached)) into.cacheRead = cached;
  if (isFiniteNumber(written)) into.cacheWrite = written;
  if (isFiniteNumber(input))
    into.input = Math.max(0, input - (isFiniteNumber(cached) ? cached : 0) - (isFiniteNumber(written) ? written : 0));
  if (isFiniteNumber(output)) into.output = output;
}

/**
 * Turns the events of a Responses stream into the response of `stream: false`: the one of its last event, with the
 * items that were finished before.
 */
export class ResponsesCollector {
  readonly #feed = new SseFeed((_event, data) => this.#data(data));
  /** Items by their place in the output. */
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
