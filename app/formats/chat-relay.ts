import { type AnswerReader, noFacts, noteBlock, noteText } from './answer.ts';
import { readChatUsage } from './chat-usage.ts';
import { readCopilotUsage } from './copilot-usage.ts';
import { isObject, type JsonObject, parseObject } from './json.ts';
import { SseFeed } from './sse-feed.ts';
import { cutFailure, readStreamError } from './stream-error.ts';

export interface ChatRelayOptions {
  /** The name the client asked for; every chunk bears it. */
  model: string;
  /** The client asked for the last chunk, which holds nothing but usage. */
  includeUsage: boolean;
}

/**
 * The way of a chat stream whose client speaks Chat Completions, too. Chunks go on with all their fields, Copilot's own among them. What changes:
 * the model's name; chunks without a choice go on only as the usage that was asked for; calls that all bear the index 0
 * (`sse-chat-claude35sonnet-multiple-tool-calls`) get one each, for a client would join their arguments. `[DONE]` is written once, at the end.
 */
export class ChatRelay implements AnswerReader {
  readonly facts = noFacts();
  readonly #options: ChatRelayOptions;
  readonly #feed = new SseFeed((event, data) => this.#event(event, data));
  /** By the index of the choice. */
  readonly #calls = new Map<number, CallIndexes>();
  #written: string[] = [];

  constructor(options: ChatRelayOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#over) return null;
    this.#feed.push(chunk);
    return this.#take();
  }

  end(): Buffer | null {
    if (this.#over) return null;
    this.#feed.end();
    if (!this.#over) this.#end();
    return this.#take();
  }

  get #over(): boolean {
    return this.facts.ended || this.facts.failure !== null;
  }

  #take(): Buffer | null {
    if (this.#written.length === 0) return null;
    const bytes = Buffer.from(this.#written.join(''));
    this.#written = [];
    return bytes;
  }

  /** Without a finish reason the answer was cut. */
  #end(): void {
    if (this.facts.stopReason === null) {
      this.facts.failure = cutFailure();
      return;
    }
    this.facts.ended = true;
    this.#written.push('data: [DONE]\n\n');
  }

  #event(event: string | null, data: string): boolean {
    const { facts } = this;
    facts.events++;
    if (data.startsWith('[DONE]')) {
      this.#end();
      return false;
    }
    const chunk = parseObject(data);
    if (event === 'error' || (chunk !== null && isObject(chunk.error))) {
      facts.started = true;
      facts.failure = readStreamError(data);
      return false;
    }
    if (chunk === null) facts.unreadable++;
    else this.#chunk(chunk);
    return true;
  }

  #chunk(chunk: JsonObject): void {
    const { facts } = this;
    facts.started = true;
    if (typeof chunk.model === 'string' && chunk.model !== '') facts.upstreamModel = chunk.model;
    if (isObject(chunk.usage)) {
      readChatUsage(chunk.usage, facts.usage);
      facts.copilotUsage = readCopilotUsage(chunk.usage.copilot_usage) ?? facts.copilotUsage;
    }
    facts.copilotUsage = readCopilotUsage(chunk.copilot_usage) ?? facts.copilotUsage;
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of choices) if (isObject(choice)) this.#choice(choice);
    // Filter results of the prompt come without a choice; clients that look at the first one would break.
    if (choices.length === 0 && !(isObject(chunk.usage) && this.#options.includeUsage)) return;
    chunk.model = this.#options.model;
    this.#written.push(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  #choice(choice: JsonObject): void {
    const { facts } = this;
    if (isObject(choice.delta)) {
      const { content, refusal, reasoning_text: reasoning, tool_calls: calls } = choice.delta;
      if ([content, refusal, reasoning].some((text) => typeof text === 'string' && text !== ''))
        facts.contentBegan = true;
      noteText(facts, 'reasoning', reasoning);
      noteText(facts, 'text', content);
      noteText(facts, 'refusal', refusal);
      if (Array.isArray(calls) && calls.length > 0) {
        facts.contentBegan = true;
        this.#number(calls, typeof choice.index === 'number' ? choice.index : 0);
      }
    }
    if (typeof choice.finish_reason === 'string') facts.stopReason = choice.finish_reason;
  }

  #number(calls: unknown[], choice: number): void {
    const indexes = this.#calls.get(choice) ?? new CallIndexes();
    this.#calls.set(choice, indexes);
    for (const call of calls) {
      if (!isObject(call)) continue;
      call.index = indexes.of(call);
      if (!isObject(call.function)) continue;
      const { name, arguments: json } = call.function;
      if (typeof name === 'string' && name !== '') noteBlock(this.facts, 'tool_call', name);
      if (typeof json === 'string') this.facts.said += json.length;
    }
  }
}

/** A new id that is not empty begins a new call, whatever index it bears. */
class CallIndexes {
  #count = 0;
  readonly #open = new Map<number, { id: string; index: number }>();

  of(call: JsonObject): number {
    const wire = typeof call.index === 'number' ? call.index : 0;
    const id = typeof call.id === 'string' ? call.id : '';
    const open = this.#open.get(wire);
    if (open !== undefined && (id === '' || id === open.id)) return open.index;
    const index = this.#count++;
    this.#open.set(wire, { id, index });
    return index;
  }
}
