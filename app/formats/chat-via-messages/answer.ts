import type { AnswerReader } from '../answer/answer.ts';
import { CitedText, citationFields, MessagesBehind } from '../via-messages/answer.ts';
import type { JsonObject } from '../wire/json.ts';
import { WrittenTexts } from '../wire/sse.ts';

interface ChatFromMessagesOptions {
  /** The name the client asked for. */
  model: string;
  id: string;
  /** Seconds since the epoch. */
  created: number;
  includeUsage: boolean;
}

/**
 * The way back of `chatToMessages`: behind any reader that writes a Messages stream, this one writes a chat stream.
 * What maps to what stands in request.ts.
 */
export class ChatFromMessages extends MessagesBehind {
  readonly #options: ChatFromMessagesOptions;
  readonly #written = new WrittenTexts();
  #calls = 0;
  /** The open block is a call for the client. A search that is made here is none. */
  #call: 'bare' | 'with arguments' | null = null;
  readonly #cited = new CitedText();

  constructor(inner: AnswerReader, options: ChatFromMessagesOptions) {
    super(inner);
    this.#options = options;
  }

  protected override takeBytes(): Buffer | null {
    return this.#written.take();
  }

  protected override started(): void {
    this.#delta({ role: 'assistant', content: '' });
  }

  protected override blockStarted(block: JsonObject): void {
    if (block.type === 'text' && typeof block.text === 'string' && block.text !== '') this.#content(block.text);
    if (block.type !== 'tool_use') return;
    const call = { id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
    this.#delta({ tool_calls: [{ index: this.#calls++, ...call }] });
    this.#call = 'bare';
  }

  protected override blockGrew(delta: JsonObject): void {
    if (delta.type === 'text_delta') this.#content(delta.text);
    else if (delta.type === 'citations_delta') this.#cited.cite(delta.citation);
    else if (delta.type === 'thinking_delta') this.#delta({ reasoning_text: delta.thinking });
    else if (delta.type === 'signature_delta') this.#delta({ reasoning_opaque: delta.signature });
    else if (delta.type === 'input_json_delta' && delta.partial_json !== '' && this.#call !== null) {
      this.#call = 'with arguments';
      this.#arguments(delta.partial_json);
    }
  }

  protected override blockStopped(): void {
    if (this.#call === 'bare') this.#arguments('{}');
    this.#call = null;
    this.#annotate();
  }

  #content(text: unknown): void {
    if (typeof text === 'string') this.#cited.add(text);
    this.#delta({ content: text });
  }

  #annotate(): void {
    const cited = this.#cited.endBlock();
    if (cited.length === 0) return;
    const annotations = cited.map((each) => ({ type: 'url_citation', url_citation: citationFields(each) }));
    this.#delta({ annotations });
  }

  #arguments(json: unknown): void {
    this.#delta({ tool_calls: [{ index: this.#calls - 1, function: { arguments: json } }] });
  }

  #delta(delta: JsonObject): void {
    this.#chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  }

  #chunk(rest: JsonObject): void {
    const { id, created, model } = this.#options;
    this.#written.add(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`);
  }

  protected override ended(): void {
    const { stopReason, usage } = this.facts;
    const bill = this.bill === null ? {} : { copilot_usage: this.bill };
    const { includeUsage } = this.#options;
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: finishReasons[stopReason ?? ''] ?? 'stop' }] };
    this.#chunk(includeUsage ? finish : { ...finish, ...bill });
    if (includeUsage) {
      const prompt = (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
      const completion = usage.output ?? 0;
      this.#chunk({
        choices: [],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
          prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
        },
        ...bill,
      });
    }
    this.#written.add('data: [DONE]\n\n');
  }
}

const finishReasons: Record<string, string> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};
