import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import {
  afterLastAnswer,
  type Calls,
  eachBlock,
  Findings,
  lastTurn,
  messagesCalls,
  type NewContent,
  nameOf,
  readPlainBlock,
} from './findings.ts';

/**
 * Reads what a conversation has new since the last answer, for each API; all text counts as a person's words.
 * `claude-code-new-content.ts` tells Claude Code’s own texts apart.
 */

/** A client of the Messages API that is not Claude Code. */
export function newInMessages(messages: readonly unknown[]): NewContent {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) eachBlock(messages[index], found, readPlainBlock);
  for (const message of messages.slice(boundary + 1)) readInstruction(message, found);
  return found.content(boundary, () => messagesCalls(messages, boundary));
}

/** OpenAI Chat Completions: `tool` and `function` messages are tool results, what a `user` message holds is words. */
export function newInChat(messages: readonly unknown[]): NewContent {
  const found = new Findings();
  const { boundary, indexes } = afterLastAnswer(messages);
  for (const index of indexes) {
    const message = messages[index];
    if (!isObject(message)) found.unknown = true;
    else if (message.role === 'tool') found.result(message.tool_call_id);
    else if (message.role === 'function') found.result(functionCall(message.name));
    else if (message.role === 'user') readOpenaiContent(message.content, found);
    else found.unknown = true;
  }
  for (const message of messages.slice(boundary + 1)) readInstruction(message, found);
  return found.content(boundary, () => chatCalls(messages, boundary));
}

/** OpenAI Responses: the items after the last one that the model made. A string is words. */
export function newInResponses(input: unknown): NewContent {
  const found = new Findings();
  if (!Array.isArray(input)) {
    if (typeof input === 'string') found.text(input);
    else found.unknown = true;
    return found.content(-1, () => new Map());
  }
  const items: readonly unknown[] = input;
  let boundary = items.length - 1;
  while (boundary >= 0 && !isModelsItem(items[boundary])) boundary--;
  for (let index = boundary + 1; index < items.length; index++) readResponsesItem(items[index], found);
  return found.content(boundary, () => responsesCalls(items, boundary));
}

function chatCalls(messages: readonly unknown[], boundary: number): Calls {
  const calls = new Map<string, string>();
  for (const answer of lastTurn(messages, boundary)) {
    if (isObject(answer.function_call)) {
      const key = functionCall(answer.function_call.name);
      if (key !== null) calls.set(key, nameOf(answer.function_call));
    }
    if (!Array.isArray(answer.tool_calls)) continue;
    for (const call of answer.tool_calls) {
      if (!isObject(call) || typeof call.id !== 'string') continue;
      calls.set(call.id, nameOf(isObject(call.function) ? call.function : call.custom));
    }
  }
  return calls;
}

/** An old kind of call has no id. The space keeps it from being one. */
function functionCall(name: unknown): string | null {
  return typeof name === 'string' ? `function ${name}` : null;
}

function responsesCalls(items: readonly unknown[], boundary: number): Calls {
  const calls: [string, string][] = [];
  for (let index = boundary; index >= 0; index--) {
    const item = items[index];
    if (!isObject(item) || !isModelsItem(item)) break;
    if (typeof item.call_id === 'string' && !isMessageItem(item)) calls.push([item.call_id, nameOf(item)]);
  }
  return new Map(calls.reverse());
}

function readInstruction(message: unknown, found: Findings): void {
  if (!isObject(message) || (message.role !== 'system' && message.role !== 'developer')) return;
  if (saysSomething(message.content)) found.instructed();
}

function saysSomething(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() !== '';
  if (!Array.isArray(content)) return content !== undefined && content !== null;
  return content.some((part) => !isObject(part) || typeof part.text !== 'string' || part.text.trim() !== '');
}

/** `input_text`, `input_image`, `image_url`, `file`, …: what is not text is media. */
function readOpenaiContent(content: unknown, found: Findings): void {
  if (typeof content === 'string') {
    found.text(content);
  } else if (Array.isArray(content)) {
    for (const part of content) {
      if (!isObject(part)) found.unknown = true;
      else if (typeof part.text === 'string') found.text(part.text);
      else found.media(part);
    }
  } else {
    found.unknown = true;
  }
}

/** OpenAI's, from the reference of its API, and what VS Code 1.139 sends back of a search for tools. */
const outputTypes = new Set<unknown>([
  'function_call_output',
  'custom_tool_call_output',
  'computer_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
]);

function readResponsesItem(item: unknown, found: Findings): void {
  if (!isObject(item)) {
    found.unknown = true;
  } else if (isMessageItem(item)) {
    if (item.role === 'user') readOpenaiContent(item.content, found);
    else if (item.role === 'system' || item.role === 'developer') readInstruction(item, found);
    else found.unknown = true;
  } else if (outputTypes.has(item.type)) {
    found.result(item.call_id);
  } else {
    found.unknown = true;
  }
}

/** A message may come without a type. */
function isMessageItem(item: JsonObject): boolean {
  return item.type === 'message' || (item.type === undefined && typeof item.role === 'string');
}

/** An answer, a thought, or any kind of call (`function_call`, `custom_tool_call`, `local_shell_call`, …). */
function isModelsItem(item: unknown): boolean {
  if (!isObject(item)) return false;
  if (isMessageItem(item)) return item.role === 'assistant';
  return item.type === 'reasoning' || (typeof item.type === 'string' && item.type.endsWith('_call'));
}
