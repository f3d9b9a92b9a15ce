import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type BlockChange, note } from './fit.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

const uses = new Set(['server_tool_use', 'mcp_tool_use']);
const results =
  /^(web_search|web_fetch|code_execution|bash_code_execution|text_editor_code_execution|advisor|mcp)_tool_result$/;
const asText = note('server-tool-blocks-as-text', 'server-tool blocks turned into text');

/**
 * What server tools left in the history: Copilot refuses block types it does not know. A result becomes its text, so that the model still
 * knows what was found; a call without its tool says nothing. Tool search stays: Copilot runs it.
 */
export function serverToolBlocksAsText(block: Block): BlockChange | null {
  if (uses.has(block.type)) {
    if (typeof block.name === 'string' && block.name.startsWith('tool_search')) return null;
    return { ok: true, block: null, note: asText };
  }
  if (!results.test(block.type)) return null;
  const text = textsOf(block.content).join('\n');
  const kind = block.type.slice(0, -'_tool_result'.length);
  return { ok: true, block: text === '' ? null : textInPlaceOf(block, `[${kind} result]\n${text}`), note: asText };
}

/** Where the results of the server tools keep what a person would read, in reading order. Ids and encrypted content are not among them. */
const readable = ['title', 'url', 'text', 'stdout', 'stderr', 'error_code', 'content', 'source'];

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isObject(value)) return [];
  if (value.type === 'text' && typeof value.data === 'string') return textsOf(value.data);
  return readable.flatMap((key) => textsOf(value[key]));
}
