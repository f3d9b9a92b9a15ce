import type { SearchLocation } from '../../../api/search.ts';
import type { Tool } from '../../../formats/messages/request.ts';
import { isObject } from '../../../formats/wire/json.ts';

/** What a client says about the web search that it offers. */
export interface SearchTool {
  name: string;
  /** Searches that one request may make. */
  maxUses: number;
  allowed: readonly string[];
  blocked: readonly string[];
  location: SearchLocation | null;
}

/** Where a client names no bound. */
const usualUses = 10;

/** Anthropic's server tool in any of its versions: `web_search_20250305`, … */
export function isSearchTool(tool: unknown): tool is Tool {
  return (
    isObject(tool) &&
    typeof tool.type === 'string' &&
    (tool.type === 'web_search' || tool.type.startsWith('web_search_')) &&
    typeof tool.name === 'string'
  );
}

export function readSearchTool({
  name,
  max_uses: uses,
  allowed_domains,
  blocked_domains,
  user_location,
}: Tool): SearchTool {
  return {
    name,
    maxUses: typeof uses === 'number' && uses > 0 ? Math.floor(uses) : usualUses,
    allowed: textsIn(allowed_domains),
    blocked: textsIn(blocked_domains),
    location: isObject(user_location) ? readLocation(user_location) : null,
  };
}

/** `user_location` as both vendors have it; null if it says nothing. */
export function readLocation(given: { [key: string]: unknown }): SearchLocation | null {
  const of = (key: string): string | null => (typeof given[key] === 'string' && given[key] !== '' ? given[key] : null);
  const location = { city: of('city'), region: of('region'), country: of('country'), timezone: of('timezone') };
  return Object.values(location).some((value) => value !== null) ? location : null;
}

/** What of a list is text. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
