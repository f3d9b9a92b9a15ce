import { isObject } from '../../../formats/wire/json.ts';

/** The hosted search of the web, as a tool or as the choice of it: `web_search`, `_preview`, `_2025_08_26`. */
export function isHostedSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}
