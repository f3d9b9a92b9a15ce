import { nodePaths } from '../../adapters/paths.ts';
import { answerByRunning, serveOverStdio } from '../../mcp/answer-by-running.ts';
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
