import {
  type Block,
  isMarked,
  isToolResultBlock,
  type MessagesRequest,
  type Tool,
} from '../../formats/messages/request.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { type BlockChange, changed, type FitResult, mapKeeping, note, unchanged, without } from './fit.ts';

/** "cache_control: Extra inputs are not permitted": Copilot takes cache marks on blocks only. */
export function removeTopLevelCacheMark(request: MessagesRequest): FitResult {
  if (request.cache_control === undefined) return unchanged(request);
  return changed(without(request, 'cache_control'), 'top-level-cache-mark-removed', 'top-level cache mark removed');
}

const removed = note('cache-scope-removed', 'cache scope removed');

/** "cache_control.ephemeral.scope: Extra inputs are not permitted". The mark itself, also with a `ttl`, is taken. */
export function removeCacheScope(block: Block): BlockChange | null {
  const next = withoutScope(block);
  return next === block ? null : { ok: true, block: next, note: removed };
}

/** The same on a tool. */
export function removeCacheScopeOfTool(tool: Tool) {
  const next = withoutScope(tool);
  return next === tool ? null : { tool: next, note: removed };
}

function withoutScope<T extends Block | Tool>(marked: T): T {
  const mark = marked.cache_control;
  return isObject(mark) && mark.scope !== undefined ? { ...marked, cache_control: without(mark, 'scope') } : marked;
}

/** A mark asks for an hour instead of five minutes. */
export function hasHourMark({ tools, system, messages }: MessagesRequest): boolean {
  const lists = [tools, system, ...messages.map(({ content }) => content)];
  return lists.some((list) => Array.isArray(list) && list.some(lastsAnHour));
}

function lastsAnHour({ cache_control: mark, content }: JsonObject): boolean {
  if (isObject(mark) && mark.ttl === '1h') return true;
  return Array.isArray(content) && content.some((inner) => isObject(inner) && lastsAnHour(inner));
}

/** Anthropic's limit of cache marks in one request. */
const most = 4;

/**
 * A fifth cache mark fails the request. The last mark of the tools and of the system stay, because they cover what
 * never changes; the rest of the four goes to the newest marks of the messages.
 */
export function limitCacheMarks(request: MessagesRequest): FitResult {
  const tools = Array.isArray(request.tools) ? request.tools.filter(isMarked).length : 0;
  const system = Array.isArray(request.system) ? request.system.filter(isMarked).length : 0;
  const messages = marksInMessages(request);
  const total = tools + system + messages;
  if (total <= most) return unchanged(request);
  // Each part gets its first claim, then the stable ones what the messages leave over.
  const ofMessages = Math.min(messages, most - Math.min(tools, 1) - Math.min(system, 1));
  const ofSystem = Math.min(system, most - ofMessages - Math.min(tools, 1));
  const ofTools = Math.min(tools, most - ofMessages - ofSystem);
  const next = { ...request };
  if (Array.isArray(request.tools)) next.tools = keepLast(request.tools, tools - ofTools);
  if (Array.isArray(request.system)) next.system = keepLast(request.system, system - ofSystem);
  next.messages = keepNewest(request, messages - ofMessages);
  return changed(next, 'cache-marks-limited', `cache marks: kept ${most} of ${total}`);
}

function marksInMessages({ messages }: MessagesRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (isMarked(block)) count += 1;
      if (isToolResultBlock(block) && Array.isArray(block.content)) count += block.content.filter(isMarked).length;
    }
  }
  return count;
}

/** Takes the first `leaving` marks away. */
function keepLast<T extends Block | Tool>(list: T[], leaving: number): T[] {
  let left = leaving;
  return mapKeeping(list, (item) => {
    if (left === 0 || !isMarked(item)) return item;
    left -= 1;
    return without(item, 'cache_control');
  });
}

function keepNewest({ messages }: MessagesRequest, leaving: number): MessagesRequest['messages'] {
  let left = leaving;
  return mapKeeping(messages, (message) => {
    if (left === 0 || typeof message.content === 'string') return message;
    const content = mapKeeping(message.content, (block) => {
      let next: Block = block;
      if (isToolResultBlock(block) && Array.isArray(block.content)) {
        const marks = Math.min(left, block.content.filter(isMarked).length);
        left -= marks;
        if (marks > 0) next = { ...block, content: keepLast(block.content, marks) };
      }
      if (left === 0 || !isMarked(next)) return next;
      left -= 1;
      return without(next, 'cache_control');
    });
    return content === message.content ? message : { ...message, content };
  });
}
