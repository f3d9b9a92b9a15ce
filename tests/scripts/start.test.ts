import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../app/history/surroundings.ts';
import { Started } from '../started.ts';

const start = join(import.meta.dirname, '..', '..', 'scripts', 'start.mjs');

/** A port that another program has. */
function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

it.runIf(process.platform === 'linux').each(['argument', 'variable'])(
  'npm start says who has its port before it builds: %s',
  async (by) => {
    const port = String(await takenPort());
    const { DISPLAY: _, WAYLAND_DISPLAY: _also, ...env } = process.env;
    const started = new Started(process.execPath, [start, ...(by === 'argument' ? ['--port', port] : [])], {
      env: { ...env, JUMPSEAT_HOME: temporaryFolder(), ...(by === 'variable' && { JUMPSEAT_PORT: port }) },
    });
    const { code, err, out } = await started.ended();
    expect(code).toBe(1);
    expect(`${out}${err}`).toContain(
      `Port ${port} is in use by node (pid ${process.pid}). Stop that program, or choose another port with --port or`,
    );
    expect(`${out}${err}`).not.toContain('starting without the tray');
  },
);
