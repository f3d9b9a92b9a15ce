import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.mjs';

/** Nothing that is done under a lock takes longer; a lock this old belongs to nobody (its pid may have been given away again). */
const staleAfterMs = 30 * 60_000;

/** Runs `work` while no other process of this machine runs something under the same lock file. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let said = false;
  while (!take(file)) {
    const holder = readHolder(file);
    if (holder === 'gone') continue;
    if (holder === 'dead') {
      release(file);
      continue;
    }
    if (!said) say(`Waiting for another Jumpseat command to finish preparing (process ${holder}).`);
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

function readHolder(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const pid = Number(readFileSync(file, 'utf8'));
    // Between creating the file and writing the pid there is a moment in which it is empty.
    if (!pid) return age > 5_000 ? 'dead' : 'being written';
    return age > staleAfterMs || !isAlive(pid) ? 'dead' : pid;
  } catch (error) {
    if (error.code === 'ENOENT') return 'gone';
    throw error;
  }
}

/** Moves the dead lock aside before deleting it: of two processes that see it, one moves it and the other finds it gone. */
function release(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
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
