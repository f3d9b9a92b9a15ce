import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { nodePaths } from '../../adapters/paths.ts';
import { type AnswerTool, webServer } from '../../mcp/tools.ts';
import { askRunning, type RunningDoor, refusalIn } from '../../server/running-proxy.ts';
import type { PostAnswer } from '../../server/who-answers.ts';
import { requireClientLabel } from '../options.ts';
import { runningDoor } from '../running-jumpseat.ts';
import type { Surroundings } from '../surroundings.ts';
import { ownVersion } from '../this-program.ts';

interface McpOptions {
  client?: string;
}

/**
 * `jumpseat mcp`: web search and pages over stdio. Standard output belongs to the protocol. What is asked goes to the
 * running Jumpseat.
 */
export async function mcp(surroundings: Surroundings, { client = 'mcp' }: McpOptions): Promise<number> {
  requireClientLabel(client);
  const { lock } = nodePaths(surroundings.env);
  const answer = answerByRunning(() => runningDoor(lock, client));
  await serveOverStdio(ownVersion(), answer, { input: process.stdin, output: process.stdout });
  return 0;
}

const answerSchema = z.object({ result: z.unknown() });

/**
 * Answers the tools by asking the running Jumpseat: searches have their row there, and no second process signs in.
 * `door` is looked for with every call, since it may have been started again, or have a new key. Null if none runs.
 */
export function answerByRunning(door: () => Promise<RunningDoor | null>): AnswerTool {
  return async (name, given, signal) => {
    const asked = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    });
    const found = await door();
    if (found === null) return failed('Jumpseat isn’t running. Start it, then ask again.');
    const answer = await askRunning(found, '/mcp', asked, signal);
    signal.throwIfAborted();
    return resultOf(answer);
  };
}

function resultOf(answer: PostAnswer): CallToolResult {
  const { status, text } = answer;
  if (status === 200) return (text === null ? null : resultIn(text)) ?? failed(noAnswer);
  return failed(refusalIn(answer) ?? noAnswer);
}

const noAnswer = 'The running Jumpseat didn’t answer. Ask again; where that doesn’t help, restart it.';

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

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const unreadable = {
  ...{ jsonrpc: '2.0', id: null },
  error: { code: -32700, message: 'Jumpseat: This line is no JSON. Send one message of JSON-RPC a line.' },
};

/** Serves a program that speaks MCP over these two, until it closes its end. */
async function serveOverStdio(
  version: string,
  answer: AnswerTool,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  // A file, such as /dev/null, ends without being closed.
  const ended = Promise.race([once(input, 'end'), once(input, 'close')]);
  const served = serveStdio(() => webServer(version, answer), { transport: new StdioServerTransport(input, output) });
  // The library drops a line that is no JSON without a word.
  const lines = createInterface({ input }).on('line', (line) => {
    if (line.trim() !== '' && !isJson(line)) output.write(`${JSON.stringify(unreadable)}\n`);
  });
  await ended;
  lines.close();
  await served.close();
}
