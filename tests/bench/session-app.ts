import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { windowSettings } from '../../app/api/setting-table.ts';
import type { AgentHandlers } from '../../app/sessions/agents/agent.ts';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { startStack } from '../app/stack.ts';

/**
 * The app with sessions of an agent that costs nothing, in a process of its own: what is measured is the host. Told
 * what to do by the benchmark, and answers with figures.
 */
export type SessionWork =
  | { work: 'create'; count: number }
  | { work: 'updates'; count: number }
  | { work: 'stream'; sessions: number; perSecond: number }
  | { work: 'quiet' }
  | { work: 'hold'; count: number };

export interface SessionAppReady {
  baseUrl: string;
  key: string;
}

class StreamingAgent extends FakeAgent {
  handlers: AgentHandlers | null = null;
  override async connect(handlers: AgentHandlers) {
    this.handlers = handlers;
    return super.connect(handlers);
  }

  update(sessionId: string, text: string): void {
    this.handlers?.update({
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: 'message' },
    });
  }
}

const agent = new StreamingAgent();
agent.script = async (turn) => {
  await turn.stopped;
  return 'cancelled';
};
const home = mkdtempSync(join(tmpdir(), 'jumpseat-bench-sessions-'));
const cwd = join(home, 'project');
mkdirSync(cwd);
// Else the rest would wait in line.
writeFileSync(
  join(home, 'settings.json'),
  JSON.stringify({ version: 1, sessions: { atOnce: windowSettings.sessions.atOnce.shape.maxValue } }),
);
const stack = await startStack({ home, app: { agents: [agent], environment: { CLAUDE_CONFIG_DIR: home } } });
const { app } = stack;
// A front that listens, as the window does.
app.listen(() => undefined);
const words = 'some words of an answer, as a model says them at once ';

async function begin(): Promise<string> {
  const { id } = await app.newSession({ cwd, agent: 'claude', title: null, choices: {} });
  await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'go on' }] });
  while (!(await app.session(id)).turnId) await nextTurn();
  return id;
}

async function create(count: number): Promise<number[]> {
  await app.newSession({ cwd, agent: 'claude', title: null, choices: {} });
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    await app.newSession({ cwd, agent: 'claude', title: null, choices: {} });
    times.push(performance.now() - began);
  }
  return times;
}

/** CPU of the whole process per update, in µs, with all that is written of it. */
async function updates(count: number): Promise<number[]> {
  const id = await begin();
  const run = async (many: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let n = 0; n < many; n += 1) {
      agent.update(id, words);
      // As chunks of a pipe come.
      if (n % 10 === 9) await nextTurn();
    }
    await nextTurn();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / many;
  };
  await run(count);
  const figures = [await run(count), await run(count), await run(count)];
  await app.stopSession(id);
  return figures;
}

let streaming: AbortController | null = null;
async function stream(sessions: number, perSecond: number): Promise<number[]> {
  const ids = await Promise.all(Array.from({ length: sessions }, begin));
  streaming = new AbortController();
  const { signal } = streaming;
  const tickMs = 16;
  const each = Math.max(1, Math.round((perSecond * tickMs) / 1000));
  void (async () => {
    while (!signal.aborted) {
      for (const id of ids) for (let n = 0; n < each; n += 1) agent.update(id, words);
      await sleep(tickMs);
    }
    for (const id of ids) await app.stopSession(id).catch(() => undefined);
  })();
  return [ids.length];
}

function settledMiB(): { rss: number; heap: number } {
  for (let n = 0; n < 3; n += 1) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 1024 ** 2, heap: heapUsed / 1024 ** 2 };
}

/** Growth of memory in MiB: resident and heap while so many updates are held, heap after the session was unloaded. */
async function hold(count: number): Promise<number[]> {
  const before = settledMiB();
  const id = await begin();
  for (let n = 0; n < count; n += 1) {
    agent.update(id, `${n} ${words}`);
    if (n % 10 === 9) await nextTurn();
  }
  await sleep(500);
  const held = settledMiB();
  await app.stopSession(id);
  await app.unloadSession(id);
  await sleep(500);
  const after = settledMiB();
  return [held.rss - before.rss, held.heap - before.heap, after.heap - before.heap];
}

function work(asked: SessionWork): Promise<number[]> {
  switch (asked.work) {
    case 'create':
      return create(asked.count);
    case 'updates':
      return updates(asked.count);
    case 'stream':
      return stream(asked.sessions, asked.perSecond);
    case 'hold':
      return hold(asked.count);
    case 'quiet':
      streaming?.abort();
      return Promise.resolve([]);
  }
}

process.on('message', (asked: SessionWork) => {
  work(asked).then(
    (figures) => process.send?.({ figures }),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', async () => {
  await stack.close();
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({ baseUrl: stack.baseUrl, key: stack.key } satisfies SessionAppReady);
