import {
  type Block,
  blocksOf,
  isThinkingBlock,
  isToolResultBlock,
  isToolUseBlock,
  type Message,
  type MessagesRequest,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../messages/request.ts';
import { BlockReader, type TranslationRefusal } from '../messages-via/block-reader.ts';
import type { ResponsesItem, ResponsesPart } from '../responses/request.ts';
import type { Notes } from '../translation/note.ts';
import { encryptedOf } from '../translation/reasoning.ts';
import { ToolNames } from '../translation/tool-names.ts';

/** Builds the input list. Everything stays in its order; only results go before the other words of their message. */
export class ResponsesConversation {
  readonly #items: ResponsesItem[] = [];
  /** What the assistant said until the user or a tool does: neighbouring messages of it are one turn. */
  #turn: ResponsesItem[] | null = null;
  /** What came between a call and its result waits here: system messages, and images of the results before. */
  #waiting: ResponsesItem[] = [];
  /** Calls of the last turn that have no result yet. */
  readonly #openCalls = new Set<string>();
  readonly #blocks: BlockReader;
  readonly #model: string;
  readonly #toolNames: ToolNames;
  /** The API takes ids of up to 64 characters; longer ones are shortened as names are. */
  readonly #callIds = new ToolNames();
  readonly #notes: Notes;

  /** `model` is the one that will read the input. */
  constructor(model: string, toolNames: ToolNames, notes: Notes) {
    this.#blocks = new BlockReader(toolNames, notes);
    this.#model = model;
    this.#toolNames = toolNames;
    this.#notes = notes;
  }

  get refusal(): TranslationRefusal | null {
    return this.#blocks.refusal;
  }

  /** The request's own `system`. Null if it says nothing. */
  instructions(system: MessagesRequest['system']): string | null {
    return this.#blocks.texts(system ?? [], 'system').join('\n\n') || null;
  }

  message(message: Message, at: string): void {
    if (message.role === 'assistant') this.#assistant(message, `${at}.content`);
    else if (message.role === 'system') this.#system(message.content, `${at}.content`);
    else {
      if (message.role !== 'user') this.#notes.add('role', `role ${message.role} sent as user`);
      this.#user(message, `${at}.content`);
    }
    for (const key of Object.keys(message)) {
      if (key !== 'role' && key !== 'content') this.#notes.add('field-dropped', `messages.${key} removed`);
    }
  }

  end(): ResponsesItem[] {
    this.#endTurn();
    this.#release();
    return this.#items;
  }

  #system(content: string | Block[], at: string): void {
    const texts = this.#blocks.texts(content, at);
    if (texts.length === 0) return;
    const message: ResponsesItem = {
      type: 'message',
      role: 'system',
      content: texts.map((text) => ({ type: 'input_text', text })),
    };
    if (this.#openCalls.size > 0) {
      this.#waiting.push(message);
      return;
    }
    this.#endTurn();
    this.#items.push(message);
  }

  #user(message: Message, at: string): void {
    this.#endTurn();
    const parts: ResponsesPart[] = [];
    const images: ResponsesPart[] = [];
    const before = this.#items.length;
    for (const [index, block] of blocksOf(message.content)) {
      const place = `${at}.${index}`;
      if (isToolResultBlock(block)) this.#items.push(this.#output(block, place, images));
      else {
        const part = this.#part(block, place);
        if (part !== null) parts.push(part);
      }
    }
    if (parts.length === 0 && this.#items.length === before) this.#notes.add('empty-message', 'empty message removed');
    // Images of results follow them, before what was said after them.
    if (images.length > 0) this.#waiting.push({ type: 'message', role: 'user', content: images });
    if (parts.length > 0) this.#waiting.push({ type: 'message', role: 'user', content: parts });
    if (parts.length > 0 || this.#openCalls.size === 0) this.#release();
  }

  #output(block: ToolResultBlock, at: string, images: ResponsesPart[]): ResponsesItem {
    this.#openCalls.delete(block.tool_use_id);
    const texts: string[] = [];
    for (const [index, inner] of blocksOf(block.content ?? [])) {
      const part = this.#part(inner, `${at}.content.${index}`);
      if (part?.type === 'input_text') texts.push(part.text);
      else if (part !== null) images.push(part);
    }
    if (block.is_error === true) this.#notes.add('is-error-dropped', 'error mark of a tool result removed');
    const output = texts.join('\n\n') || '(no content)';
    return { type: 'function_call_output', call_id: this.#callIds.shorten(block.tool_use_id), output };
  }

  #part(block: Block, at: string): ResponsesPart | null {
    const part = this.#blocks.part(block, at);
    if (part === null) return null;
    return 'text' in part
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: part.url, detail: 'auto' };
  }

  #assistant(message: Message, at: string): void {
    if (this.#turn === null) this.#release();
    // Of its own, so that what an earlier request ended with stays as it was when more is said: caches live on that.
    const items: ResponsesItem[] = [];
    for (const [index, block] of blocksOf(message.content)) {
      if (isToolUseBlock(block)) {
        items.push(this.#call(block));
        this.#openCalls.add(block.id);
      } else if (block.type === 'thinking' || block.type === 'redacted_thinking') items.push(...this.#reasoning(block));
      else {
        const text = this.#blocks.text(block, `${at}.${index}`);
        if (text !== null) addOutputText(items, text);
      }
    }
    this.#turn ??= [];
    for (const item of items) this.#turn.push(item);
  }

  #endTurn(): void {
    const items = this.#turn;
    if (items === null) return;
    this.#turn = null;
    // A reasoning item that nothing follows is refused: its answer was never finished.
    while (items.at(-1)?.type === 'reasoning') {
      items.pop();
      this.#notes.add('thinking-without-answer', 'thinking without an answer removed');
    }
    if (items.length === 0) this.#notes.add('empty-message', 'empty message removed');
    for (const item of items) this.#items.push(item);
  }

  #call({ id, name, input }: ToolUseBlock): ResponsesItem {
    return {
      type: 'function_call',
      call_id: this.#callIds.shorten(id),
      name: this.#toolNames.shorten(name),
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    };
  }

  #reasoning(block: Block): ResponsesItem[] {
    const encrypted = isThinkingBlock(block) ? encryptedOf(block.signature, this.#model) : null;
    if (encrypted === null || !isThinkingBlock(block)) {
      this.#notes.add('foreign-thinking', 'foreign thinking removed');
      return [];
    }
    if (encrypted === '') {
      this.#notes.add('thinking-without-opaque', 'thinking without its encrypted part removed');
      return [];
    }
    const { thinking: text } = block;
    return [
      {
        type: 'reasoning',
        summary: text === '' ? [] : [{ type: 'summary_text', text }],
        encrypted_content: encrypted,
      },
    ];
  }

  /** No further result comes: sends what had to wait. */
  #release(): void {
    for (const item of this.#waiting) this.#items.push(item);
    this.#waiting = [];
    this.#openCalls.clear();
  }
}

/** Texts in a row are one message. */
function addOutputText(items: ResponsesItem[], text: string): void {
  const last = items.at(-1);
  if (last?.type === 'message' && last.role === 'assistant') last.content.push({ type: 'output_text', text });
  else items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
}
