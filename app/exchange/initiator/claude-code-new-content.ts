import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import {
  type BlockText,
  blockTexts,
  interjectionMark,
  notificationBegins,
  notificationHolds,
  notifiedCall,
  refusalMarks,
  reminderCloses,
  reminderOpens,
  typedCommandBegins,
} from './claude-code-texts.ts';
import {
  afterLastAnswer,
  eachBlock,
  Findings,
  isResult,
  messagesCalls,
  type NewContent,
  readPlainBlock,
} from './findings.ts';

/** The new content of a conversation of Claude Code's, with its own texts kept apart from a person's. */
export function newInClaudeCode(messages: readonly unknown[]): NewContent {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) eachBlock(messages[index], found, readBlock);
  for (const message of messages.slice(boundary + 1)) readMarksInSystem(message, found);
  return found.content(
    boundary,
    () => messagesCalls(messages, boundary),
    (id) => isCallOf(messages, boundary, id),
  );
}

/** Somewhere in the conversation the model made this call. From its end: what has just finished was called of late. */
function isCallOf(messages: readonly unknown[], boundary: number, id: string): boolean {
  for (let index = boundary; index >= 0; index--) {
    const message = messages[index];
    if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) continue;
    if (message.content.some((block) => isObject(block) && block.type === 'tool_use' && block.id === id)) return true;
  }
  return false;
}

function readBlock(block: JsonObject, found: Findings): void {
  if (block.type === 'text' && typeof block.text === 'string') {
    readText(block.text, found);
  } else if (isResult(block)) {
    found.result(block.tool_use_id);
    if (namesTools(block.content)) found.references(block.tool_use_id);
    eachText(block.content, (text) => readMarksInText(text, block.is_error === true, found));
  } else {
    readPlainBlock(block, found);
  }
}

function namesTools(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => isObject(part) && part.type === 'tool_reference');
}

function readText(text: string, found: Findings): void {
  const { rest, spans, closed } = cutReminders(text);
  // Claude Code closes its reminders: a tag without an end was typed.
  if (!closed) found.unknown = true;
  for (const span of spans) {
    const mark = span.indexOf(interjectionMark);
    if (mark >= 0) {
      found.mark(span.slice(mark + interjectionMark.length));
      continue;
    }
    found.other(span);
    if (!isNotification(span)) continue;
    found.machine.push('notification');
    found.notifications.push(notifiedCall.exec(span)?.[1] ?? null);
  }
  const trimmed = rest.trim();
  if (trimmed === '') return;
  const counts = blockTextOf(trimmed)?.counts ?? 'words';
  found.last = counts;
  switch (counts) {
    case 'words':
      if (typedCommandBegins.some((begin) => trimmed.startsWith(begin))) found.typedCommand = true;
      found.text(trimmed);
      return;
    case 'marked':
      found.mark(trimmed.slice(interjectionMark.length));
      return;
    case 'nothing':
      found.other(trimmed);
      return;
    default:
      found.other(trimmed);
      found.machine.push(counts);
  }
}

/** Null for a person's words. */
function blockTextOf(text: string): BlockText | null {
  for (const entry of blockTexts) {
    if (!text.startsWith(entry.begins)) continue;
    if (entry.whole && text !== entry.begins) continue;
    if (entry.closes && !entry.closes.some((tag) => text.endsWith(tag))) continue;
    // Words behind the bracket would be a person's.
    if (entry.alone && (!text.endsWith(']') || text.includes('\n'))) continue;
    return entry;
  }
  return null;
}

function isNotification(span: string): boolean {
  return span.trimStart().startsWith(notificationBegins) || span.includes(notificationHolds);
}

/**
 * Newer models get as a system message what others get as a reminder. It is no part of the new content, unless it is
 * marked as a person's.
 */
function readMarksInSystem(message: unknown, found: Findings): void {
  if (!isObject(message) || message.role !== 'system') return;
  eachText(message.content, (text) => readMarksInText(text, false, found));
}

function eachText(content: unknown, read: (text: string) => void): void {
  if (typeof content === 'string') {
    read(content);
  } else if (Array.isArray(content)) {
    for (const part of content) if (isObject(part) && typeof part.text === 'string') read(part.text);
  }
}

/**
 * A result is a tool's, but Claude Code puts a person's words into it, too: as a reminder, or as the reason of a
 * refusal.
 */
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
