import { nodePaths } from '../../adapters/paths.ts';
import { StartError } from '../../api/state.ts';
import { t } from '../../language/translate.ts';
import { relayEditor } from '../../sessions/acp/relay-editor.ts';
import { type AgentName, agentNames } from '../../sessions/agents/agent.ts';
import { CommandFailure } from '../failure.ts';
import { readName } from '../options.ts';
import { runningDoor } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

interface AcpOptions {
  agent?: string;
}

/** Two editors that start at once may both find that no Jumpseat runs; more rounds than this are a fault. */
const rounds = 5;

/**
 * `jumpseat acp`: an agent that speaks ACP over stdio. Standard output belongs to the protocol. The sessions are those
 * of the running Jumpseat; without one they are led in this process, until the editor leaves.
 */
export async function acp(surroundings: Surroundings, options: AcpOptions): Promise<number> {
  const agent = readName('--agent', agentNames, options.agent ?? 'claude');
  for (let round = 0; round < rounds; round += 1) {
    const code = (await relay(surroundings, agent)) ?? (await answerLocally(surroundings, agent));
    if (code !== null) return code;
  }
  throw new CommandFailure(t('Another Jumpseat owns the folder and doesn’t answer.'), t('Restart it, then try again.'));
}

/** Null if no Jumpseat runs. */
async function relay(surroundings: Surroundings, agent: AgentName): Promise<number | null> {
  const way = await runningDoor(nodePaths(surroundings.env).lock, 'acp');
  if (way === null) return null;
  const { stdin: input, stdout: output } = process;
  const end = await relayEditor(way, agent, { input, output });
  switch (end.kind) {
    case 'nobody':
      return null;
    case 'editor-left':
      return 0;
    case 'jumpseat-left':
      throw new CommandFailure(t('The running Jumpseat has ended.'), t('Start it, then connect again.'));
    case 'refused':
      throw new CommandFailure(
        t('The running Jumpseat refused the connection ({status}).', { status: String(end.status) }),
        t('Restart it.'),
      );
  }
}

/** Null if another process was faster. */
function answerLocally(surroundings: Surroundings, agent: AgentName): Promise<number | null> {
  return withApp(surroundings, { owner: true }, async ({ app }) => {
    try {
      // Only its own agents use it, so it needs no fixed port.
      await app.startProxy({ port: 0 });
    } catch (error) {
      if (error instanceof StartError && (error.code === 'already-running' || error.code === 'not-answering'))
        return null;
      throw error;
    }
    await app.serveEditor(agent, { input: process.stdin, output: process.stdout });
    return 0;
  });
}
