import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** As Claude Code 2.1.328 notes each of its running sessions, in `sessions/<pid>.json` of its folder. */
interface Noted {
  pid: number;
  sessionId: string;
  /** When the process began, as the system counts it; null: not said. A number can be another process's by now. */
  procStart: string | null;
}

/**
 * The process that has a session open now, whoever started it; null: none is known. A note that a killed process left
 * behind counts for nothing. Never rejects.
 * @param folder Claude Code's own: `~/.claude`
 */
export async function openSession(folder: string, sessionId: string): Promise<{ pid: number } | null> {
  const notes = join(folder, 'sessions');
  const names = await readdir(notes).catch(() => []);
  for (const name of names) {
    if (!/^\d+\.json$/.test(name)) continue;
    const noted = readNote(await readFile(join(notes, name), 'utf8').catch(() => ''));
    if (noted?.sessionId === sessionId && (await lives(noted))) return { pid: noted.pid };
  }
  return null;
}

function readNote(text: string): Noted | null {
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof note !== 'object' || note === null || !('pid' in note) || !('sessionId' in note)) return null;
  const { pid, sessionId } = note;
  if (typeof pid !== 'number' || typeof sessionId !== 'string') return null;
  return {
    pid,
    sessionId,
    procStart: 'procStart' in note && typeof note.procStart === 'string' ? note.procStart : null,
  };
}

async function lives({ pid, procStart }: Noted): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's, which may not be asked.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  if (process.platform !== 'linux' || procStart === null) return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may hold anything; the 22nd field is the start.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return start === procStart;
}
