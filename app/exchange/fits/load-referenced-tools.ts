import { type Block, isToolReferenceBlock, type Tool } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { type BlockChange, type BlockPlace, type FitContext, note } from './fit.ts';

/**
 * "Tool reference 'X' not found in available tools": X is sent at once, not when it is searched for, and the reference becomes words; it may be
 * refused because the client has taken X away since.
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
