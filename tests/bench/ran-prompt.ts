import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeClock } from '../../app/adapters/clock.ts';
import { launchChild } from '../../app/processes/launch.ts';
import type { AgentHandlers } from '../../app/sessions/agents/agent.ts';
import { clientCapabilities, connectAgent } from '../../app/sessions/agents/connect.ts';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { startStack } from '../app/stack.ts';
import { until } from '../soon.ts';
import { ranCode } from './ran-code.ts';

/**
 * Which code one message to a session runs: from the call of a front to the agent's pipe, and from the agent's answer
 * to the event for fronts. The agent is a process of its own that says nothing until it is told.
 */
export interface RanPrompt {
  out: Record<string, number>;
  back: Record<string, number>;
}

/** Speaks ACP. SIGUSR2 once: it says a word; twice: it ends the turn. */
const program = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const option = (id, value) => ({
  id, name: id, type: 'select', category: id, currentValue: value, options: [{ value, name: value }],
});
let turn = null;
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, _meta: { jumpseat: { extras: ['choose-id'] } } }),
  'session/new': ({ _meta }) => ({
    sessionId: _meta.jumpseat.sessionId,
    modes: { currentModeId: 'default', availableModes: [{ id: 'default', name: 'default' }] },
    configOptions: [option('model', 'opus'), option('effort', 'high')],
  }),
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'session/prompt') {
      turn = { id, sessionId: params.sessionId, said: false };
      writeFileSync(process.env.PROMPTED, '');
    } else if (id !== undefined) say({ id, result: answers[method]?.(params) ?? {} });
  })
  .on('close', () => process.exit(0));
process.on('SIGUSR2', () => {
  const { id, sessionId, said } = turn;
  turn.said = true;
  const content = { type: 'text', text: 'a word' };
  const update = { sessionUpdate: 'agent_message_chunk', messageId: 'one', content };
  if (said) say({ id, result: { stopReason: 'end_turn' } });
  else say({ method: 'session/update', params: { sessionId, update } });
});
`;

const home = mkdtempSync(join(tmpdir(), 'jumpseat-bench-prompt-'));
const [cwd, prompted] = [join(home, 'project'), join(home, 'prompted')];
const file = join(home, 'agent.mjs');
mkdirSync(cwd);
writeFileSync(file, program);

class PipedAgent extends FakeAgent {
  pid = 0;
  override async connect(handlers: AgentHandlers) {
    const connection = await connectAgent({
      ...{ title: 'The agent', launcher: launchChild, capabilities: clientCapabilities, version: '0' },
      ...{ clock: nodeClock(), handlers, log: { write: () => undefined } },
      program: { file, env: { PROMPTED: prompted } },
    });
    this.pid = connection.pid;
    return connection as never;
  }
}

const agent = new PipedAgent();
const stack = await startStack({ home, app: { agents: [agent], environment: { CLAUDE_CONFIG_DIR: home } } });
const { app } = stack;
const seen: string[] = [];
app.listen((event) => {
  if (event.event === 'session-event') seen.push(event.entry.kind);
});
const { id } = await app.newSession({ cwd, agent: 'claude', title: null, choices: {} });
/** By then what a step leaves for later is done. */
const settled = () => sleep(500);

async function turn(): Promise<RanPrompt> {
  rmSync(prompted, { force: true });
  await settled();
  ranCode();
  await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'go on' }] });
  await until(() => existsSync(prompted));
  await settled();
  const out = ranCode();
  const [before, now] = [seen.length, agent.pid];
  process.kill(now, 'SIGUSR2');
  await until(() => seen.length > before);
  await settled();
  const back = ranCode();
  process.kill(now, 'SIGUSR2');
  await until(() => seen.includes('turn-ended', before));
  return { out, back };
}

// The first one starts the process, and the second one what is made once.
for (let count = 0; count < 2; count++) await turn();
const ran = await turn();
await stack.close();
rmSync(home, { recursive: true, force: true });
process.send?.(ran);
