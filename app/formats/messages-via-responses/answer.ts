import type { AnswerFacts, AnswerReader } from '../answer/answer.ts';
import { cutFailure, readStreamError } from '../answer/stream-error.ts';
import type { MessagesWriter } from '../messages/writer.ts';
import { TranslatedMessage, type TranslatedMessageOptions } from '../messages-via/translated-message.ts';
import { type ItemSink, ResponseItems } from '../responses/items.ts';
import { readResponsesUsage } from '../responses/relay.ts';
import { responsesSignature } from '../translation/reasoning.ts';
import { StopCutter } from '../translation/stop-cutter.ts';
import type { ToolNames } from '../translation/tool-names.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { SseFeed } from '../wire/sse.ts';

export interface FromResponsesOptions extends TranslatedMessageOptions {
  /** The model as the request named it: its reasoning goes back to it alone. */
  servedModel: string;
  toolNames: ToolNames;
  /** Cut here, because the upstream didn't get them. */
  stopSequences?: string[];
}

/**
 * The way back of `messagesToResponses`: events of a Responses stream in, events of a Messages stream out. What maps to
 * what stands in request.ts.
 *
 * The message ends with `response.completed` or `response.incomplete`. An upstream that closes before one of them has
 * cut the answer: then nothing is closed, so that no client takes it for whole.
 */
export class MessagesFromResponses implements AnswerReader {
  readonly facts: AnswerFacts;
  readonly #message: TranslatedMessage;
  readonly #writer: MessagesWriter;
  readonly #feed: SseFeed;
  readonly #items: ResponseItems;

  constructor(options: FromResponsesOptions) {
    this.#message = new TranslatedMessage(options);
    this.facts = this.#message.facts;
    this.#writer = this.#message.writer;
    this.#feed = new SseFeed((event, data) => this.#event(event, data));
    this.#items = new ResponseItems(new Blocks(this.#message, options));
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#message.over) return null;
    this.#feed.push(chunk);
    return this.#writer.takeBytes();
  }

  end(): Buffer | null {
    if (this.#message.over) return null;
    this.#feed.end();
    if (!this.#message.over) this.facts.failure = cutFailure();
    return this.#writer.takeBytes();
  }

  #event(name: string | null, data: string): boolean {
    this.facts.events++;
    const event = parseObject(data);
    if (event !== null) this.#take(typeof event.type === 'string' ? event.type : (name ?? ''), event, data);
    else if (name === 'error') this.#failed(data);
    else if (data.startsWith('[DONE]')) this.facts.failure = cutFailure();
    else this.facts.unreadable++;
    return !this.#message.over;
  }

  #take(type: string, event: JsonObject, data: string): void {
    const { output_index: index, delta, item, response } = event;
    this.facts.started = true;
    switch (type) {
      case 'response.output_text.delta':
        if (typeof delta === 'string') this.#items.addText(index, delta);
        return;
      case 'response.function_call_arguments.delta':
        if (typeof delta === 'string') this.#items.addArguments(index, delta);
        return;
      case 'response.reasoning_summary_text.delta':
        if (typeof delta === 'string') this.#items.addThinking(index, event.summary_index, delta);
        return;
      case 'response.reasoning_text.delta':
        if (typeof delta === 'string') this.#items.addThinking(index, event.content_index, delta);
        return;
      case 'response.refusal.delta':
        if (typeof delta === 'string') this.#items.addRefusal(index, delta);
        return;
      case 'response.function_call_arguments.done':
        if (typeof event.arguments === 'string') this.#items.allArguments(index, event.arguments);
        return;
      case 'response.output_item.added':
        if (isObject(item)) this.#items.added(index, item);
        return;
      case 'response.output_item.done':
        if (isObject(item)) this.#items.done(index, item);
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        this.#message.addBill(event.copilot_usage);
        this.#end(type.slice('response.'.length), isObject(response) ? response : {});
        return;
      case 'error':
        this.#failed(data);
        return;
      default:
        if (isObject(response)) this.#response(response);
        // An error without a type of its own.
        else if (event.error !== undefined && event.error !== null) this.#failed(data);
    }
  }

  /** What the events around the items say of the answer as a whole. */
  #response(response: JsonObject): void {
    if (typeof response.model === 'string' && response.model !== '') this.facts.upstreamModel = response.model;
    if (isObject(response.usage)) {
      readResponsesUsage(response.usage, this.facts.usage);
      this.#message.addBill(response.usage.copilot_usage);
    }
    this.#message.addBill(response.copilot_usage);
  }

  #end(event: string, response: JsonObject): void {
    this.#response(response);
    const status = typeof response.status === 'string' && ends.has(response.status) ? response.status : event;
    if (status === 'failed' || status === 'cancelled') {
      const error = isObject(response.error) ? response.error : { message: `Copilot ended its answer as ${status}.` };
      this.#failed(JSON.stringify({ error }));
      return;
    }
    if (Array.isArray(response.output)) this.#items.complete(response.output);
    this.#items.flush();
    if (this.#message.over) return;
    const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
    this.#message.end({ stopReason: this.#stopReason(status === 'incomplete', details.reason) });
  }

  #stopReason(incomplete: boolean, reason: unknown): string {
    if (this.#message.refused || (incomplete && reason === 'content_filter')) return 'refusal';
    // Whatever else left it incomplete: there would have been more.
    if (incomplete) return 'max_tokens';
    return this.#items.calls > 0 ? 'tool_use' : 'end_turn';
  }

  #failed(data: string): void {
    this.facts.started = true;
    this.facts.failure = readStreamError(data);
  }
}

const ends = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/** Writes items as the blocks of a message. */
class Blocks implements ItemSink {
  readonly #message: TranslatedMessage;
  readonly #writer: MessagesWriter;
  readonly #options: FromResponsesOptions;
  readonly #stops: StopCutter | null;
  #calls = 0;

  constructor(message: TranslatedMessage, options: FromResponsesOptions) {
    const { stopSequences: stops } = options;
    this.#message = message;
    this.#writer = message.writer;
    this.#options = options;
    this.#stops = stops !== undefined && stops.length > 0 ? new StopCutter(stops) : null;
  }

  get over(): boolean {
    return this.#message.over;
  }

  text(added: string): void {
    const { text, hit } = this.#stops?.push(added) ?? { text: added, hit: null };
    this.#writeText(text);
    if (hit === null) return;
    if (this.#writer.open !== null) this.#writer.close();
    this.#message.end({ stopReason: 'stop_sequence', stopSequence: hit });
  }

  endText(refusal: string): void {
    this.#writeText(this.#stops?.flush() ?? '');
    if (this.#writer.open !== null) this.#writer.close();
    this.#message.addRefusal(refusal);
  }

  thinking(added: string): void {
    if (this.#writer.open === null) this.#openThinking();
    this.#writer.add(added);
  }

  /** Ends the thinking block; without text it still carries the reasoning. */
  endThinking(encrypted: string): void {
    if (this.#writer.open === null) {
      if (encrypted === '') return;
      this.#openThinking();
    }
    this.#writer.sign(responsesSignature(encrypted, this.#options.servedModel));
    this.#writer.close();
  }

  openCall(id: string, name: string): void {
    const { messageId, toolNames } = this.#options;
    this.#begin();
    this.#writer.openToolUse(id || `toolu_${messageId}_${this.#calls}`, toolNames.original(name));
    this.#calls++;
  }

  json(added: string): void {
    this.#writer.add(added);
  }

  endCall(): void {
    this.#writer.close();
  }

  fail(message: string): void {
    this.#message.fail(message);
  }

  #writeText(text: string): void {
    if (text === '') return;
    if (this.#writer.open === null) {
      this.#begin();
      this.#writer.openText();
    }
    this.#writer.add(text);
  }

  #openThinking(): void {
    this.#begin();
    this.#writer.openThinking();
  }

  #begin(): void {
    this.#message.begin();
    this.#message.facts.contentBegan = true;
  }
}
