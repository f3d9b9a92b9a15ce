import {
  type BlockText,
  blockTexts,
  interjectionMark,
  type MachineKind,
  notificationBegins,
  notificationHolds,
  refusalMarks,
  reminderCloses,
  reminderOpens,
} from './claude-code-texts.ts';

/**
 * The tail of a conversation: what came after the last thing a model said. It is read from the end, so its cost does not grow with
 * the history. System and developer messages are left out, and so is one trailing assistant message (a prepared answer).
 */
export interface Tail {
  /** Where the model's last message stands; -1 when it has not said anything. */
  boundary: number;
  /** A person's text or media, marked words not counted. */
  words: boolean;
  /** Words that Claude Code marks as typed while it was working. */
  marked: boolean;
  /** Texts Claude Code wrote by itself, in the order they stand. */
  machine: readonly MachineKind[];
  /** The last block that says something is Claude Code's order to write a summary. */
  endsWithCompaction: boolean;
  toolResults: number;
  /** Names of the tools whose results are there, each once. */
  tools: readonly string[];
  /** Something was there that nobody knows: never a reason to call it `agent`. */
  unknown: boolean;
  /** What the person said. Only for the ledger's hash: it is never stored, logged or shown. */
  said: readonly Said[];
}

export type Said = { kind: 'words' | 'marked'; text: string } | { kind: 'media'; block: Fields };

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Claude Code's requests: its own texts are told from a person's. `classed`: the request came with a class header. */
export function readClaudeCodeTail(messages: readonly unknown[], classed: boolean): Tail {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) eachBlock(messages[index], found, (block) => readClaudeCodeBlock(block, classed, found));
  for (const message of messages.slice(boundary + 1)) readMarksInSystem(message, found);
  return found.tail(boundary, () => messagesToolNames(messages[boundary], found.resultIds));
}

/** Any other client of the Messages API: all text is words. */
export function readMessagesTail(messages: readonly unknown[]): Tail {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) eachBlock(messages[index], found, (block) => readPlainBlock(block, found));
  return found.tail(boundary, () => messagesToolNames(messages[boundary], found.resultIds));
}

/** OpenAI Chat Completions: `tool` and `function` messages are tool results, what a `user` message holds is words. */
export function readChatTail(messages: readonly unknown[]): Tail {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) {
    const message = messages[index];
    if (!isFields(message)) found.unknown = true;
    else if (message.role === 'tool') found.result(message.tool_call_id);
    else if (message.role === 'function') found.result(null, message.name);
    else if (message.role === 'user') readOpenaiContent(message.content, found);
    else found.unknown = true;
  }
  return found.tail(boundary, () => chatToolNames(messages[boundary], found.resultIds));
}

/** OpenAI Responses: the items after the last one that the model made. A string is words. */
export function readResponsesTail(input: unknown): Tail {
  const found = new Findings();
  if (!Array.isArray(input)) {
    if (typeof input === 'string') found.text(input);
    else found.unknown = true;
    return found.tail(-1, () => []);
  }
  const items: readonly unknown[] = input;
  let boundary = items.length - 1;
  while (boundary >= 0 && !isModelsItem(items[boundary])) boundary--;
  for (let index = boundary + 1; index < items.length; index++) readResponsesItem(items[index], found);
  return found.tail(boundary, () => responsesToolNames(items, boundary, found.resultIds));
}

/** How many answers a model gave up to the tail. Reads roles, no contents. */
export function answersBefore(messages: readonly unknown[], boundary: number): number {
  let count = 0;
  for (let index = 0; index <= boundary; index++) {
    const message = messages[index];
    if (isFields(message) && message.role === 'assistant') count++;
  }
  return count;
}

class Findings {
  words = false;
  marked = false;
  unknown = false;
  toolResults = 0;
  last: BlockText['counts'] | 'result' | null = null;
  readonly machine: MachineKind[] = [];
  readonly said: Said[] = [];
  readonly resultIds = new Set<string>();
  readonly #names: string[] = [];

  text(text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    this.words = true;
    this.last = 'words';
    this.said.push({ kind: 'words', text: trimmed });
  }

  mark(text: string): void {
    this.marked = true;
    this.said.push({ kind: 'marked', text: text.trim() });
  }

  media(block: Fields): void {
    this.words = true;
    this.last = 'words';
    this.said.push({ kind: 'media', block });
  }

  result(id: unknown, name?: unknown): void {
    this.toolResults++;
    this.last = 'result';
    if (typeof id === 'string') this.resultIds.add(id);
    if (typeof name === 'string') this.#names.push(name);
  }

  tail(boundary: number, names: () => string[]): Tail {
    const tools = this.toolResults > 0 ? [...new Set([...this.#names, ...names()])] : [];
    return {
      boundary,
      words: this.words,
      marked: this.marked,
      machine: this.machine,
      endsWithCompaction: this.last === 'compaction',
      toolResults: this.toolResults,
      tools,
      unknown: this.unknown,
      said: this.said,
    };
  }
}

function afterLastAnswer(messages: readonly unknown[]): { boundary: number; indexes: number[] } {
  const indexes: number[] = [];
  let prepared = false;
  let index = messages.length - 1;
  for (; index >= 0; index--) {
    const message = messages[index];
    const role = isFields(message) ? message.role : null;
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

function eachBlock(message: unknown, found: Findings, read: (block: Fields) => void): void {
  if (!isFields(message) || message.role !== 'user') {
    found.unknown = true;
  } else if (typeof message.content === 'string') {
    read({ type: 'text', text: message.content });
  } else if (Array.isArray(message.content)) {
    for (const block of message.content) {
      if (isFields(block)) read(block);
      else found.unknown = true;
    }
  } else {
    found.unknown = true;
  }
}

function readClaudeCodeBlock(block: Fields, classed: boolean, found: Findings): void {
  if (block.type === 'text' && typeof block.text === 'string') {
    readClaudeCodeText(block.text, classed, found);
  } else if (isResult(block)) {
    found.result(block.tool_use_id);
    readMarksInResult(block, found);
  } else {
    readPlainBlock(block, found);
  }
}

function readPlainBlock(block: Fields, found: Findings): void {
  if (block.type === 'text' && typeof block.text === 'string') found.text(block.text);
  else if (block.type === 'image' || block.type === 'document') found.media(block);
  else if (isResult(block)) found.result(block.tool_use_id);
  else found.unknown = true;
}

/** `tool_result`, those of server tools (`web_search_tool_result`, …) and `tool_reference`. */
function isResult(block: Fields): boolean {
  return typeof block.type === 'string' && (block.type.endsWith('tool_result') || block.type === 'tool_reference');
}

function readClaudeCodeText(text: string, classed: boolean, found: Findings): void {
  const { rest, spans, closed } = cutReminders(text);
  // Claude Code closes its reminders; whoever typed this tag did not.
  if (!closed) found.unknown = true;
  for (const span of spans) {
    const mark = span.indexOf(interjectionMark);
    if (mark >= 0) found.mark(span.slice(mark + interjectionMark.length));
    else if (isNotification(span)) found.machine.push('notification');
  }
  const trimmed = rest.trim();
  if (trimmed === '') return;
  const known = blockTexts.find((entry) => isBlockText(entry, trimmed, classed));
  const counts = known?.counts ?? 'words';
  found.last = counts;
  switch (counts) {
    case 'words':
      found.text(trimmed);
      return;
    case 'marked':
      found.mark(trimmed.slice(interjectionMark.length));
      return;
    case 'nothing':
      return;
    default:
      found.machine.push(counts);
  }
}

function isBlockText(entry: BlockText, text: string, classed: boolean): boolean {
  if (!text.startsWith(entry.begins)) return false;
  if (entry.unclassed && classed) return false;
  if (entry.closes && !entry.closes.some((tag) => text.endsWith(tag))) return false;
  // Words behind the bracket would be a person's.
  return !entry.alone || (text.endsWith(']') && !text.includes('\n'));
}

function isNotification(span: string): boolean {
  return span.trimStart().startsWith(notificationBegins) || span.includes(notificationHolds);
}

/** A result is a tool's, but Claude Code puts a person's words into it, too: as a reminder, or as the reason of a refusal. */
function readMarksInResult(block: Fields, found: Findings): void {
  eachText(block.content, (text) => readMarksInText(text, block.is_error === true, found));
}

/** Newer models get as a system message what others get as a reminder. It is no part of the tail, unless it is marked as a person's. */
function readMarksInSystem(message: unknown, found: Findings): void {
  if (!isFields(message) || message.role !== 'system') return;
  eachText(message.content, (text) => readMarksInText(text, false, found));
}

function eachText(content: unknown, read: (text: string) => void): void {
  if (typeof content === 'string') {
    read(content);
  } else if (Array.isArray(content)) {
    for (const part of content) if (isFields(part) && typeof part.text === 'string') read(part.text);
  }
}

function readMarksInText(text: string, isError: boolean, found: Findings): void {
  if (text.includes(interjectionMark)) {
    const { rest, spans } = cutReminders(text);
    for (const span of spans) {
      const mark = span.indexOf(interjectionMark);
      if (mark >= 0) found.mark(span.slice(mark + interjectionMark.length));
    }
    const begin = rest.trimStart();
    if (begin.startsWith(interjectionMark)) found.mark(begin.slice(interjectionMark.length));
  }
  if (!isError) return;
  for (const mark of refusalMarks) {
    const refusal = text.indexOf(mark);
    if (refusal < 0) continue;
    const words = cutReminders(text.slice(refusal + mark.length)).rest.trim();
    if (words !== '') found.mark(words);
  }
}

/** What is left of a text without its reminders, and what the reminders hold. An unclosed one reaches to the end. */
function cutReminders(text: string): { rest: string; spans: string[]; closed: boolean } {
  let open = text.indexOf(reminderOpens);
  if (open < 0) return { rest: text, spans: [], closed: true };
  const spans: string[] = [];
  let rest = '';
  let from = 0;
  while (open >= 0) {
    rest += text.slice(from, open);
    const begin = open + reminderOpens.length;
    const close = text.indexOf(reminderCloses, begin);
    if (close < 0) {
      spans.push(text.slice(begin));
      return { rest, spans, closed: false };
    }
    spans.push(text.slice(begin, close));
    from = close + reminderCloses.length;
    open = text.indexOf(reminderOpens, from);
  }
  return { rest: rest + text.slice(from), spans, closed: true };
}

/** `input_text`, `input_image`, `image_url`, `file`, …: what is not text is media. */
function readOpenaiContent(content: unknown, found: Findings): void {
  if (typeof content === 'string') {
    found.text(content);
  } else if (Array.isArray(content)) {
    for (const part of content) {
      if (!isFields(part)) found.unknown = true;
      else if (typeof part.text === 'string') found.text(part.text);
      else found.media(part);
    }
  } else {
    found.unknown = true;
  }
}

function readResponsesItem(item: unknown, found: Findings): void {
  if (!isFields(item)) {
    found.unknown = true;
  } else if (isMessageItem(item)) {
    if (item.role === 'user') readOpenaiContent(item.content, found);
    else if (item.role !== 'system' && item.role !== 'developer') found.unknown = true;
  } else if (typeof item.type === 'string' && item.type.endsWith('_output')) {
    found.result(item.call_id);
  } else {
    found.unknown = true;
  }
}

/** A message may come without a type. */
function isMessageItem(item: Fields): boolean {
  return item.type === 'message' || (item.type === undefined && typeof item.role === 'string');
}

/** An answer, a thought, or any kind of call (`function_call`, `custom_tool_call`, `local_shell_call`, …). */
function isModelsItem(item: unknown): boolean {
  if (!isFields(item)) return false;
  if (isMessageItem(item)) return item.role === 'assistant';
  return item.type === 'reasoning' || (typeof item.type === 'string' && item.type.endsWith('_call'));
}

function messagesToolNames(answer: unknown, ids: ReadonlySet<string>): string[] {
  if (!isFields(answer) || !Array.isArray(answer.content)) return [];
  const names: string[] = [];
  for (const block of answer.content) {
    if (isFields(block) && typeof block.id === 'string' && ids.has(block.id) && typeof block.name === 'string') {
      names.push(block.name);
    }
  }
  return names;
}

function chatToolNames(answer: unknown, ids: ReadonlySet<string>): string[] {
  if (!isFields(answer) || !Array.isArray(answer.tool_calls)) return [];
  const names: string[] = [];
  for (const call of answer.tool_calls) {
    if (!isFields(call) || typeof call.id !== 'string' || !ids.has(call.id)) continue;
    if (isFields(call.function) && typeof call.function.name === 'string') names.push(call.function.name);
  }
  return names;
}

function responsesToolNames(items: readonly unknown[], boundary: number, ids: ReadonlySet<string>): string[] {
  const names: string[] = [];
  for (let index = boundary; index >= 0; index--) {
    const item = items[index];
    if (!isFields(item) || isMessageItem(item)) break;
    if (typeof item.call_id === 'string' && ids.has(item.call_id) && typeof item.name === 'string')
      names.push(item.name);
  }
  return names.reverse();
}
