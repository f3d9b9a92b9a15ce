import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { launchChild } from '../../../../app/processes/launch.ts';
import type { AgentConnection, AgentHandlers } from '../../../../app/sessions/agents/agent.ts';
import { connectAgent } from '../../../../app/sessions/agents/connect.ts';
import { soon } from '../../../soon.ts';

/** Agents that behave as none should, each in a process of its own. */
let folder: string;
let reported: unknown[];
let logged: string[];
let connection: AgentConnection | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-connect-'));
  reported = [];
  logged = [];
});
afterEach(async () => {
  await connection?.stop();
  connection = null;
  rmSync(folder, { recursive: true, force: true });
});

const polite = `
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const _meta = { jumpseat: { extras: ['fork'] } };
const answers = { initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true }, _meta } };
const take = ({ id, method, params }) => {
  if (method === 'die') process.kill(process.pid, 'SIGKILL');
  else if (method === 'fall') { console.error('why it fell'); process.exit(3); }
  else if (method === 'close-output') closeSync(1);
  else if (method === 'nonsense') { process.stdout.write('no json\\n[1]\\n"text"\\n{"jsonrpc":"2.0","id":77,"result":{}}\\n'); say({ id, result: { environment: process.env } }); say({ id, result: 'again' }); }
  else if (method === 'start') {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    child.unref();
    say({ id, result: { pid: child.pid } });
  }
  else if (method === 'tell') { for (const one of params) say(one); say({ id, result: {} }); }
  else if (id !== undefined) say({ id, result: answers[method] ?? {} });
};
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => take(JSON.parse(line)));
lines.on('close', () => process.exit(0));
`;

async function connect(
  code = polite,
  more: Partial<AgentHandlers> = {},
  signal?: AbortSignal,
): Promise<AgentConnection> {
  const file = join(folder, 'agent.mjs');
  writeFileSync(file, code);
  connection = await connectAgent({
    ...{ title: 'The agent', launcher: launchChild, capabilities: {}, version: '0', clock: nodeClock() },
    program: { file, env: { ONLY: 'this' } },
    log: { write: (_level, event) => void logged.push(event) },
    handlers: {
      update: (notification) => void reported.push(notification),
      requestPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
      createElicitation: async () => ({ action: 'cancel' }),
      extension: (method, params) => void reported.push([method, params]),
      ...more,
    },
    ...(signal && { signal }),
  });
  return connection;
}

const tell = (method: string, params: unknown) => ({ method, params });

describe('a connection to an agent', () => {
  it('knows what the agent can do, and stops it by the end of its input', async () => {
    const agent = await connect();
    expect([agent.capabilities, [...agent.extras]]).toEqual([{ loadSession: true }, ['fork']]);
    await agent.stop();
    expect(await agent.exited).toEqual({ code: 0, signal: null, stderr: '' });
    await expect(agent.request('anything', {})).rejects.toMatchObject({ kind: 'ended' });
  });

  it.skipIf(process.platform === 'win32')(
    'leaves nothing of what the agent started, also where it ends in order',
    async () => {
      const agent = await connect();
      const { pid } = await agent.request<{ pid: number }>('start', {});
      process.kill(pid, 0);
      await agent.stop();
      expect(await agent.exited).toMatchObject({ code: 0 });
      await soon(() => expect(() => process.kill(pid, 0)).toThrow());
    },
  );

  it('hands on what it is told untouched, known or not, in its order', async () => {
    const agent = await connect();
    const first = { sessionId: 's', update: { sessionUpdate: 'nobody_knows_this', more: [1] } };
    const update = { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk' } };
    const messages = [tell('session/update', first), tell('_own/thing', { a: 1 }), tell('session/update', update)];
    await agent.request('tell', messages);
    expect(reported).toEqual([first, ['_own/thing', { a: 1 }], update]);
  });

  it('goes on where one update cannot be taken, and says so in the log', async () => {
    const failing = (): void => {
      throw new Error('no');
    };
    const agent = await connect(polite, { update: failing });
    await agent.request('tell', [tell('session/update', { sessionId: 's', update: {} }), tell('_own/thing', 1)]);
    expect([reported, logged]).toEqual([[['_own/thing', 1]], ['agent.update-failed']]);
  });

  it('E27 goes on after nonsense and after a second answer; gives the agent no more environment than it was told to', async () => {
    const agent = await connect();
    const { environment } = await agent.request<{ environment: Record<string, string> }>('nonsense', {});
    const own = Object.keys(environment).filter((name) => !name.startsWith('__'));
    expect(own.sort()).toEqual(process.platform === 'linux' ? ['JUMPSEAT_AGENT', 'ONLY'] : expect.any(Array));
    expect(await agent.request('anything', {})).toEqual({});
  });

  it.each([
    { method: 'die', message: 'The agent’s process ended by SIGKILL.' },
    { method: 'fall', message: 'The agent’s process ended with code 3: why it fell.' },
    { method: 'close-output', message: 'The agent’s process ended by SIGKILL.' },
  ])('fails what was asked with words when it dies: $method', async ({ method, message }) => {
    const agent = await connect();
    await expect(agent.request(method, {})).rejects.toMatchObject({ kind: 'ended', message });
    await agent.exited;
  });

  it('fails with words where it does not start', async () => {
    await expect(connect('process.stderr.write("no such thing"); process.exit(7);')).rejects.toMatchObject({
      kind: 'start',
      message: 'The agent’s process ended with code 7: no such thing.',
    });
  });

  it('leaves nothing where it is aborted while it starts', async () => {
    const abort = new AbortController();
    const starting = connect(
      'setInterval(() => undefined, 1000); process.stdin.on("end", () => process.exit(0)).resume();',
      {},
      abort.signal,
    );
    abort.abort(new Error('not wanted any more'));
    await expect(starting).rejects.toThrow('not wanted any more');
  });
});
