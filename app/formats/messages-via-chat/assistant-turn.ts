import type { ChatMessage, ChatToolCall } from '../chat/request.ts';
import { type Block, isThinkingBlock } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import { opaqueOf } from '../translation/reasoning.ts';

/**
 * What the assistant said until the next message of the user or a tool. The Messages API reads neighbouring assistant
 * messages as one turn; in chat each would be its own, and the calls of all but the last would stay without their
 * results.
 */
export class AssistantTurn {
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

  /** Null: nothing in it can be sent. */
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

/** What the thinking blocks of one assistant turn come to. */
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
