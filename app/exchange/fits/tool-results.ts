import {
  type Block,
  isTextBlock,
  isToolResultBlock,
  isToolUseBlock,
  type Message,
  type MessagesRequest,
  type ToolResultBlock,
} from '../../formats/messages/request.ts';
import { changed, type FitResult, mapKeeping, textInPlaceOf, unchanged } from './fit.ts';

/** "tool_use ids must be unique": the later call of two with one id gets a suffix, and its result with it. */
export function renameDuplicateToolIds(request: MessagesRequest): FitResult {
  const taken = idsWithDuplicates(request.messages);
  if (taken === null) return unchanged(request);
  const free = new FreeIds(taken);
  const used = new Set<string>();
  let renamed = 0;
  /** New ids of the calls of this turn, in their order, by the id that they came with. */
  let turn = new Map<string, { ids: string[]; answered: number }>();
  let lastRole = '';
  const messages = mapKeeping(request.messages, (message) => {
    if (message.role === 'assistant' && lastRole !== 'assistant') turn = new Map();
    if (message.role !== 'system') lastRole = message.role;
    if (typeof message.content === 'string') return message;
    const content = mapKeeping(message.content, (block): Block => {
      if (message.role === 'assistant' && isToolUseBlock(block)) {
        const id = used.has(block.id) ? free.next(block.id) : block.id;
        used.add(id);
        const same = turn.get(block.id);
        if (same === undefined) turn.set(block.id, { ids: [id], answered: 0 });
        else same.ids.push(id);
        if (id === block.id) return block;
        renamed += 1;
        return { ...block, id };
      }
      if (message.role === 'user' && isToolResultBlock(block)) {
        const same = turn.get(block.tool_use_id);
        const id = same?.ids[same.answered++] ?? block.tool_use_id;
        return id === block.tool_use_id ? block : { ...block, tool_use_id: id };
      }
      return block;
    });
    return content === message.content ? message : { ...message, content };
  });
  return changed({ ...request, messages }, 'duplicate-tool-id-renamed', 'duplicate tool id renamed', renamed);
}

/** All ids of calls; null when each is there only once. */
function idsWithDuplicates(messages: readonly Message[]): Set<string> | null {
  const ids = new Set<string>();
  let calls = 0;
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const block of content) {
      if (!isToolUseBlock(block)) continue;
      calls += 1;
      ids.add(block.id);
    }
  }
  return calls === ids.size ? null : ids;
}

/**
 * Ids with a suffix that no other call has. Goes on where it stopped: a conversation may hold the same id thousands of
 * times.
 */
class FreeIds {
  readonly #taken: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  next(id: string): string {
    let number = (this.#last.get(id) ?? 1) + 1;
    while (this.#taken.has(`${id}_${number}`)) number += 1;
    this.#last.set(id, number);
    this.#taken.add(`${id}_${number}`);
    return `${id}_${number}`;
  }
}

/**
 * "unexpected tool_use_id": a tool result has to answer a call of the turn right before it, and each call once. A stray
 * one becomes text in its own message, so that nothing that was said is lost (github/copilot-cli#762,
 * anthropics/claude-code#1237).
 */
export function strayToolResultsAsText(request: MessagesRequest): FitResult {
  let stray = 0;
  /** Calls of the last turn that have no result yet. */
  let open = new Set<string>();
  let lastRole = '';
  const messages = mapKeeping(request.messages, (message) => {
    if (message.role === 'assistant' && lastRole !== 'assistant') open = new Set();
    if (message.role !== 'system') lastRole = message.role;
    if (typeof message.content === 'string') return message;
    if (message.role === 'assistant') {
      for (const block of message.content) if (isToolUseBlock(block)) open.add(block.id);
      return message;
    }
    if (message.role !== 'user') return message;
    let texts: Block[] | null = null;
    let index = -1;
    for (const block of message.content) {
      index += 1;
      const isStray = isToolResultBlock(block) && !open.delete(block.tool_use_id);
      if (isStray) {
        stray += 1;
        texts ??= message.content.slice(0, index);
        for (const text of asText(block)) texts.push(text);
      } else texts?.push(block);
    }
    return texts === null ? message : { ...message, content: resultsFirst(texts) };
  });
  if (stray === 0) return unchanged(request);
  return changed({ ...request, messages }, 'stray-tool-result-as-text', 'stray tool result turned into text', stray);
}

/** Images and documents of the result stay what they are, behind its text. */
function asText({ content, ...result }: ToolResultBlock): Block[] {
  const blocks = Array.isArray(content) ? content : [];
  const texts = typeof content === 'string' ? [content] : blocks.filter(isTextBlock).map((block) => block.text);
  const said = ['[result of a tool call that is not in this conversation]', ...texts].join('\n');
  return [textInPlaceOf(result, said), ...blocks.filter(({ type }) => type === 'image' || type === 'document')];
}

/** Puts results first: text must not come before a result. */
function resultsFirst(content: Block[]): Block[] {
  const results = content.filter(isToolResultBlock);
  return results.length === 0 ? content : [...results, ...content.filter((block) => !isToolResultBlock(block))];
}

/**
 * Results of tool calls stand before anything else of the user's turn, which may be several messages: Anthropic's API
 * refuses "`tool_result` blocks must come before any other content", and Chat Completions takes nothing between a call
 * and its result. A late one moves to the turn's first message.
 */
export function toolResultsFirst(request: MessagesRequest): FitResult {
  const late = lateResults(request.messages);
  if (late.length === 0) return unchanged(request);
  const moved = new Set(late.map(({ block }) => block));
  const byTurn = Map.groupBy(late, ({ turn }) => turn);
  const messages = request.messages.flatMap((message, index): Message[] => {
    if (message.role !== 'user') return [message];
    const given: Block[] =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const results = byTurn.get(index)?.map(({ block }) => block) ?? [];
    if (results.length === 0 && !given.some((block) => moved.has(block))) return [message];
    const stays = given.filter((block) => !moved.has(block));
    const other = stays.findIndex((block) => !isToolResultBlock(block));
    const content = stays.toSpliced(other === -1 ? stays.length : other, 0, ...results);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed({ ...request, messages }, 'tool-result-moved', 'tool result moved before other content', late.length);
}

interface LateResult {
  block: Block;
  /** Place of the turn's first message. */
  turn: number;
}

function lateResults(messages: readonly Message[]): LateResult[] {
  const late: LateResult[] = [];
  let turn = -1;
  let others = false;
  let index = -1;
  for (const { role, content } of messages) {
    index += 1;
    if (role === 'assistant') turn = -1;
    if (role !== 'user') continue;
    if (turn === -1) {
      turn = index;
      others = false;
    }
    if (typeof content === 'string') {
      others = true;
      continue;
    }
    for (const block of content) {
      if (!isToolResultBlock(block)) others = true;
      else if (others) late.push({ block, turn });
    }
  }
  return late;
}

/**
 * "tool_use ids were found without tool_result blocks immediately after": a call whose result was never recorded (a
 * crash, a rewound session) gets one that says so, in the user message right after it, or in one of its own
 * (github/copilot-cli#762, anthropics/claude-code#7796).
 */
export function addMissingToolResults(request: MessagesRequest): FitResult {
  const missing = missingResults(request.messages);
  if (missing.size === 0) return unchanged(request);
  const messages: Message[] = [];
  let added = 0;
  for (const [index, message] of request.messages.entries()) {
    messages.push(message);
    const ids = missing.get(index);
    if (ids === undefined) continue;
    added += ids.length;
    if (message.role === 'user') messages[messages.length - 1] = withResults(message, ids);
    else messages.push({ role: 'user', content: ids.map(noResult) });
  }
  return changed({ ...request, messages }, 'missing-tool-result-added', 'missing tool result added', added);
}

/**
 * Ids without a result, by the index of the message that gets them (the first user message of the answer) or that they
 * follow.
 */
function missingResults(messages: readonly Message[]): Map<number, string[]> {
  const missing = new Map<number, string[]>();
  let open = new Set<string>();
  let place = -1;
  let answering = false;
  const settle = () => {
    if (open.size > 0) missing.set(place, [...open]);
    open = new Set();
    answering = false;
  };
  let index = -1;
  for (const { role, content } of messages) {
    index += 1;
    if (role === 'assistant') {
      if (answering) settle();
      place = index;
      if (typeof content === 'string') continue;
      for (const block of content) if (isToolUseBlock(block)) open.add(block.id);
    } else if (role === 'user') {
      if (!answering) place = index;
      answering = true;
      if (open.size === 0 || typeof content === 'string') continue;
      for (const block of content) if (isToolResultBlock(block)) open.delete(block.tool_use_id);
    }
  }
  settle();
  return missing;
}

/** Behind the results that are there: those have to come first. */
function withResults(message: Message, ids: readonly string[]): Message {
  const content: Block[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const start = content.findIndex((block) => block.type !== 'tool_result');
  const at = start === -1 ? content.length : start;
  return { ...message, content: [...content.slice(0, at), ...ids.map(noResult), ...content.slice(at)] };
}

function noResult(id: string): Block {
  return { type: 'tool_result', tool_use_id: id, content: 'No result was recorded for this call.', is_error: true };
}
