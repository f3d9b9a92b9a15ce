import type { Tool } from '../../formats/messages/request.ts';

/**
 * Tools that Anthropic runs on its own servers. Copilot refuses each: `web_search_*` with `unsupported_value`, `web_fetch_*` with "rejected
 * tool(s)", `code_execution_*`, `advisor*` and `mcp_toolset` because their tags are not in its list. Tool search is not among them: it works.
 */
const families: readonly { family: string; title: string }[] = [
  { family: 'web_search', title: 'Web search' },
  { family: 'web_fetch', title: 'Web fetch' },
  { family: 'code_execution', title: 'Code execution' },
  { family: 'advisor', title: 'The advisor tool' },
  { family: 'mcp_toolset', title: 'The MCP connector' },
];

export interface ServerTool {
  /** `web_search` */
  family: string;
  /** How a person calls it. */
  title: string;
}

/** Null: a tool that the client runs, or one that Copilot runs. */
export function serverTool(tool: Tool): ServerTool | null {
  const { type } = tool;
  if (typeof type !== 'string') return null;
  return families.find(({ family }) => type === family || type.startsWith(`${family}_`)) ?? null;
}
