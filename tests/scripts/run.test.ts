import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { scriptPath } from './script.ts';

/** A script that runs a child in the foreground; the child says its pid, and goes with exit code 7 when it is asked to. */
const child = `process.on('SIGTERM', () => process.exit(7)); console.log(process.pid); setInterval(() => {}, 1000);`;
const parent = `
  import { foreground } from ${JSON.stringify(scriptPath('run'))};
  process.exitCode = await foreground(process.execPath, ['-e', ${JSON.stringify(child)}]);
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a program in the foreground', () => {
  it('gets the signal that its script gets, and the script ends with its exit code', async () => {
    const outer = spawn(process.execPath, ['--input-type=module', '-e', parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(outer.stdout, 'data');
    outer.kill('SIGTERM');
    const [code] = await once(outer, 'exit');
    expect(code).toBe(7);
    expect(isAlive(Number(line))).toBe(false);
  });

  it('ends when npm, and the shell between, are gone', async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" --input-type=module -e "$SCRIPT"; true`], {
      env: { ...process.env, SCRIPT: parent, npm_lifecycle_event: 'demo' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(shell.stdout, 'data');
    const pid = Number(line);
    shell.kill('SIGTERM');
    await until(() => !isAlive(pid));
    expect(isAlive(pid)).toBe(false);
  });
});
