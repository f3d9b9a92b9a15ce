import { grown } from '../answer/answer.ts';
import { isObject, type JsonObject, parseExactJson, parseObject } from '../wire/json.ts';
import { readSseEvent, SseSplitter } from '../wire/sse.ts';
import { MessagesGrammar } from './grammar.ts';
import { type Block, isBlock, type WholeMessage } from './request.ts';

/** Why there is no whole message. `message` is a sentence without the name of the app. */
interface CollectorProblem {
  /**
   * `unfinished`: no message_stop. `tool-input`: the arguments of a finished tool call are no JSON object, and a whole
   * message has no place for anything else. `grammar`: events in an order that means nothing. `unreadable`: an event
   * whose data is not JSON.
   */
  kind: 'unfinished' | 'tool-input' | 'grammar' | 'unreadable';
  message: string;
}

/**
 * Turns the events of a client's stream into the one JSON message of `stream: false`. Takes what either reader writes,
 * in any cuts.
 *
 * Nothing is repaired: tool arguments that do not parse are a problem, never an empty or a completed input, for a
 * client runs what it gets. Blocks, deltas and fields unknown today are kept.
 */
export class MessagesCollector {
  readonly #splitter = new SseSplitter();
  readonly #grammar = new MessagesGrammar();
  readonly #blocks: Collected[] = [];
  #message: JsonObject | null = null;
  #usage: JsonObject = {};
  #problem: CollectorProblem | null = null;

  push(bytes: Buffer): void {
    for (const event of this.#splitter.push(bytes)) this.#event(event);
  }

  /** Null until message_stop was there, and for good when there is a problem. */
  message(): WholeMessage | null {
    if (!this.#grammar.ended || this.#problem !== null || this.#message === null) return null;
    return {
      ...this.#message,
      id: text(this.#message.id) ?? '',
      type: 'message',
      role: 'assistant',
      model: text(this.#message.model) ?? '',
      content: this.#blocks.map(({ block }) => block),
      stop_reason: text(this.#message.stop_reason),
      stop_sequence: text(this.#message.stop_sequence),
      usage: this.#usage,
    };
  }

  /** Null when the message is whole. */
  problem(): CollectorProblem | null {
    if (this.#problem !== null || this.#grammar.ended) return this.#problem;
    return { kind: 'unfinished', message: 'The answer ended before it was complete.' };
  }

  #event(bytes: Buffer): void {
    const event = readSseEvent(bytes);
    if (event === null || event.data === '[DONE]' || this.#problem !== null) return;
    const data = parseObject(event.data);
    if (data === null) {
      this.#problem = { kind: 'unreadable', message: 'The answer holds an event that is not JSON.' };
      return;
    }
    const type = text(data.type) ?? event.event ?? '';
    const index = typeof data.index === 'number' ? data.index : null;
    const violation = this.#grammar.take(type, index, detailOf(data));
    if (violation !== null) {
      // Events after the end are ignored.
      if (!this.#grammar.ended && !this.#grammar.failed)
        this.#problem = { kind: 'grammar', message: `The answer is out of order: ${violation}.` };
      return;
    }
    this.#take(type, data);
  }

  #take(type: string, data: JsonObject): void {
    const open = this.#blocks.at(-1);
    switch (type) {
      case 'message_start':
        this.#message = isObject(data.message) ? { ...data.message } : {};
        this.#addUsage(this.#message.usage);
        break;
      case 'content_block_start':
        this.#blocks.push(new Collected(isBlock(data.content_block) ? data.content_block : { type: 'unknown' }));
        break;
      case 'content_block_delta':
        if (isObject(data.delta)) open?.add(data.delta);
        break;
      case 'content_block_stop':
        if (open !== undefined) this.#problem = open.close();
        break;
      case 'message_delta': {
        const { type: _type, delta, usage, ...extras } = data;
        Object.assign(this.#message ?? {}, isObject(delta) ? delta : {}, extras);
        this.#addUsage(usage);
        break;
      }
      case 'message_stop': {
        const { type: _type, ...extras } = data;
        Object.assign(this.#message ?? {}, extras);
        break;
      }
    }
  }

  /** message_delta says the last word; a null says nothing. */
  #addUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    for (const [key, value] of Object.entries(usage))
      if (value !== null || !(key in this.#usage)) this.#usage[key] = value;
  }
}

/** One block and what its deltas add. */
class Collected {
  readonly block: Block;
  #json: string | null = null;

  constructor(start: Block) {
    this.block = { ...start };
  }

  add(delta: JsonObject): void {
    const { block } = this;
    if (delta.type === 'input_json_delta') {
      this.#json = (this.#json ?? '') + (text(delta.partial_json) ?? '');
      return;
    }
    if (delta.type === 'citations_delta') {
      block.citations = grown(block.citations, [delta.citation]);
      return;
    }
    // text_delta {text}, thinking_delta {thinking}, signature_delta {signature}, and whatever comes: strings and lists
    // grow, the rest is set.
    for (const [key, value] of Object.entries(delta)) if (key !== 'type') block[key] = grown(block[key], value);
  }

  close(): CollectorProblem | null {
    if (this.#json === null || this.#json === '') return null;
    const input = parseExactObject(this.#json);
    if (input === null) {
      const name = text(this.block.name) ?? this.block.type;
      return { kind: 'tool-input', message: `The arguments of the call of ${name} are not a JSON object.` };
    }
    this.block.input = input;
    return null;
  }
}

/** Like `parseObject`, but numbers keep their digits, because clients act on them. */
function parseExactObject(json: string): JsonObject | null {
  try {
    const value = parseExactJson(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function detailOf(data: JsonObject): string | null {
  const inner = isObject(data.content_block) ? data.content_block : isObject(data.delta) ? data.delta : null;
  return inner === null ? null : text(inner.type);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
