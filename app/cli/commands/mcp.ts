import { isClientLabel } from '../../claude-code/client-label.ts';
import { answerByRunning, serveOverStdio } from '../../mcp/answer-by-running.ts';
import type { RunningDoor } from '../../server/running-proxy.ts';
import { runningProxy } from '../../server/running-proxy.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { knowsKey } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { ownVersion } from '../version.ts';

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
      '--client must be up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
    );
  const { lock, ...first } = await readKey(surroundings);
  let key: string | null = first.key;
  const door = async (): Promise<RunningDoor | null> => {
    const running = await runningProxy(lock);
    if (running === null) return null;
    key ??= (await readKey(surroundings)).key;
    return { baseUrl: running.baseUrl, key: `${key}.${client}` };
  };
  const forgetKey = (): void => {
    key = null;
  };
  const answer = answerByRunning({ door, forgetKey });
  await serveOverStdio(ownVersion(), answer, { input: process.stdin, output: process.stdout });
  return 0;
}

function readKey(surroundings: Surroundings): Promise<{ key: string; lock: string }> {
  return withApp(surroundings, {}, async ({ app, ports, variables }) => {
    if (!knowsKey({ ports, variables })) {
      throw new CommandFailure(
        'The local key is only in the memory of the running Jumpseat.',
        'Set JUMPSEAT_KEY for both.',
      );
    }
    return { key: await app.localKey(), lock: ports.paths.lock };
  });
}
