import type { ChatRequest, ChatTool } from './chat.ts';
import { isObject, type JsonObject } from './json.ts';
import { blocksOf, isToolReferenceBlock, isToolResultBlock, type MessagesRequest, type Tool } from './messages.ts';
import type { Notes } from './note.ts';
import type { ToolNames } from './tool-names.ts';

/** Writes `tools`, `tool_choice` and `parallel_tool_calls`. */
export function addTools(body: ChatRequest, request: MessagesRequest, toolNames: ToolNames, notes: Notes): void {
  const tools = (request.tools ?? []).filter((tool) => isClientTool(tool, notes));
  const deferred = tools.some(isDeferred);
  const loaded = deferred ? referencedTools(request) : null;
  if (deferred) notes.add('deferred-tools', 'deferred tools expanded');
  const sent = tools.filter((tool) => !isDeferred(tool) || loaded?.has(tool.name));
  if (sent.length > 0) body.tools = sent.map((tool) => chatTool(tool, toolNames, notes));
  addToolChoice(body, request, new Set(sent.map(({ name }) => name)), toolNames, notes);
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

function chatTool(tool: Tool, toolNames: ToolNames, notes: Notes): ChatTool {
  for (const key of Object.keys(tool)) {
    if (!toolKeys.has(key)) notes.add('field-dropped', `tools.${key} removed`);
  }
  return {
    type: 'function',
    function: {
      name: toolNames.shorten(tool.name),
      ...(tool.description === undefined ? {} : { description: tool.description }),
      parameters: chatSchema(tool.input_schema),
    },
  };
}

function chatSchema(schema: unknown): JsonObject {
  const { $schema: _, ...rest } = isObject(schema) ? schema : {};
  return { ...rest, type: 'object', properties: rest.properties ?? {} };
}

function addToolChoice(
  body: ChatRequest,
  request: MessagesRequest,
  sent: ReadonlySet<string>,
  toolNames: ToolNames,
  notes: Notes,
): void {
  const choice = request.tool_choice;
  if (choice === undefined || choice === null) return;
  if (sent.size === 0) {
    notes.add('field-dropped', 'tool_choice without tools removed');
    return;
  }
  if (choice.disable_parallel_tool_use === true) body.parallel_tool_calls = false;
  if (choice.type === 'auto' || choice.type === 'none') body.tool_choice = choice.type;
  else if (choice.type === 'any') body.tool_choice = 'required';
  else if (choice.type === 'tool' && choice.name !== undefined && sent.has(choice.name))
    body.tool_choice = { type: 'function', function: { name: toolNames.shorten(choice.name) } };
  else notes.add('field-dropped', `tool_choice ${choice.name ?? choice.type} removed`);
}
