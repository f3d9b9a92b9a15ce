import {
  blocksOf,
  isToolReferenceBlock,
  isToolResultBlock,
  type MessagesRequest,
  type Tool,
} from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import type { ToolNames } from '../translation/tool-names.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/** A tool for an API that knows only functions. */
interface SentTool {
  name: string;
  description?: string;
  parameters: JsonObject;
  /** Present only if it is kept. */
  strict?: boolean;
}

interface SentTools {
  tools: SentTool[];
  /** `required`: one of them, whichever. Null if nothing is said. */
  choice: 'auto' | 'none' | 'required' | { name: string } | null;
  /** True if the client requires one call at a time. */
  single: boolean;
}

/**
 * The client's own tools, deferred ones once a tool search has named them, and what the client says about their use.
 * `keep`: fields that the other API has, too.
 */
export function sentTools(
  request: MessagesRequest,
  toolNames: ToolNames,
  notes: Notes,
  keep: readonly 'strict'[] = [],
): SentTools {
  const own = (request.tools ?? []).filter((tool) => isClientTool(tool, notes));
  const deferred = own.some(isDeferred);
  const loaded = deferred ? referencedTools(request) : null;
  if (deferred) notes.add('deferred-tools', 'deferred tools expanded');
  const sent = own.filter((tool) => !isDeferred(tool) || loaded?.has(tool.name));
  const tools = sent.map((tool) => sentTool(tool, toolNames, notes, keep));
  return { tools, ...readChoice(request, new Set(sent.map(({ name }) => name)), toolNames, notes) };
}

function isClientTool(tool: Tool, notes: Notes): boolean {
  if (tool.type === undefined || tool.type === null || tool.type === 'custom') return true;
  notes.add('tool-removed', `tool ${tool.name} (${tool.type}) removed`);
  return false;
}

function isDeferred(tool: Tool): boolean {
  return tool.defer_loading === true;
}

/** Tools that a result has named, and one that is to be used now. */
function referencedTools(request: MessagesRequest): Set<string> {
  const names = new Set<string>();
  if (request.tool_choice?.name !== undefined) names.add(request.tool_choice.name);
  for (const message of request.messages) {
    for (const [, block] of blocksOf(message.content)) {
      if (!isToolResultBlock(block)) continue;
      for (const [, inner] of blocksOf(block.content ?? [])) {
        if (isToolReferenceBlock(inner)) names.add(inner.tool_name);
      }
    }
  }
  return names;
}

const toolKeys = new Set(['name', 'type', 'description', 'input_schema', 'defer_loading', 'cache_control']);

function sentTool(tool: Tool, toolNames: ToolNames, notes: Notes, keep: readonly string[]): SentTool {
  for (const key of Object.keys(tool)) {
    if (!toolKeys.has(key) && !keep.includes(key)) notes.add('field-dropped', `tools.${key} removed`);
  }
  return {
    name: toolNames.shorten(tool.name),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: functionSchema(tool.input_schema),
    ...(keep.includes('strict') && tool.strict === true ? { strict: true } : {}),
  };
}

function functionSchema(schema: unknown): JsonObject {
  const { $schema: _, ...rest } = isObject(schema) ? schema : {};
  return { ...rest, type: 'object', properties: rest.properties ?? {} };
}

function readChoice(
  request: MessagesRequest,
  sent: ReadonlySet<string>,
  toolNames: ToolNames,
  notes: Notes,
): Pick<SentTools, 'choice' | 'single'> {
  const choice = request.tool_choice;
  if (choice === undefined || choice === null) return { choice: null, single: false };
  if (sent.size === 0) {
    notes.add('field-dropped', 'tool_choice without tools removed');
    return { choice: null, single: false };
  }
  const single = choice.disable_parallel_tool_use === true;
  if (choice.type === 'auto' || choice.type === 'none') return { choice: choice.type, single };
  if (choice.type === 'any') return { choice: 'required', single };
  if (choice.type === 'tool' && choice.name !== undefined && sent.has(choice.name))
    return { choice: { name: toolNames.shorten(choice.name) }, single };
  notes.add('field-dropped', `tool_choice ${choice.name ?? choice.type} removed`);
  return { choice: null, single };
}
