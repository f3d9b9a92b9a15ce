import type { Message, MessagesRequest } from '../../formats/messages/request.ts';
import { isToolReferenceBlock, isToolResultBlock } from '../../formats/messages/request.ts';
import { type FitContext, type FitResult, unchanged } from './fit.ts';

/** Chat Completions and Responses take 128 tools; the catalog has no number for it (microsoft/vscode#243602). */
const most = 128;

/**
 * Counts what the translation sends: every tool that is not deferred, and the deferred ones that a tool search has named. Choosing some
 * for the client would hide tools from it, so it is told instead.
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
    message: `Jumpseat: ${model.name} takes at most ${most} tools, and this request has ${count}. Set ENABLE_TOOL_SEARCH=true, or turn off MCP servers you don’t need.`,
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
