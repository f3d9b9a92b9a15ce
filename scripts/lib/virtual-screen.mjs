import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A screen for Electron where this machine has none.
 * @param {string} [size] in pixels
 * @returns {Promise<null | 'none' | Screen>} null if there is one already, or the system is not Linux
 */
export async function virtualScreen(size) {
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? null : ownScreen(size);
}

/**
 * A screen of its own, whatever this machine has: two programs on one screen share clipboard and focus.
 * @typedef {{ display: string, close(): Promise<unknown> }} Screen
 * @param {string} [size] in pixels
 * @returns {Promise<null | 'none' | Screen>} null if the system is not Linux
 */
export async function ownScreen(size = '1280x1024') {
  if (process.platform !== 'linux') return null;
  // Xvfb chooses a free number and writes it to descriptor 3 as soon as it takes connections.
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(xvfb, 'exit').catch(() => {});
  const number = await Promise.race([
    firstLine(xvfb.stdio[3]),
    ended.then(() => null),
    sleep(10_000, null, { ref: false }),
  ]);
  if (number === null) {
    xvfb.kill();
    return 'none';
  }
  process.once('exit', () => xvfb.kill());
  const close = () => {
    xvfb.kill();
    return ended;
  };
  return { display: `:${number}`, close };
}

/** The pipe stays open: a program that writes into a closed one dies of it. */
async function firstLine(stream) {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n')) return text.trim();
  }
  return null;
}
