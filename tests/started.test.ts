import { describe, expect, it } from 'vitest';
import { Started, type StartedOptions } from './started.ts';

const node = (code: string, options: StartedOptions = {}): Started =>
  new Started(process.execPath, ['-e', code], options);

/** What a failed wait says. */
const failure = (wait: Promise<unknown>): Promise<string> =>
  wait.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  );

describe('a process that a test started', () => {
  it('gives everything it printed, with its exit code', async () => {
    const started = node(
      `process.stdout.write('x'.repeat(300_000) + '\\n'); console.error('why'); process.exitCode = 3`,
    );
    expect(await started.line()).toHaveLength(300_000);
    const { code, signal, out, err } = await started.ended();
    expect([code, signal, out.length, err]).toEqual([3, null, 300_001, 'why\n']);
    expect(await started.ended()).toMatchObject({ code: 3 });
  });

  it('fails a wait when it ends without bringing it, and says what it printed', async () => {
    const started = node(`console.log('{"key":"of-somebody"}'); console.error('broken')`);
    expect(await failure(started.until((out) => out.includes('never')))).toMatch(
      /^\S+ -e .* ended with 0\.\nstdout: \{"key":"…"\}\n\nstderr: broken\n$/s,
    );
    expect(await failure(started.untilError((err) => err.includes('never')))).toContain('ended with 0');
  });

  it('fails a wait when a signal ends it', async () => {
    const started = node(`console.log('up'); setInterval(() => {}, 1000)`);
    await started.line();
    started.child.kill('SIGKILL');
    expect(await failure(started.until((out) => out.includes('never')))).toContain('ended by SIGKILL');
    expect(await started.ended()).toMatchObject({ code: null, signal: 'SIGKILL', out: 'up\n' });
  });

  it('fails a wait for one that hangs, says where it stands, and kills it', async () => {
    const started = node(`setInterval(() => {}, 1000)`, { withinMs: 1_500 });
    const said = await failure(started.ended());
    expect(said).toContain('waited 1.5 s for its end.\nstdout: (nothing)\nstderr: (nothing)');
    if (process.platform === 'linux') expect(said).toMatch(/\nthreads:\n.+, [RSD], \d+ \+ \d+ ticks, /);
    expect(await started.ended()).toMatchObject({ signal: 'SIGKILL' });
  });

  it('fails a wait for a program that is not there', async () => {
    expect(await failure(new Started('/nonexistent/program', []).ended())).toContain('ENOENT');
  });

  it('is asked to go, and may have gone', async () => {
    const started = node(`process.on('SIGINT', () => process.exit(0)); console.log('up'); setInterval(() => {}, 1000)`);
    await started.line();
    await started.stop();
    expect(await started.ended()).toMatchObject({ code: 0 });
    await started.stop();
  });
});
