import type { AnswerFacts, AnswerReader } from '../answer/answer.ts';
import type { OpenAiError } from '../openai/error.ts';
import { type ItemStatus, type ResponseHead, ResponsesWriter } from '../responses/writer.ts';
import { encryptedRedacted, encryptedThinking } from '../translation/reasoning.ts';
import { addressesFound, CitedText, citationFields, MessagesBehind } from '../via-messages/answer.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';

interface ResponsesFromMessagesOptions {
  head: ResponseHead;
  /** The client asked for summaries of the reasoning. */
  summary: boolean;
}

/**
 * The way back of `responsesToMessages`: behind any reader that writes a Messages stream, this one writes a Responses
 * stream. What maps to what stands in request.ts.
 *
 * An item is done only when the next one begins or the answer ends: until then it isn't known whether its last words
 * are missing.
 */
export class ResponsesFromMessages extends MessagesBehind {
  readonly #summary: boolean;
  readonly #writer: ResponsesWriter;
  /** Text of the thinking block that is open. */
  #thought = '';
  #signature = '';
  #redacted: string | null = null;
  /** The open call has got arguments. */
  #argued = false;
  #refusal = '';
  /** The words of the newest text. */
  #words = '';
  /** What the open search looks for, as JSON. */
  #query = '';
  /** Once something was searched, texts in a row are one, parted by their citations. */
  #searched = false;
  readonly #cited = new CitedText();

  constructor(inner: AnswerReader, { head, summary }: ResponsesFromMessagesOptions) {
    super(inner);
    this.#summary = summary;
    this.#writer = new ResponsesWriter(head);
  }

  readonly failure = (error: OpenAiError): string => this.#writer.failure(error);

  protected override takeBytes(): Buffer | null {
    return this.#writer.takeBytes();
  }

  protected override started(): void {
    this.#writer.start();
  }

  protected override blockStarted(block: JsonObject): void {
    if (block.type === 'web_search_tool_result') {
      this.#found(block.content);
      return;
    }
    const goesOn = this.#searched && block.type === 'text' && this.#writer.open === 'text';
    if (!goesOn) this.#settle('completed');
    switch (block.type) {
      case 'text':
        if (!goesOn) this.#words = '';
        if (!goesOn) this.#cited.reset();
        this.#text(block.text);
        break;
      case 'server_tool_use':
        this.#searched = true;
        this.#query = '';
        this.#writer.openSearch();
        break;
      case 'thinking':
        this.#writer.openThinking();
        this.#think(block.thinking);
        break;
      case 'redacted_thinking':
        this.#writer.openThinking();
        this.#redacted = typeof block.data === 'string' ? block.data : null;
        break;
      case 'tool_use':
        this.#writer.openCall(String(block.id ?? ''), String(block.name ?? ''));
        break;
    }
  }

  protected override blockGrew(delta: JsonObject): void {
    switch (delta.type) {
      case 'text_delta':
        this.#text(delta.text);
        break;
      case 'thinking_delta':
        this.#think(delta.thinking);
        break;
      case 'signature_delta':
        if (typeof delta.signature === 'string') this.#signature += delta.signature;
        break;
      case 'citations_delta':
        this.#cited.cite(delta.citation);
        break;
      case 'input_json_delta':
        if (this.#writer.open === 'search') this.#query += String(delta.partial_json ?? '');
        if (this.#writer.open !== 'call' || typeof delta.partial_json !== 'string' || delta.partial_json === '') return;
        this.#argued = true;
        this.#writer.add(delta.partial_json);
        break;
    }
  }

  protected override messageChanged(delta: JsonObject): void {
    this.#refusal = refusalOf(delta) || this.#refusal;
  }

  /** A message item begins with its first word: clients show empty ones. */
  #text(added: unknown): void {
    if (typeof added !== 'string' || added === '') return;
    if (this.#writer.open === null) this.#writer.openText();
    if (this.#writer.open !== 'text') return;
    this.#words += added;
    this.#cited.add(added);
    this.#writer.add(added);
  }

  protected override blockStopped(): void {
    if (this.#writer.open !== 'text') return;
    for (const citation of this.#cited.endBlock())
      this.#writer.annotate({ type: 'url_citation', ...citationFields(citation) });
  }

  /** Writes a search's result right after its call. */
  #found(content: unknown): void {
    if (this.#writer.open !== 'search') return;
    const query = parseObject(this.#query)?.query;
    const found = addressesFound(content);
    const sources = (found ?? []).map((url) => ({ type: 'url', url }));
    const words = typeof query === 'string' ? query : '';
    const action = { type: 'search', query: words, queries: [words], sources };
    this.#writer.closeSearch(found === null ? 'failed' : 'completed', action);
  }

  #think(added: unknown): void {
    if (typeof added !== 'string' || added === '' || this.#writer.open !== 'thinking') return;
    this.#thought += added;
    if (this.#summary) this.#writer.add(added);
  }

  #settle(status: ItemStatus): void {
    switch (this.#writer.open) {
      case null:
        return;
      case 'search':
        this.#found(null);
        break;
      case 'text':
        this.#writer.close(status);
        break;
      case 'thinking':
        this.#writer.close(
          status,
          this.#redacted === null
            ? encryptedThinking(this.#thought, this.#signature, this.#summary)
            : encryptedRedacted(this.#redacted),
        );
        break;
      case 'call':
        // Arguments that were cut before their first character are not the empty ones.
        if (!this.#argued && status === 'completed') this.#writer.add('{}');
        this.#writer.close(status);
        break;
    }
    this.#thought = '';
    this.#signature = '';
    this.#redacted = null;
    this.#argued = false;
  }

  protected override ended(): void {
    const { stopReason } = this.facts;
    const reason = incompleteReasons[stopReason ?? ''] ?? null;
    const status = reason === null ? 'completed' : 'incomplete';
    this.#settle(status);
    // A translated refusal stands in the answer already.
    if (stopReason === 'refusal' && !this.#words.endsWith(this.#refusal)) this.#writer.refuse(this.#refusal);
    this.#writer.end({ status, reason, usage: usageOf(this.facts), copilotUsage: this.bill });
  }
}

const incompleteReasons: Record<string, string> = {
  max_tokens: 'max_output_tokens',
  model_context_window_exceeded: 'max_output_tokens',
  refusal: 'content_filter',
};

function refusalOf({ stop_details: details }: JsonObject): string {
  return isObject(details) && typeof details.explanation === 'string' ? details.explanation : '';
}

/** Null if nothing was counted. Reasoning that the upstream does not count apart is in `output_tokens` alone. */
function usageOf({ usage, reasoningTokens = 0 }: AnswerFacts): JsonObject | null {
  if (usage.input === null && usage.output === null) return null;
  const cached = usage.cacheRead ?? 0;
  const input = (usage.input ?? 0) + cached + (usage.cacheWrite ?? 0);
  const output = usage.output ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: input + output,
  };
}
