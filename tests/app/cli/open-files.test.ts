import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { withOpenFiles } from './spawn-jumpseat.ts';

const home = mkdtempSync(join(tmpdir(), 'jumpseat-files-'));
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  rmSync(home, { recursive: true, force: true });
});

it('says that too few open files are allowed, and logs refused connections in one line', async () => {
  const env = { HOME: home, JUMPSEAT_HOME: join(home, 'home'), JUMPSEAT_SECRETS: 'memory' };
  const served = withOpenFiles(72, ['serve', '--port', '0', '--json'], env);
  try {
    const { baseUrl } = JSON.parse(await served.line());
    expect(served.err).toMatch(/allows Jumpseat 72 open files at once, and it needs 256: .*"ulimit -n 1024"/);
    const ends: Promise<unknown>[] = [];
    for (let count = 0; count < 12; count++) {
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
      sockets.push(socket);
      ends.push(new Promise((resolve) => socket.on('error', resolve).on('close', resolve).resume()));
    }
    // Four are taken: (72 - 64) / 2.
    let ended = 0;
    for (const end of ends) void end.then(() => ended++);
    await expect.poll(() => ended, { timeout: 30_000 }).toBe(8);
    const lines = (event: string): string[] =>
      readFileSync(join(home, 'home', 'logs', 'jumpseat.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"${event}"`));
    await expect.poll(() => lines('server.connections-refused').length).toBe(1);
    expect(lines('files-too-few')).toEqual([expect.stringContaining('ulimit -n 1024')]);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(() =>
        fetch(`${baseUrl}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBeGreaterThan(0);
  } finally {
    await served.stop();
  }
});

it('says how many files are needed where too few are left to start', async () => {
  const env = { HOME: home, JUMPSEAT_HOME: join(home, 'home'), JUMPSEAT_SECRETS: 'memory' };
  const { code, err } = await withOpenFiles(26, ['serve', '--port', '0'], env).ended();
  expect(code).toBe(1);
  expect(err.trim().split('\n').at(-1)).toMatch(
    /^jumpseat: The system allows Jumpseat only 26 open files, and it needs 256 \(EMFILE\)\. Run "ulimit -n 1024"/,
  );
});
