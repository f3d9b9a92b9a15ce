import { describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { scriptPath } from './script.ts';

/** A script that runs a program; that says its pid, and goes with exit code 7 when it is asked to. */
const child = `process.on('SIGTERM', () => process.exit(7)); console.log(process.pid); setInterval(() => {}, 1000);`;
const scriptThat = (runs: 'foreground' | 'inOurPlace'): string => `
  import { ${runs} } from ${JSON.stringify(scriptPath('run'))};
  process.exitCode = await ${runs}(process.execPath, ['-e', ${JSON.stringify(child)}]);
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.each(['foreground', 'inOurPlace'] as const)('a program run by a script: %s', (runs) => {
  it('gets the signal that its script gets, and the script ends with its exit code', async () => {
    const outer = new Started(process.execPath, ['--input-type=module', '-e', scriptThat(runs)]);
    const pid = Number(await outer.line());
    expect(pid === outer.child.pid).toBe(runs === 'inOurPlace' && process.platform !== 'win32');
    outer.child.kill('SIGTERM');
    expect(await outer.ended()).toMatchObject({ code: 7 });
    expect(isAlive(pid)).toBe(false);
  });

  it('ends when npm, and the shell between, are gone', async () => {
    const shell = new Started('sh', ['-c', `"${process.execPath}" --input-type=module -e "$SCRIPT"; true`], {
      env: { ...process.env, SCRIPT: scriptThat(runs), npm_lifecycle_event: 'demo' },
    });
    const pid = Number(await shell.line());
    shell.child.kill('SIGTERM');
    await until(() => !isAlive(pid));
    expect(isAlive(pid)).toBe(false);
  });
});
