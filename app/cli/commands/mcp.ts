import { nodePaths } from '../../adapters/paths.ts';
import { isClientLabel } from '../../claude-code/client-label.ts';
import { t } from '../../language/translate.ts';
import { answerByRunning, serveOverStdio } from '../../mcp/answer-by-running.ts';
import { wrongUsage } from '../failure.ts';
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
  if (!isClientLabel(client))
    throw wrongUsage(
      t('--client must be up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.'),
    );
  const { lock } = nodePaths(surroundings.env);
  const answer = answerByRunning(() => runningDoor(lock, client));
  await serveOverStdio(ownVersion(), answer, { input: process.stdin, output: process.stdout });
  return 0;
}
