import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asObject, asText } from '../json.ts';
import { codeRefusal, extraInput, flatRefusal, type Refusal } from '../refusal.ts';
import type { MessagesCheck } from './messages-check.ts';
import { checkScope } from './strict-blocks.ts';

/**
 * The tool tags that the service lists; sample: `error-400-code_execution-tool-tag`. Without a tag a tool is `custom`.
 */
const tags = [
  'bash_20250124',
  'custom',
  'memory_20250818',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex',
  'tool_search_tool_regex_20251119',
] as const;

/** Fields of newer APIs that the backend behind Copilot does not know. */
const refusedToolFields = ['eager_input_streaming', 'input_examples'] as const;

export function checkTools({ body }: MessagesCheck): Refusal | null {
  const tools = asList(body.tools).filter(isObject);
  for (const [at, tool] of tools.entries()) {
    const refusal = checkTool(tool, at);
    if (refusal !== null) return refusal;
  }
  const names = tools.map((tool) => tool.name);
  if (new Set(names).size < names.length) return flatRefusal('tools: Tool names must be unique.');
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading === true)) {
    return flatRefusal('At least one tool must have defer_loading=false.');
  }
  return checkChoice(asObject(body.tool_choice), names);
}

function checkTool(tool: JsonObject, at: number): Refusal | null {
  const type = asText(tool.type) ?? 'custom';
  if (type.startsWith('web_search_')) {
    return codeRefusal('The use of the web search tool is not supported.', 'unsupported_value');
  }
  if (type.startsWith('web_fetch_')) return codeRefusal('rejected tool(s): web_fetch', 'invalid_request_body');
  if (!tags.some((tag) => tag === type) && !type.startsWith('computer_')) {
    const expected = tags.map((tag) => `'${tag}'`).join(', ');
    return flatRefusal(
      `tools.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`,
    );
  }
  return checkScope(tool, `tools.${at}`) ?? (type === 'custom' ? checkCustom(tool, at) : null);
}

function checkCustom(tool: JsonObject, at: number): Refusal | null {
  const extra = refusedToolFields.find((field) => tool[field] !== undefined);
  if (extra !== undefined) return extraInput(`tools.${at}.custom.${extra}`);
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(asText(tool.name) ?? '')) {
    return flatRefusal(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (!isObject(tool.input_schema)) return flatRefusal(`tools.${at}.custom.input_schema: Field required`);
  return tool.input_schema.type === 'object'
    ? null
    : flatRefusal(`tools.${at}.custom.input_schema.type: Field required`);
}

function checkChoice(choice: JsonObject, names: readonly unknown[]): Refusal | null {
  if (choice.type === undefined || choice.type === 'none') return null;
  if (names.length === 0) return flatRefusal('tool_choice may only be specified while providing tools.');
  return choice.type === 'tool' && !names.includes(choice.name)
    ? flatRefusal(`Tool '${String(choice.name)}' not found in provided tools`)
    : null;
}
