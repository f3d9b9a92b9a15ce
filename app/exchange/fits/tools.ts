import {
  type Block,
  isToolReferenceBlock,
  isToolResultBlock,
  type Message,
  type MessagesRequest,
  type Tool,
} from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { t } from '../../language/translate.ts';
import { type BlockChange, type BlockPlace, type FitContext, type FitResult, note, unchanged, without } from './fit.ts';

/**
 * Copilot's Vertex-backed models refuse `eager_input_streaming` and `input_examples` on a tool. Both are hints only.
 */
export function removeToolFields(tool: Tool) {
  const next = without(tool, 'eager_input_streaming', 'input_examples');
  return next === tool ? null : { tool: next, note: note('tool-fields-removed', 'tool fields removed') };
}

/** A schema has to say that it is an object's; VS Code completes those of tools that take no input in the same way. */
export function completeToolSchema(tool: Tool) {
  const schema = tool.input_schema;
  if (!isObject(schema) || schema.type !== undefined) return null;
  const completed = { ...schema, type: 'object', properties: schema.properties ?? {} };
  return { tool: { ...tool, input_schema: completed }, note: note('schema-completed', 'schema completed') };
}

/**
 * "Tool reference 'X' not found in available tools": X is sent at once, not when it is searched for, and the reference
 * becomes words; it may be refused because the client has taken X away since.
 */
export function loadReferencedTool(tool: Tool, { learned }: FitContext) {
  if (tool.defer_loading !== true || learned?.refusesDeferred(tool.name) !== true) return null;
  return { tool: without(tool, 'defer_loading'), note: note('tool-loaded', 'deferred tool sent at once') };
}

export function toolReferenceAsText(block: Block, _place: BlockPlace, { learned }: FitContext): BlockChange | null {
  if (!isToolReferenceBlock(block) || learned?.refusesDeferred(block.tool_name) !== true) return null;
  return {
    ok: true,
    block: { type: 'text', text: `Tool loaded: ${block.tool_name}` },
    note: note('tool-reference-as-text', 'tool reference turned into text'),
  };
}

/** Chat Completions and Responses take 128 tools; the catalog has no number for it (microsoft/vscode#243602). */
const most = 128;

/**
 * Counts what the translation sends: every tool that is not deferred, and the deferred ones that a tool search has
 * named. Choosing some for the client would hide tools from it, so it is told instead.
 */
export function refuseTooManyTools(request: MessagesRequest, { model, purpose }: FitContext): FitResult {
  const { tools } = request;
  if (purpose === 'count' || !Array.isArray(tools) || tools.length <= most) return unchanged(request);
  const loaded = namesLoaded(request.messages);
  const count = tools.filter((tool) => tool.defer_loading !== true || loaded.has(tool.name)).length;
  if (count <= most) return unchanged(request);
  return {
    ok: false,
    status: 400,
    type: 'policy_blocked',
    message: t(
      'Jumpseat: {name} takes at most {most} tools, and this request has {count}. Set ENABLE_TOOL_SEARCH=true, or turn off MCP servers you don’t need.',
      { name: model.name, most, count },
    ),
    code: 'too-many-tools',
    shouldRetry: false,
  };
}

function namesLoaded(messages: readonly Message[]): Set<string> {
  const names = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (!isToolResultBlock(block) || !Array.isArray(block.content)) continue;
      for (const inner of block.content) if (isToolReferenceBlock(inner)) names.add(inner.tool_name);
    }
  }
  return names;
}
