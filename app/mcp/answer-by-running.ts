import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { askRunning, type RunningDoor } from '../server/ask-running.ts';
import type { AnswerTool } from './tools.ts';

const answerSchema = z.object({ result: z.unknown() });

/**
 * Answers the tools by asking the running Jumpseat: searches then have their row there, and no second process signs in.
 * @param door looked for anew with every call, since it may have been started again. Null: none runs.
 */
export function answerByRunning(door: () => Promise<RunningDoor | null>): AnswerTool {
  return async (name, given, signal) => {
    const found = await door();
    if (found === null) return failed('Jumpseat isn’t running. Start it, then ask again.');
    const asked = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    });
    const text = await askRunning(found, '/mcp', asked, signal);
    signal.throwIfAborted();
    return (text === null ? null : resultIn(text)) ?? failed('The running Jumpseat didn’t answer. Restart it.');
  };
}

/** JSON, or the one event with data that a stream holds. */
function resultIn(text: string): CallToolResult | null {
  const data = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '');
  try {
    const { result } = answerSchema.parse(JSON.parse(data));
    return isCallToolResult(result) ? result : null;
  } catch {
    return null;
  }
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Jumpseat: ${text}` }] };
}
