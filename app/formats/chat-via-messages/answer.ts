import type { AnswerReader } from '../answer/answer.ts';
import { ReaderBehind } from '../answer/reader-behind.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { WrittenTexts } from '../wire/written-texts.ts';

export interface ChatFromMessagesOptions {
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
export class ChatFromMessages extends ReaderBehind {
  readonly #options: ChatFromMessagesOptions;
  readonly #written = new WrittenTexts();
  #calls = 0;
  /** The open block is a call whose arguments have not begun. */
  #bareCall = false;
  #bill: unknown = null;

  constructor(inner: AnswerReader, options: ChatFromMessagesOptions) {
    super(inner);
    this.#options = options;
  }

  protected override takeBytes(): Buffer | null {
    return this.#written.take();
  }

  protected override event(_type: string | null, data: string): boolean {
    const event = parseObject(data);
    switch (event?.type) {
      case 'message_start':
        this.#delta({ role: 'assistant', content: '' });
        break;
      case 'content_block_start':
        if (isObject(event.content_block)) this.#start(event.content_block);
        break;
      case 'content_block_delta':
        if (isObject(event.delta)) this.#add(event.delta);
        break;
      case 'content_block_stop':
        if (this.#bareCall) this.#arguments('{}');
        this.#bareCall = false;
        break;
      case 'message_delta':
        this.#bill = event.copilot_usage ?? this.#bill;
        break;
      case 'message_stop':
        this.#end();
        return false;
    }
    return true;
  }

  #start(block: JsonObject): void {
    if (block.type === 'text' && typeof block.text === 'string' && block.text !== '')
      this.#delta({ content: block.text });
    if (block.type !== 'tool_use') return;
    const call = { id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
    this.#delta({ tool_calls: [{ index: this.#calls++, ...call }] });
    this.#bareCall = true;
  }

  #add(delta: JsonObject): void {
    if (delta.type === 'text_delta') this.#delta({ content: delta.text });
    else if (delta.type === 'thinking_delta') this.#delta({ reasoning_text: delta.thinking });
    else if (delta.type === 'signature_delta') this.#delta({ reasoning_opaque: delta.signature });
    else if (delta.type === 'input_json_delta' && delta.partial_json !== '') {
      this.#bareCall = false;
      this.#arguments(delta.partial_json);
    }
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

  #end(): void {
    const { stopReason, usage } = this.facts;
    const bill = this.#bill === null ? {} : { copilot_usage: this.#bill };
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
