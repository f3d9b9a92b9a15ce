import type { JsonObject } from '../../formats/wire/json.ts';
import { type BlockText, type MachineKind, toolSearch } from './claude-code-texts.ts';

/**
 * The new content of a conversation: what came after the last thing a model said. It is read from the end, so its cost
 * does not grow with the history. System and developer messages are left out, and so is one trailing assistant message
 * (a prepared answer).
 */
export interface NewContent {
  /** Index of the model's last message; -1 if it has not said anything. */
  boundary: number;
  /** A person's text or media, marked words not counted. */
  words: boolean;
  /** Words that Claude Code marks as typed while it was working. */
  marked: boolean;
  /** Texts that read like Claude Code's own, in order. A person can type each of them. */
  machine: readonly MachineKind[];
  /** The last block that says something is Claude Code's order to write a summary. */
  endsWithCompaction: boolean;
  /** A command that a person typed: such prompts have no prompt id. */
  typedCommand: boolean;
  /** A text stands there that is no tool's: a person's, a reminder, an echo. */
  texts: boolean;
  /** The calls that the notifications name; null if one of them names none of this conversation. */
  notified: readonly string[] | null;
  /** A search for tools, called in the model's last turn, found some. */
  toolsFound: boolean;
  /** Results that answer a call of the model's last turn. */
  toolResults: number;
  /** Names of the tools whose results are there, each once. */
  tools: readonly string[];
  /**
   * Something was there that Jumpseat does not know, or a result that answers nothing: never a reason to call it
   * `agent`.
   */
  unknown: boolean;
  /**
   * What the person said; where there are no words, every other text. Only for hashes: it is never stored, logged or
   * shown.
   */
  said: readonly Said[];
}

export type Said = { kind: 'words' | 'marked' | 'other'; text: string } | { kind: 'media'; block: JsonObject };

/** A call of the model's last turn, by what a result names it with: its id, or the name of an old kind of function. */
export type Calls = ReadonlyMap<string, string>;

/** Collects what is found in the new content. */
export class Findings {
  words = false;
  marked = false;
  unknown = false;
  typedCommand = false;
  texts = false;
  last: BlockText['counts'] | 'result' | null = null;
  readonly machine: MachineKind[] = [];
  /** The call that each notification names. */
  readonly notifications: (string | null)[] = [];
  readonly #said: Said[] = [];
  readonly #others: Said[] = [];
  /** What each result names its call with. */
  readonly #results: unknown[] = [];
  /** The call whose result names tools. */
  readonly #references = new Set<unknown>();
  #instructed = false;

  text(text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    this.words = true;
    this.texts = true;
    this.last = 'words';
    this.#said.push({ kind: 'words', text: trimmed });
  }

  mark(text: string): void {
    this.marked = true;
    this.#said.push({ kind: 'marked', text: text.trim() });
  }

  media(block: JsonObject): void {
    this.words = true;
    this.last = 'words';
    this.#said.push({ kind: 'media', block });
  }

  /** A text that says nothing of a person's by its looks. */
  other(text: string): void {
    this.texts = true;
    this.#others.push({ kind: 'other', text: text.trim() });
  }

  result(call: unknown): void {
    this.last = 'result';
    this.#results.push(call);
  }

  /** The result of this call names tools that are loaded now. */
  references(call: unknown): void {
    this.#references.add(call);
  }

  /** A system or developer message said something. Behind results it may be what a person asked for. */
  instructed(): void {
    this.#instructed = true;
  }

  content(boundary: number, calls: () => Calls, isCall: (id: string) => boolean = () => false): NewContent {
    const known: Calls = this.#results.length > 0 ? calls() : new Map();
    const answered = new Set<string>();
    let toolResults = 0;
    for (const call of this.#results) {
      if (typeof call !== 'string' || !known.has(call)) continue;
      toolResults += 1;
      answered.add(call);
    }
    const tools = [...known].filter(([id, name]) => answered.has(id) && name !== '').map(([, name]) => name);
    const notified = this.notifications.filter((id) => id !== null && isCall(id));
    return {
      boundary,
      words: this.words,
      marked: this.marked,
      machine: this.machine,
      endsWithCompaction: this.last === 'compaction',
      typedCommand: this.typedCommand,
      texts: this.texts,
      notified: notified.length === this.notifications.length ? notified.filter((id) => id !== null) : null,
      toolsFound: [...answered].some((id) => this.#references.has(id) && known.get(id) === toolSearch),
      toolResults,
      tools: [...new Set(tools)],
      unknown: this.unknown || toolResults < this.#results.length || (this.#instructed && this.#results.length > 0),
      said: this.#said.length > 0 ? this.#said : this.#others,
    };
  }
}
