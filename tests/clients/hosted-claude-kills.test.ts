import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { sweepLeftOvers } from '../../app/sessions/agents/agent-processes.ts';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { type HostedAgent, hostClaude } from './hosted-agent.ts';
import { type MarkedProcess, markedProcesses } from './marked-processes.ts';
import { type Product, startProduct } from './product.ts';

/** kill -9 of each part in the middle of a command: nothing goes on working, and no other process is touched. */
const sessionId = '0d9d7c0e-5f6b-4d0a-9a10-5a1c0c2f7e11';
const command = 'run: trap "" HUP; sleep 987';

let product: Product;
let bystander: Started;
beforeEach(async () => {
  product = await startProduct();
  bystander = new Started('sleep', ['986'], { env: { HOME: product.home } });
});
afterEach(async () => {
  await bystander.stop();
  await product.close();
});

const running = (): MarkedProcess[] => markedProcesses(product.home);
const theTool = (): MarkedProcess | undefined => running().find(({ args }) => args.startsWith('sleep 987'));
const theClaude = (): MarkedProcess | undefined => running().find(({ args }) => args.includes('--output-format'));
const said = (): string =>
  running()
    .map(({ pid, args }) => `${pid} ${args.slice(0, 100)}`)
    .join('\n');
const nothingIsLeft = async (): Promise<void> => {
  await until(() => running().length === 0, said);
  expect(bystander.child.signalCode).toBeNull();
};

/** A host in a process of its own, in the middle of a command. */
async function hostElsewhere(): Promise<{ host: Started; adapter: number }> {
  const { baseUrl, key, home } = product;
  const host = new Started(process.execPath, ['tests/clients/hosted-claude-host.ts'], {
    env: {
      ...process.env,
      HOSTED: JSON.stringify({ product: { baseUrl, key, home }, text: command }),
    },
  });
  const adapter = Number(await host.line());
  await until(() => theTool() !== undefined, said);
  return { host, adapter };
}

/** Stops a process where it is. */
async function stopped(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await until(() => /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
}

describe.skipIf(process.platform !== 'linux')('kill -9', () => {
  describe('with the host alive', () => {
    let hosted: HostedAgent;
    let turn: Promise<unknown>;
    beforeEach(async () => {
      hosted = await hostClaude(product);
      await hosted.start({ kind: 'new', sessionId });
      turn = hosted.prompt(sessionId, command).catch((error: unknown) => error);
      await until(() => theTool() !== undefined, said);
    });
    afterEach(() => hosted.connection.stop());

    it('of the adapter: the turn fails with words, when Claude Code and its command are gone', async () => {
      process.kill(hosted.connection.pid, 'SIGKILL');
      // Claude Code's title of the session is a message that the adapter doesn't know: its words are in no error.
      expect(await turn).toMatchObject({ kind: 'ended', message: 'Claude Code’s process ended by SIGKILL.' });
      expect(running()).toEqual([]);
      expect(await hosted.connection.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
      await nothingIsLeft();
    });

    it('of Claude Code: the turn fails, its command goes, and the session goes on in another process', async () => {
      process.kill(theClaude()?.pid ?? 0, 'SIGKILL');
      expect(await turn).toMatchObject({ code: -32603, data: { exit: { code: null, signal: 'SIGKILL' } } });
      await until(() => theTool() === undefined, said);
      await hosted.start({ kind: 'resume', sessionId, at: null });
      expect(await hosted.prompt(sessionId, 'count to 3')).toMatchObject({ stopReason: 'end_turn' });
      expect(hosted.text()).toContain('1, 2, 3');
    });

    it('of Claude Code while it is idle: that is told, and the next prompt is refused with nothing sent', async () => {
      await hosted.connection.stop();
      await turn;
      hosted = await hostClaude(product);
      await hosted.start({ kind: 'resume', sessionId, at: null });
      for (const isFirst of [true, false]) {
        process.kill(theClaude()?.pid ?? 0, 'SIGKILL');
        const reported = { sessionId, exit: { code: null, signal: 'SIGKILL' } };
        const isReported = (): boolean => hosted.raw.at(-1)?.method === '_jumpseat/session_ended';
        await until(isReported, () => hosted.raw.at(-1));
        expect(hosted.raw.at(-1)?.params).toMatchObject(reported);
        await expect(hosted.prompt(sessionId, 'count to 3')).rejects.toMatchObject({ code: -32002 });
        await hosted.connection.request('session/close', { sessionId });
        await hosted.start({ kind: 'resume', sessionId, at: null });
        if (isFirst) expect(await hosted.prompt(sessionId, 'count to 3')).toMatchObject({ stopReason: 'end_turn' });
      }
      // A session that is closed has not ended by itself.
      const before = hosted.raw.length;
      await hosted.connection.request('session/close', { sessionId });
      await until(() => theClaude() === undefined, said);
      expect(hosted.raw.slice(before).map(({ method }) => method)).not.toContain('_jumpseat/session_ended');
    });

    it('of nothing: a stop in the middle of a command takes all along', async () => {
      await hosted.connection.stop();
      expect(await turn).toBeDefined();
      await nothingIsLeft();
    });
  });

  it('of the host: the adapter ends with its input, and takes all along', async () => {
    const { host } = await hostElsewhere();
    host.child.kill('SIGKILL');
    await nothingIsLeft();
  });

  it('of host and adapter together: Claude Code is told to end by its guard alone', async () => {
    const { host, adapter } = await hostElsewhere();
    host.child.kill('SIGKILL');
    process.kill(adapter, 'SIGKILL');
    await nothingIsLeft();
  });

  it('of all but the command: the next start finds it', async () => {
    const { host, adapter } = await hostElsewhere();
    const guards = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('jumpseat-guard') && line.trim().split(/\s+/)[1] === String(adapter))
      .map((line) => Number.parseInt(line, 10));
    expect(guards).toHaveLength(1);
    const claude = theClaude()?.pid ?? 0;
    const parts = [...guards, adapter, claude];
    // Stopped first, so that none of them has time to act on the end of another one.
    for (const pid of [host.child.pid ?? 0, ...parts]) await stopped(pid);
    for (const pid of parts) process.kill(pid, 'SIGKILL');
    await until(() => theClaude() === undefined, said);
    // As long as the host is there, no other Jumpseat on this machine ends its command.
    expect(theTool()).toBeDefined();
    host.child.kill('SIGKILL');
    await host.ended();
    await sweepLeftOvers(nodeClock());
    await nothingIsLeft();
  });
});
