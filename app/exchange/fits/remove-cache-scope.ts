import type { Block, Tool } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { without } from './copy-on-write.ts';
import { type BlockChange, note } from './fit.ts';

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
