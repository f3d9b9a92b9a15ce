import type { ChatMessage, ChatPart, ChatToolCall } from '../chat/request.ts';
import {
  type Block,
  blocksOf,
  isMarked,
  isThinkingBlock,
  isToolResultBlock,
  isToolUseBlock,
  type Message,
  type MessagesRequest,
  type ToolResultBlock,
} from '../messages/request.ts';
import { BlockReader, type TranslationRefusal } from '../messages-via/block-reader.ts';
import type { Notes } from '../translation/note.ts';
import { opaqueOf } from '../translation/reasoning.ts';
import type { ToolNames } from '../translation/tool-names.ts';

/** Builds the message list. Keeps the order of what was said; results follow their calls at once, as chat demands. */
export class Conversation {
  marked = false;
  readonly #messages: ChatMessage[] = [];
  #turn: AssistantTurn | null = null;
  /** What came between a call and its result waits here: system messages, and images of the results before. */
  #waiting: ChatMessage[] = [];
  /** Calls of the last turn that have no result yet. */
  readonly #openCalls = new Set<string>();
  readonly #blocks: BlockReader;
  readonly #toolNames: ToolNames;
  readonly #notes: Notes;

  constructor(toolNames: ToolNames, notes: Notes) {
    this.#blocks = new BlockReader(toolNames, notes);
    this.#toolNames = toolNames;
    this.#notes = notes;
  }

  get refusal(): TranslationRefusal | null {
    return this.#blocks.refusal;
  }

  system(system: MessagesRequest['system']): void {
    if (system === undefined) return;
    this.#systemMessage(system, 'system');
  }

  message(message: Message, at: string): void {
    if (message.role === 'assistant') this.#assistant(message, at);
    else if (message.role === 'system') this.#systemMessage(message.content, `${at}.content`);
    else {
      if (message.role !== 'user') this.#notes.add('role', `role ${message.role} sent as user`);
      this.#user(message, at);
    }
    for (const key of Object.keys(message)) {
      if (key !== 'role' && key !== 'content') this.#notes.add('field-dropped', `messages.${key} removed`);
    }
  }

  end(): ChatMessage[] {
    this.#endTurn();
    this.#release();
    return this.#messages;
  }

  #systemMessage(content: string | Block[], at: string): void {
    const texts = this.#blocks.texts(content, at);
    if (texts.length === 0) return;
    const marked = typeof content !== 'string' && content.some(isMarked);
    const message = this.#mark({ role: 'system', content: texts.join('\n\n') }, marked);
    if (this.#openCalls.size > 0) {
      this.#waiting.push(message);
      return;
    }
    this.#endTurn();
    this.#messages.push(message);
  }

  #user(message: Message, at: string): void {
    this.#endTurn();
    const parts: ChatPart[] = [];
    const resultImages: ChatPart[] = [];
    const before = this.#messages.length;
    let marked = false;
    for (const [index, block] of blocksOf(message.content)) {
      const place = `${at}.content.${index}`;
      if (isToolResultBlock(block)) this.#messages.push(this.#toolResult(block, place, resultImages));
      else {
        const part = this.#part(block, place);
        if (part === null) continue;
        parts.push(part);
        marked ||= isMarked(block);
      }
    }
    if (parts.length === 0 && this.#messages.length === before)
      this.#notes.add('empty-message', 'empty message removed');
    // Chat takes no images in results. They follow the result, before what was said after it.
    if (resultImages.length > 0) this.#waiting.push({ role: 'user', content: resultImages });
    if (parts.length > 0) this.#waiting.push(this.#mark({ role: 'user', content: joined(parts) }, marked));
    if (parts.length > 0 || this.#openCalls.size === 0) this.#release();
  }

  #toolResult(block: ToolResultBlock, at: string, images: ChatPart[]): ChatMessage {
    this.#openCalls.delete(block.tool_use_id);
    const texts: string[] = [];
    for (const [index, inner] of blocksOf(block.content ?? [])) {
      const part = this.#part(inner, `${at}.content.${index}`);
      if (part?.type === 'text') texts.push(part.text);
      else if (part !== null) images.push(part);
    }
    if (block.is_error === true) this.#notes.add('is-error-dropped', 'error mark of a tool result removed');
    // An empty result is refused by some models; the call needs its answer all the same.
    const content = texts.join('\n\n') || '(no content)';
    return this.#mark({ role: 'tool', tool_call_id: block.tool_use_id, content }, isMarked(block));
  }

  #assistant(message: Message, at: string): void {
    if (this.#turn === null) this.#release();
    this.#turn ??= new AssistantTurn(this.#notes);
    const turn = this.#turn;
    for (const [index, block] of blocksOf(message.content)) {
      turn.marked ||= isMarked(block);
      if (isToolUseBlock(block)) {
        turn.calls.push(this.#call(block.id, block.name, block.input));
        this.#openCalls.add(block.id);
      } else if (block.type === 'thinking' || block.type === 'redacted_thinking') turn.think(block);
      else {
        const text = this.#blocks.text(block, `${at}.content.${index}`);
        if (text !== null) turn.texts.push(text);
      }
    }
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === null) return;
    this.#turn = null;
    const message = turn.message();
    if (message === null) this.#notes.add('empty-message', 'empty message removed');
    else this.#messages.push(this.#mark(message, turn.marked));
  }

  #call(id: string, name: string, input: unknown): ChatToolCall {
    const args = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    return { id, type: 'function', function: { name: this.#toolNames.shorten(name), arguments: args } };
  }

  /** A block of a user or of a tool. Null if there is nothing of it to send, and a note says so. */
  #part(block: Block, at: string): ChatPart | null {
    const part = this.#blocks.part(block, at);
    if (part === null) return null;
    return 'text' in part ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.url } };
  }

  /** No further result comes: sends what had to wait. */
  #release(): void {
    for (const message of this.#waiting) this.#messages.push(message);
    this.#waiting = [];
    this.#openCalls.clear();
  }

  #mark(message: ChatMessage, marked: boolean): ChatMessage {
    if (!marked) return message;
    this.marked = true;
    return { ...message, copilot_cache_control: { type: 'ephemeral' } };
  }
}

/** Texts alone go as one string, which every model takes. */
function joined(parts: ChatPart[]): string | ChatPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}

/**
 * What the assistant said until the next message of the user or a tool. The Messages API reads neighbouring assistant
 * messages as one turn; in chat each would be its own, and the calls of all but the last would stay without their
 * results.
 */
class AssistantTurn {
  marked = false;
  readonly texts: string[] = [];
  readonly calls: ChatToolCall[] = [];
  readonly #reasoning: Reasoning;

  constructor(notes: Notes) {
    this.#reasoning = new Reasoning(notes);
  }

  think(block: Block): void {
    this.#reasoning.add(block);
  }

  /** Null if nothing in it can be sent. */
  message(): ChatMessage | null {
    if (this.texts.length === 0 && this.calls.length === 0) return null;
    return {
      role: 'assistant',
      content: this.texts.length > 0 ? this.texts.join('\n\n') : null,
      ...(this.calls.length > 0 ? { tool_calls: this.calls } : {}),
      ...this.#reasoning.fields(),
    };
  }
}

/** Converts the thinking blocks of one assistant turn. */
class Reasoning {
  #text = '';
  #opaque = '';
  #ours = 0;
  readonly #notes: Notes;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  add(block: Block): void {
    const opaque = isThinkingBlock(block) ? opaqueOf(block.signature) : null;
    if (opaque === null || !isThinkingBlock(block)) {
      this.#notes.add('foreign-thinking', 'foreign thinking removed');
      return;
    }
    this.#ours++;
    this.#text += block.thinking;
    if (opaque === '') return;
    // A message has room for one.
    if (this.#opaque !== '') this.#notes.add('opaque-replaced', 'opaque part of earlier thinking removed');
    this.#opaque = opaque;
  }

  fields(): { reasoning_text: string; reasoning_opaque: string } | Record<never, never> {
    if (this.#opaque !== '') return { reasoning_text: this.#text, reasoning_opaque: this.#opaque };
    if (this.#ours > 0) this.#notes.add('thinking-without-opaque', 'thinking without its opaque part removed');
    return {};
  }
}
