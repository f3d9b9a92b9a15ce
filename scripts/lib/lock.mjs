import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.mjs';

/**
 * Nothing that is done under a lock takes longer; a lock this old has no owner any more (its pid may have been given
 * away again).
 */
const staleAfterMs = 30 * 60_000;

/** Runs `work` while no other process of this machine runs something under the same lock file. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let said = false;
  while (!take(file)) {
    const holder = readHolder(file);
    if (holder === null) continue;
    if (holder.dead) {
      release(file, holder.text);
      await sleep(1);
      continue;
    }
    // One that has only just made the file says its name in a moment.
    if (holder.text === '') {
      await sleep(20);
      continue;
    }
    if (!said) say(`Waiting for another Jumpseat command to finish preparing (process ${holder.text}).`);
    said = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Null if the lock went away meanwhile. */
function readHolder(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const text = readFileSync(file, 'utf8');
    const pid = Number(text);
    // Between creating the file and writing the pid there is a moment in which it is empty.
    const dead = pid ? age > staleAfterMs || !isAlive(pid) : age > 5_000;
    return { text, dead };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Deletes a dead lock. One process at a time may, and looks once more first: while the dead file lies there no process
 * can take the lock, so that what is deleted is never the lock of a living one.
 */
function release(file, seen) {
  const broom = `${file}.sweeping`;
  try {
    writeFileSync(broom, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    // Sweeping takes no time; the process that left this behind was killed.
    if (ageOf(broom) > 5_000) rmSync(broom, { force: true });
    return;
  }
  try {
    if (readHolder(file)?.text === seen) rmSync(file, { force: true });
  } finally {
    rmSync(broom, { force: true });
  }
}

function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
