import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { markVariable, processMemory, sweepLeftOvers } from '../../../../app/sessions/agents/agent-processes.ts';

it.skipIf(process.platform === 'win32')(
  'is what the system says of a process, and nothing of one that is gone',
  async () => {
    const memory = await processMemory(process.pid);
    expect(memory).toBeGreaterThan(1_000_000);
    expect(memory).toBeLessThan(100_000_000_000);
    // No system gives out so high a number.
    expect(await processMemory(2 ** 30)).toBeNull();
  },
);

const container = ['--user', '--map-root-user', '--pid', '--fork'];
const hasContainers = spawnSync('unshare', [...container, 'true']).status === 0;

it.skipIf(!hasContainers)('ends what a Jumpseat that is gone left, but nothing of one in a container', async () => {
  // No system gives out so high a number.
  const marked = (id: number) => [`${markVariable}=4194305.1.${id}`, 'sh', '-c', 'echo begun; exec sleep 600'];
  const start = async (file: string, ...args: string[]) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    return { child, ended };
  };
  const inside = await start('unshare', ...container, '--kill-child', 'env', ...marked(1));
  const left = await start('env', ...marked(2));
  await sweepLeftOvers(nodeClock());
  await left.ended;
  expect([inside.child.exitCode, inside.child.signalCode]).toEqual([null, null]);
});
