import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { FakeAgent, type FakeTurn } from '../app/sessions/host/fake-agent.ts';
import { startStack } from '../app/stack.ts';
import { keychainWith } from '../e2e/dashboard.ts';
import { transcriptOf } from './transcripts.ts';

/**
 * The app with a dashboard, many sessions on disk, and a long one of an agent that costs nothing, in a process of its
 * own: `node session-window-app.ts MESSAGES SESSIONS`. Streams words into the long one while it is told to.
 */
export interface SessionWindowReady {
  dashboardUrl: string;
  session: string;
  /** Words of its last message. */
  last: string;
}

const [messages = 0, sessions = 0] = process.argv.slice(2).map(Number);
const perTurn = 40;
const folders = 40;
const home = mkdtempSync(join(tmpdir(), 'jumpseat-bench-window-'));
const cwd = join(home, 'project');
mkdirSync(cwd);
for (let nth = 0; nth < sessions; nth += 1) {
  const project = join(home, 'projects', `-home-me-project-${nth % folders}`);
  if (nth < folders) mkdirSync(project, { recursive: true });
  const { name, text } = transcriptOf(nth, 2_000);
  writeFileSync(join(project, name), text);
}

const agent = new FakeAgent();
let reported = 0;
agent.script = (turn) => (turn.text === 'go on' ? talk(turn) : stream(turn));

/** Answers with some words, a list and code, and commands with their output between them. */
async function talk(turn: FakeTurn): Promise<'end_turn'> {
  for (let index = 0; index < perTurn && reported < messages; index += 1) {
    reported += 1;
    for (const update of reported % 2 === 0 ? command(reported) : [words(reported)]) await turn.update(update);
  }
  return 'end_turn';
}

function words(nth: number): SessionUpdate {
  const code = nth % 10 === 1 ? '\n\n```ts\nexport const retries = [250, 1_000, 4_000];\n```' : '';
  const text = `Message ${nth} says what was **found** in \`src/deliver.ts\`:\n\n- one thing\n- another thing${code}`;
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: `message-${nth}` };
}

function command(nth: number): SessionUpdate[] {
  const toolCallId = `call-${nth}`;
  const stdout = Array.from({ length: 12 }, (_, line) => `line ${line} of what command ${nth} printed`).join('\n');
  const claudeCode = { toolName: 'Bash' };
  return [
    {
      ...{ sessionUpdate: 'tool_call', toolCallId, name: 'Bash', title: 'npm test', kind: 'execute', content: [] },
      ...{ status: 'pending', rawInput: { command: `npm test -- ${nth}` }, _meta: { claudeCode } },
    },
    {
      ...{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' },
      _meta: { claudeCode: { ...claudeCode, toolResponse: { stdout, stderr: '' } } },
    },
  ];
}

/** Words at an even pace, as many a second as the prompt says, until it is stopped. */
async function stream(turn: FakeTurn): Promise<'cancelled'> {
  const perSecond = Number(/\d+/.exec(turn.text)?.[0] ?? 0);
  const began = performance.now();
  let sent = 0;
  while (!turn.signal.aborted) {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; sent < due; sent += 1) await turn.say(`word ${sent}${sent % 40 === 39 ? '\n\n' : ' '}`, 'streamed');
    await sleep(5);
  }
  return 'cancelled';
}

const stack = await startStack({
  ...{ home, secrets: keychainWith(fakeGithubToken) },
  app: {
    dashboard: join(import.meta.dirname, '..', '..', 'dist', 'renderer'),
    ...{ agents: [agent], environment: { CLAUDE_CONFIG_DIR: home } },
  },
});
const { app } = stack;
const { id: session } = await app.newSession({ cwd, agent: 'claude', title: 'A long one', choices: {} });
const ended = new Map<string, () => void>();
app.listen((event) => {
  if (event.event === 'session-event' && event.entry.kind === 'turn-ended') ended.get(event.entry.turnId ?? '')?.();
});
while (reported < messages) {
  const id = crypto.randomUUID();
  const over = new Promise<void>((resolve) => ended.set(id, resolve));
  await app.sendMessage({ session, prompt: [{ type: 'text', text: 'go on' }], id });
  await over;
}
// As after the first look at it: what is measured is the window.
await app.sessionList();

process.on('disconnect', async () => {
  await stack.close();
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
});
const { dashboardUrl } = await app.startProxy();
process.send?.({ dashboardUrl, session, last: `Message ${messages - 1} says` } satisfies SessionWindowReady);
