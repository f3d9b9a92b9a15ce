import type { AnswerFacts, AnswerReader } from '../answer/answer.ts';
import { cutFailure, readStreamError } from '../answer/stream-error.ts';
import { readChatUsage, reasoningTokensOf } from '../chat/relay.ts';
import { ChatToolCalls } from '../chat/tool-calls.ts';
import type { MessagesWriter } from '../messages/writer.ts';
import { TranslatedMessage, type TranslatedMessageOptions } from '../messages-via/translated-message.ts';
import { chatSignature } from '../translation/reasoning.ts';
import { StopCutter } from '../translation/stop-cutter.ts';
import type { ToolNames } from '../translation/tool-names.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { SseFeed } from '../wire/sse.ts';

export interface FromChatOptions extends TranslatedMessageOptions {
  toolNames: ToolNames;
  /** Cut here, because the upstream didn't get them. */
  stopSequences?: string[];
}

/**
 * The way back of `messagesToChat`: chunks of a chat stream in, events of a Messages stream out. What maps to what
 * stands in request.ts.
 *
 * A finish reason is only kept when it comes, for deltas, usage and the bill may follow it; the message ends at
 * `[DONE]`, or when the upstream closes after a finish reason. Without one the answer was cut: then nothing is closed,
 * so that no client takes it for whole.
 */
export class MessagesFromChat implements AnswerReader {
  readonly facts: AnswerFacts;
  readonly #message: TranslatedMessage;
  readonly #writer: MessagesWriter;
  readonly #feed: SseFeed;
  readonly #calls: ChatToolCalls;
  readonly #stops: StopCutter | null;
  #finish: FinishReason | null = null;
  #filtered: string | null = null;
  /** Received but not written yet; written with the next end of a block. */
  #opaque: string | null = null;
  #opaqueWritten: string | null = null;

  constructor(options: FromChatOptions) {
    const { stopSequences: stops } = options;
    this.#message = new TranslatedMessage(options);
    this.facts = this.#message.facts;
    this.#writer = this.#message.writer;
    this.#feed = new SseFeed((event, data) => this.#event(event, data));
    this.#stops = stops !== undefined && stops.length > 0 ? new StopCutter(stops) : null;
    this.#calls = new ChatToolCalls(
      {
        open: (id, name) => {
          this.#beginBlock();
          this.#writer.openToolUse(id, options.toolNames.original(name));
        },
        add: (json) => this.#writer.add(json),
        close: () => this.#writer.close(),
      },
      (count) => `toolu_${options.messageId}_${count}`,
    );
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#over) return null;
    this.#feed.push(chunk);
    return this.#writer.takeBytes();
  }

  end(): Buffer | null {
    if (this.#over) return null;
    this.#feed.end();
    if (!this.#over) {
      if (this.#finish === null) this.facts.failure = cutFailure();
      else this.#end(null);
    }
    return this.#writer.takeBytes();
  }

  get #over(): boolean {
    return this.#message.over;
  }

  #event(event: string | null, data: string): boolean {
    this.facts.events++;
    if (event === 'error') {
      this.facts.started = true;
      this.facts.failure = readStreamError(data);
    } else this.#data(data);
    return !this.#over;
  }

  #data(data: string): void {
    if (data.startsWith('[DONE]')) {
      if (this.#finish === null) this.facts.failure = cutFailure();
      else this.#end(null);
      return;
    }
    const chunk = parseObject(data);
    if (chunk === null) this.facts.unreadable++;
    else this.#chunk(chunk, data);
  }

  #chunk(chunk: JsonObject, data: string): void {
    const { facts } = this;
    const { choices, usage } = chunk;
    facts.started = true;
    if (isError(chunk)) {
      facts.failure = readStreamError(data);
      return;
    }
    if (typeof chunk.model === 'string' && chunk.model !== '') facts.upstreamModel = chunk.model;
    if (isObject(usage)) {
      readChatUsage(usage, facts.usage);
      const reasoning = reasoningTokensOf(usage);
      if (reasoning > 0) facts.reasoningTokens = reasoning;
      this.#message.addBill(usage.copilot_usage);
    }
    this.#message.addBill(chunk.copilot_usage);
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      if (isObject(choice) && !this.#over) this.#choice(choice);
    }
  }

  /** `delta` in a stream, `message` in a whole answer, `text` in an old one. */
  #choice(choice: JsonObject): void {
    const delta = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {};
    if (typeof delta.reasoning_text === 'string') this.#thinking(delta.reasoning_text);
    if (typeof delta.reasoning_opaque === 'string') this.#reasoningOpaque(delta.reasoning_opaque);
    this.#text(typeof delta.content === 'string' ? delta.content : typeof choice.text === 'string' ? choice.text : '');
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#message.addRefusal(delta.refusal);
      this.#text(delta.refusal);
    }
    if (Array.isArray(delta.tool_calls) && !this.#over) this.#toolCalls(delta.tool_calls, choice.index);
    if (typeof choice.finish_reason === 'string') this.#finished(choice.finish_reason, choice.content_filter_results);
  }

  #thinking(text: string): void {
    if (text === '') return;
    if (this.#writer.open !== 'thinking') {
      if (!this.#settle()) return;
      this.#beginBlock();
      this.#writer.openThinking();
    }
    this.#writer.add(text);
  }

  #reasoningOpaque(opaque: string): void {
    if (opaque !== '' && opaque !== this.#opaqueWritten) this.#opaque = opaque;
  }

  #text(added: string): void {
    if (added === '' || this.#over) return;
    const { text, hit } = this.#stops?.push(added) ?? { text: added, hit: null };
    this.#writeText(text);
    if (hit !== null) this.#end(hit);
  }

  #writeText(text: string): void {
    if (text === '') return;
    if (this.#writer.open !== 'text') {
      if (!this.#flushCalls()) return;
      this.#beginBlock();
      this.#writer.openText();
    }
    this.#writer.add(text);
  }

  #toolCalls(fragments: readonly unknown[], choice: unknown): void {
    this.#writeText(this.#stops?.flush() ?? '');
    this.#failWith(this.#calls.add(fragments, typeof choice === 'number' ? choice : 0));
  }

  #finished(reason: string, filterResults: unknown): void {
    const found = finishReason(reason);
    if (this.#finish === null || rank[found] > rank[this.#finish]) this.#finish = found;
    if (found === 'content_filter') this.#filtered ??= filteredCategory(filterResults);
  }

  /** Sends what is held back before something of another kind. False if that failed. */
  #settle(): boolean {
    this.#writeText(this.#stops?.flush() ?? '');
    return this.#flushCalls();
  }

  #flushCalls(): boolean {
    return this.#failWith(this.#calls.flush());
  }

  #failWith(message: string | null): boolean {
    if (message === null) return true;
    this.#message.fail(message);
    return false;
  }

  /** Before a block: the message has begun, the block before is closed, and an opaque part that waited has its own. */
  #beginBlock(): void {
    this.#message.begin();
    this.#closeBlock();
    this.#writeLateOpaque();
    this.facts.contentBegan = true;
  }

  #closeBlock(): void {
    if (this.#writer.open === null) return;
    // Without a signature a client may drop the block, and its text could not go back with an opaque part that comes
    // later.
    if (this.#writer.open === 'thinking') this.#sign();
    this.#writer.close();
  }

  #writeLateOpaque(): void {
    if (this.#opaque === null) return;
    this.facts.contentBegan = true;
    this.#writer.openThinking();
    this.#sign();
    this.#writer.close();
  }

  #sign(): void {
    this.#writer.sign(chatSignature(this.#opaque ?? ''));
    this.#opaqueWritten = this.#opaque ?? this.#opaqueWritten;
    this.#opaque = null;
  }

  #end(stopSequence: string | null): void {
    if (!this.#settle()) return;
    this.#message.begin();
    this.#closeBlock();
    this.#writeLateOpaque();
    const stopReason = stopSequence === null ? this.#stopReason() : 'stop_sequence';
    this.#message.end({ stopReason, stopSequence, category: this.#filtered });
  }

  #stopReason(): string {
    if (this.#finish === 'content_filter' || this.#message.refused) return 'refusal';
    if (this.#finish === 'length') return 'max_tokens';
    // Some models say `stop` after a tool call.
    return this.#calls.count > 0 ? 'tool_use' : 'end_turn';
  }
}

type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** With several choices the worst end counts. */
const rank: Record<FinishReason, number> = { stop: 0, tool_calls: 1, length: 2, content_filter: 3 };

function finishReason(reason: string): FinishReason {
  switch (reason) {
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason;
    default:
      return 'stop';
  }
}

function isError(chunk: JsonObject): boolean {
  if (isObject(chunk.error) || typeof chunk.error === 'string') return true;
  return chunk.type === 'error' || (chunk.choices === undefined && typeof chunk.message === 'string');
}

function filteredCategory(results: unknown): string | null {
  if (!isObject(results)) return null;
  const found = Object.entries(results).find(([, result]) => isObject(result) && result.filtered === true);
  return found?.[0] ?? null;
}
