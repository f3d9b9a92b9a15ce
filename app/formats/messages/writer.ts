import { type AnswerFacts, noteBlock } from '../answer/answer.ts';
import { isObject } from '../wire/json.ts';
import { MessagesGrammar } from './grammar.ts';
import type { Block, MessagesUsage } from './request.ts';

interface MessageEnd {
  stopReason: string;
  stopSequence: string | null;
  /** Said of a refusal alone. */
  stopDetails: { type: 'refusal'; category: string | null; explanation: string } | null;
  usage: MessagesUsage;
  /** `copilot_usage` as it came. */
  copilotUsage: unknown;
}

/**
 * Writes the events of one streamed message as text. The caller keeps the order of events: a call out of turn throws,
 * since half a message that looks whole would make a client run the wrong tool.
 *
 * The deltas are put together by hand: they are nearly all there is, and only their text needs escaping.
 */
export class MessagesWriter {
  readonly #facts: AnswerFacts;
  readonly #grammar = new MessagesGrammar();
  #written = '';
  /** Text before that of a delta of the open block. */
  #prefix = '';

  /** @param facts told of every block, and how much it says */
  constructor(facts: AnswerFacts) {
    this.#facts = facts;
  }

  get begun(): boolean {
    return this.#grammar.begun;
  }
  /** The type of the open block. */
  get open(): string | null {
    return this.#grammar.open;
  }

  start(id: string, model: string, usage: MessagesUsage): void {
    const message = { id, type: 'message', role: 'assistant', model, content: [] };
    this.#take('message_start');
    this.#event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  }

  openText(): void {
    this.#openBlock({ type: 'text', text: '' }, 'text_delta', 'text');
  }
  openThinking(): void {
    this.#openBlock({ type: 'thinking', thinking: '', signature: '' }, 'thinking_delta', 'thinking');
  }
  openToolUse(id: string, name: string): void {
    this.#openBlock({ type: 'tool_use', id, name, input: {} }, 'input_json_delta', 'partial_json');
  }

  openServerToolUse(id: string, name: string): void {
    const block = { type: 'server_tool_use', id, name, input: {}, caller: { type: 'direct' } };
    this.#openBlock(block, 'input_json_delta', 'partial_json');
  }

  /** A block that comes in one piece. */
  whole(block: Block): void {
    this.#openBlock(block, '', '');
    this.close();
  }

  /** What the open text rests on. */
  cite(citation: object): void {
    this.#take('content_block_delta', 'citations_delta');
    this.#event('content_block_delta', {
      index: this.#grammar.index,
      delta: { type: 'citations_delta', citation },
    });
  }

  /** More of the open block: text, thinking, or the JSON of a tool's input. */
  add(text: string): void {
    if (this.#prefix === '') throw new Error('A delta without its block.');
    this.#facts.said += text.length;
    this.#written += `${this.#prefix}${JSON.stringify(text)}}}\n\n`;
  }

  /** The signature of the open thinking block. */
  sign(signature: string): void {
    this.#take('content_block_delta', 'signature_delta');
    this.#event('content_block_delta', { index: this.#grammar.index, delta: { type: 'signature_delta', signature } });
  }

  close(): void {
    const { index } = this.#grammar;
    this.#take('content_block_stop');
    this.#prefix = '';
    this.#event('content_block_stop', { index });
  }

  end(end: MessageEnd): void {
    const { stopReason, stopSequence, stopDetails, usage, copilotUsage } = end;
    const delta = { stop_reason: stopReason, stop_sequence: stopSequence };
    this.#take('message_delta');
    this.#event('message_delta', {
      delta: stopDetails === null ? delta : { ...delta, stop_details: stopDetails },
      usage,
      ...(isObject(copilotUsage) ? { copilot_usage: copilotUsage } : {}),
    });
    this.#take('message_stop');
    this.#event('message_stop', {});
  }

  /** What was written since the last call; null when nothing was. */
  takeBytes(): Buffer | null {
    if (this.#written === '') return null;
    const bytes = Buffer.from(this.#written);
    this.#written = '';
    return bytes;
  }

  #openBlock(block: { type: string; [key: string]: unknown }, delta: string, field: string): void {
    this.#take('content_block_start', block.type);
    noteBlock(this.#facts, block.type, block.name);
    const { index } = this.#grammar;
    this.#event('content_block_start', { index, content_block: block });
    this.#prefix =
      'event: content_block_delta\ndata: ' +
      `{"type":"content_block_delta","index":${index},"delta":{"type":"${delta}","${field}":`;
  }

  #take(type: string, detail: string | null = null): void {
    const violation = this.#grammar.take(type, this.#grammar.index, detail);
    if (violation !== null) throw new Error(`A message out of order: ${violation}.`);
  }

  #event(type: string, fields: { [key: string]: unknown }): void {
    this.#written += `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  }
}
