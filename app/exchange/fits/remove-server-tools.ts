import type { FitNote } from '../../api/exchange.ts';
import type { MessagesRequest, Tool } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { type FitContext, type FitResult, note, unchanged } from './fit.ts';
import { serverTool } from './server-tools.ts';

/**
 * Takes out the tools of `server-tools.ts`. Where there is no other tool, the request is a side request whose only purpose is that
 * tool (Claude Code's WebSearch): it is refused as `policy_blocked`, which the client shows once and goes on with its turn.
 */
export function removeServerTools(request: MessagesRequest, context: FitContext): FitResult {
  const { tools } = request;
  if (!Array.isArray(tools)) return unchanged(request);
  const staying: Tool[] = [];
  const notes: FitNote[] = [];
  let title: string | null = null;
  for (const tool of tools) {
    const server = serverTool(tool);
    if (server === null) {
      staying.push(tool);
      continue;
    }
    title ??= server.title;
    notes.push(note('server-tool-removed', `server tool removed: ${server.family}`));
  }
  if (title === null) return unchanged(request);
  if (staying.length === 0 && context.purpose === 'message') {
    return {
      ok: false,
      status: 400,
      type: 'policy_blocked',
      message: `${title} is not available through Copilot.`,
      code: 'server-tool-refused',
      shouldRetry: false,
    };
  }
  const next = staying.length > 0 ? { ...request, tools: staying } : without(request, 'tools', 'tool_choice');
  return { ok: true, request: forgetChoice(next, staying), notes };
}

/** A choice of a tool that left would be refused. */
function forgetChoice(request: MessagesRequest, tools: readonly Tool[]): MessagesRequest {
  const choice = request.tool_choice;
  if (choice?.type !== 'tool' || tools.some((tool) => tool.name === choice.name)) return request;
  return without(request, 'tool_choice');
}
