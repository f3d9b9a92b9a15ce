import type { ChatRequest } from '../chat/request.ts';
import type { MessagesRequest } from '../messages/request.ts';
import { sentTools } from '../messages-via/sent-tools.ts';
import type { Notes } from '../translation/note.ts';
import type { ToolNames } from '../translation/tool-names.ts';

/** Writes `tools`, `tool_choice` and `parallel_tool_calls`. */
export function addTools(body: ChatRequest, request: MessagesRequest, toolNames: ToolNames, notes: Notes): void {
  const { tools, choice, single } = sentTools(request, toolNames, notes);
  if (tools.length > 0) body.tools = tools.map((tool) => ({ type: 'function', function: tool }));
  if (single) body.parallel_tool_calls = false;
  if (choice !== null)
    body.tool_choice = typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
