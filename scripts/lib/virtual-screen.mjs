import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A screen for Electron where this machine has none.
 * @returns {Promise<null | 'none' | { display: string, close(): Promise<unknown> }>} null: there is one already (or the system is not Linux)
 */
export async function virtualScreen() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return null;
  // Xvfb chooses a free number and writes it to descriptor 3 as soon as it takes connections.
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(xvfb, 'exit').catch(() => {});
  const number = await Promise.race([
    once(xvfb.stdio[3], 'data').then(String),
    ended.then(() => ''),
    sleep(10_000, '', { ref: false }),
  ]);
  if (!number.trim()) {
    xvfb.kill();
    return 'none';
  }
  xvfb.stdio[3].destroy();
  process.once('exit', () => xvfb.kill());
  const close = () => {
    xvfb.kill();
    return ended;
  };
  return { display: `:${number.trim()}`, close };
}
