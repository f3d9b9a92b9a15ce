import { noFacts, readCopilotUsage } from '../answer/answer.ts';
import type { MessagesUsage } from '../messages/request.ts';
import { MessagesWriter } from '../messages/writer.ts';

export interface TranslatedMessageOptions {
  /** The name the client asked for. */
  model: string;
  messageId: string;
}

/** How a translated message ended, as the upstream meant it. */
interface TranslatedEnd {
  stopReason: string;
  stopSequence?: string | null;
  /** Category of a content filter, if it named one. */
  category?: string | null;
}

/** A message that is put together from another format: the events written so far, and the facts that go with them. */
export class TranslatedMessage {
  readonly facts = noFacts();
  readonly writer = new MessagesWriter(this.facts);
  readonly #options: TranslatedMessageOptions;
  /** `copilot_usage` as it came. */
  #copilotUsage: unknown = null;
  #refusal = '';

  constructor(options: TranslatedMessageOptions) {
    this.#options = options;
  }

  get over(): boolean {
    return this.facts.ended || this.facts.failure !== null;
  }

  get refused(): boolean {
    return this.#refusal !== '';
  }

  /** Before the first block, and before the end of a message without one. */
  begin(): void {
    if (this.writer.begun) return;
    const { messageId, model } = this.#options;
    this.writer.start(messageId, model, { ...this.#usage(), output_tokens: 0 });
  }

  /** Words of a refusal: they explain a stop reason `refusal`. */
  addRefusal(text: string): void {
    this.#refusal += text;
  }

  /** The last bill counts; what is none is passed over. */
  addBill(value: unknown): void {
    const read = readCopilotUsage(value);
    if (read === null) return;
    this.facts.copilotUsage = read;
    this.#copilotUsage = value;
  }

  fail(message: string, type = 'api_error'): void {
    this.facts.failure = { kind: 'error', type, message };
  }

  /** Every block is closed. */
  end({ stopReason, stopSequence = null, category = null }: TranslatedEnd): void {
    this.begin();
    const explanation = this.#refusal || 'Copilot’s content filter ended this answer.';
    this.writer.end({
      stopReason,
      stopSequence,
      stopDetails: stopReason === 'refusal' ? { type: 'refusal', category, explanation } : null,
      // Anthropic's clients read output_tokens here without asking whether it is there.
      usage: { output_tokens: 0, ...this.#usage() },
      copilotUsage: this.#copilotUsage,
    });
    this.facts.stopReason = stopReason;
    this.facts.ended = true;
  }

  #usage(): MessagesUsage {
    const { input, output, cacheRead, cacheWrite } = this.facts.usage;
    return {
      input_tokens: input ?? 0,
      ...(cacheWrite === null ? {} : { cache_creation_input_tokens: cacheWrite }),
      ...(cacheRead === null ? {} : { cache_read_input_tokens: cacheRead }),
      ...(output === null ? {} : { output_tokens: output }),
    };
  }
}
