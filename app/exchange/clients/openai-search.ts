import type { MessagesRequest, Tool } from '../../formats/messages/request.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';

/** The hosted search of the web, as a tool or as the choice of it: `web_search`, `_preview`, `_2025_08_26`. */
export function isHostedSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}

/** A search that OpenAI's service would run, for a model whose service runs none. */
interface TakenSearch {
  /** The request without it. */
  request: JsonObject & { model: string };
  /** The tool as the client offers it; null if there is none, or one that may not look at the web. */
  tool: JsonObject | null;
  /** The client orders a search. */
  ordered: boolean;
}

/**
 * Takes the hosted search out of a Responses request, with the choice of it. One that the client keeps from the web
 * (`external_web_access: false`) asks for an index of OpenAI's that is not here: it stays, for the rules to take out.
 */
export function takeHostedSearch(request: JsonObject & { model: string }): TakenSearch {
  const { tools, tool_choice: choice, ...rest } = request;
  const given: unknown[] = Array.isArray(tools) ? tools : [];
  const tool = given.filter(isObject).find(isHostedSearch) ?? null;
  if (tool === null || tool.external_web_access === false) return { request, tool: null, ordered: false };
  const others = given.filter((each) => !isHostedSearch(each));
  const { left, ordered, isLeftOut } = withoutSearch(choice, others.length);
  const kept = {
    ...(others.length > 0 ? { tools: others } : {}),
    ...(left === undefined ? {} : { tool_choice: left }),
  };
  return { request: { ...rest, ...kept }, tool: isLeftOut ? null : tool, ordered };
}

/** What is left of a choice. `isLeftOut`: the search is not among the tools that it allows. */
function withoutSearch(choice: unknown, others: number): { left: unknown; ordered: boolean; isLeftOut: boolean } {
  if (isHostedSearch(choice)) return { left: undefined, ordered: true, isLeftOut: false };
  if (choice === 'required' && others === 0) return { left: undefined, ordered: true, isLeftOut: false };
  if (!isObject(choice) || choice.type !== 'allowed_tools' || !Array.isArray(choice.tools))
    return { left: choice, ordered: false, isLeftOut: false };
  const allowed: unknown[] = choice.tools;
  const rest = allowed.filter((each) => !isHostedSearch(each));
  const isAllowed = rest.length < allowed.length;
  if (rest.length > 0) return { left: { ...choice, tools: rest }, ordered: false, isLeftOut: !isAllowed };
  return { left: undefined, ordered: choice.mode === 'required', isLeftOut: !isAllowed };
}

/** The same as Anthropic's tool, which is emulated further on. */
export function withSearchTool(
  request: MessagesRequest,
  { filters, user_location: location, max_uses: uses }: JsonObject,
  ordered: boolean,
): MessagesRequest {
  const tools = request.tools ?? [];
  const name = tools.some((each) => each.name === 'web_search') ? 'hosted_web_search' : 'web_search';
  const { allowed_domains, blocked_domains } = isObject(filters) ? filters : {};
  const given = { allowed_domains, blocked_domains, user_location: location, max_uses: uses };
  const tool: Tool = { type: 'web_search_20250305', name, ...given };
  return { ...request, tools: [...tools, tool], ...(ordered ? { tool_choice: { type: 'tool', name } } : {}) };
}
