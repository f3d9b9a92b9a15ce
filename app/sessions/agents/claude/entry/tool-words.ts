import type { PermissionFacts } from '../../agent-extras.ts';
import type { Adapter } from './adapter.ts';

/** A question doesn't wait longer for it, in ms. */
const waitsMs = 1_000;

type ToolWords = Pick<PermissionFacts, 'says' | 'hints'>;

/**
 * What an MCP server says of one of its tools, by the name that Claude Code gives it. Claude Code 2.1.328 tells the
 * hints alone; its SDK has a place for the description.
 */
export async function toolWords(adapter: Adapter, sessionId: string, name: string): Promise<ToolWords> {
  const query = adapter.sessions[sessionId]?.query;
  if (query === undefined || !name.startsWith('mcp__')) return {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitsMs, null);
  });
  try {
    const servers = await Promise.race([query.mcpServerStatus(), late]);
    for (const server of servers ?? []) {
      const tool = server.tools?.find((one) => name === `mcp__${plain(server.name)}__${plain(one.name)}`);
      if (tool === undefined) continue;
      const { description: says, annotations: hints = {} } = tool;
      return { ...(says !== undefined && says !== '' && { says }), ...(Object.keys(hints).length > 0 && { hints }) };
    }
    return {};
  } catch {
    // The question is asked all the same.
    return {};
  } finally {
    clearTimeout(timer);
  }
}

function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}
