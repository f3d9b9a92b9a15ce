import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A system that does not answer is not waited for, in ms. */
const answersWithinMs = 2_000;

/** How many bytes of memory a process holds; null: it is gone, or this system does not tell. Never rejects. */
export async function processMemory(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux')
      return kilobytes(/^VmRSS:\s*(\d+)/m, await readFile(`/proc/${pid}/status`, 'utf8'));
    if (process.platform !== 'darwin') return null;
    const { stdout } = await run('/bin/ps', ['-o', 'rss=', '-p', String(pid)], { timeout: answersWithinMs });
    return kilobytes(/^\s*(\d+)/, stdout);
  } catch {
    return null;
  }
}

function kilobytes(pattern: RegExp, text: string): number | null {
  const count = Number(pattern.exec(text)?.[1]);
  return Number.isNaN(count) ? null : count * 1024;
}
