import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AnswerTool } from './tools.ts';
import { webServer } from './web-server.ts';

/** Serves a program that speaks MCP over these two, until it closes its end. */
export async function serveOverStdio(
  version: string,
  answer: AnswerTool,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  // A file, such as /dev/null, ends without being closed.
  const ended = Promise.race([once(input, 'end'), once(input, 'close')]);
  const served = serveStdio(() => webServer(version, answer), { transport: new StdioServerTransport(input, output) });
  await ended;
  await served.close();
}
