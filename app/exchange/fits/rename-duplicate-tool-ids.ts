import {
  type Block,
  isToolResultBlock,
  isToolUseBlock,
  type Message,
  type MessagesRequest,
} from '../../formats/messages/request.ts';
import { mapKeeping } from './copy-on-write.ts';
import { changed, type FitResult, unchanged } from './fit.ts';

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

/** Ids with a suffix that nobody has. Goes on where it stopped: a conversation may hold the same id thousands of times. */
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
