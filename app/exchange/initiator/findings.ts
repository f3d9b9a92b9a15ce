import { isObject, type JsonObject } from '../../formats/wire/json.ts';
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

/** Collects what is found in the new content. Below it stands what all readers of messages find their way with. */
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

/** How many answers a model gave up to the new content. Reads roles, no contents. */
export function answersBefore(messages: readonly unknown[], boundary: number): number {
  let count = 0;
  for (let index = 0; index <= boundary; index++) {
    const message = messages[index];
    if (isObject(message) && message.role === 'assistant') count++;
  }
  return count;
}

/** Where the new content begins, and the messages in it that are no instructions. */
export function afterLastAnswer(messages: readonly unknown[]): { boundary: number; indexes: number[] } {
  const indexes: number[] = [];
  let prepared = false;
  let index = messages.length - 1;
  for (; index >= 0; index--) {
    const message = messages[index];
    const role = isObject(message) ? message.role : null;
    if (role === 'system' || role === 'developer') continue;
    if (role !== 'assistant') {
      indexes.push(index);
    } else if (indexes.length === 0 && !prepared) {
      prepared = true;
    } else {
      break;
    }
  }
  return { boundary: index, indexes: indexes.reverse() };
}

export function eachBlock(message: unknown, found: Findings, read: (block: JsonObject, found: Findings) => void): void {
  if (!isObject(message) || message.role !== 'user') {
    found.unknown = true;
  } else if (typeof message.content === 'string') {
    read({ type: 'text', text: message.content }, found);
  } else if (Array.isArray(message.content)) {
    for (const block of message.content) {
      if (isObject(block)) read(block, found);
      else found.unknown = true;
    }
  } else {
    found.unknown = true;
  }
}

export function readPlainBlock(block: JsonObject, found: Findings): void {
  if (block.type === 'text' && typeof block.text === 'string') found.text(block.text);
  else if (block.type === 'image' || block.type === 'document') found.media(block);
  else if (isResult(block)) found.result(block.tool_use_id);
  else found.unknown = true;
}

/** Anthropic's, of the client's tools and of its own servers'. From its API's reference. */
const resultTypes = new Set<unknown>([
  'tool_result',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
]);

export function isResult(block: JsonObject): boolean {
  return resultTypes.has(block.type);
}

/** Calls of the last turn. */
export function messagesCalls(messages: readonly unknown[], boundary: number): Calls {
  const calls = new Map<string, string>();
  for (const answer of lastTurn(messages, boundary)) {
    if (!Array.isArray(answer.content)) continue;
    for (const block of answer.content) {
      if (isObject(block) && typeof block.id === 'string' && isCallType(block.type)) calls.set(block.id, nameOf(block));
    }
  }
  return calls;
}

function isCallType(type: unknown): boolean {
  return type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use';
}

/** The message at `boundary`, and answers right before it. */
export function* lastTurn(messages: readonly unknown[], boundary: number): Generator<JsonObject> {
  let first = boundary;
  while (isAnswer(messages[first - 1])) first--;
  for (let index = first; index <= boundary; index++) {
    const message = messages[index];
    if (isObject(message)) yield message;
  }
}

function isAnswer(message: unknown): boolean {
  return isObject(message) && message.role === 'assistant';
}

export function nameOf(call: unknown): string {
  return isObject(call) && typeof call.name === 'string' ? call.name : '';
}
