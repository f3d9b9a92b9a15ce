import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionHolder } from '../../../api/session-list.ts';
import { isRunning } from '../../../settings/is-running.ts';

/** Note of a running session, written by Claude Code 2.1.328 into `sessions/<pid>.json` of its folder. */
interface Noted {
  pid: number;
  sessionId: string;
  isTerminal: boolean;
  /** When the process began, as the system counts it; null: not said. A number can be another process's by now. */
  procStart: string | null;
}

/** Where Claude Code notes them; below its own folder. */
export function notesFolder(folder: string): string {
  return join(folder, 'sessions');
}

/**
 * The sessions that a process has open now, by Claude Code's own id of each; of several, a
 * terminal. A note that a killed
 * process left behind counts for nothing. Never rejects.
 * @param folder Claude Code's own: `~/.claude`
 */
export async function openSessions(folder: string): Promise<Map<string, SessionHolder>> {
  const notes = notesFolder(folder);
  const names = await readdir(notes).catch(() => []);
  const open = new Map<string, SessionHolder>();
  for (const name of names) {
    if (!/^\d+\.json$/.test(name)) continue;
    const noted = readNote(await readFile(join(notes, name), 'utf8').catch(() => ''));
    if (noted === null || !(await lives(noted))) continue;
    const program = noted.isTerminal ? 'terminal' : 'other';
    if (open.get(noted.sessionId)?.program !== 'terminal') open.set(noted.sessionId, { pid: noted.pid, program });
  }
  return open;
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
    // `sdk-ts` and the like, where another program leads it; an editor's own name.
    isTerminal: 'entrypoint' in note && note.entrypoint === 'cli',
    procStart: 'procStart' in note && typeof note.procStart === 'string' ? note.procStart : null,
  };
}

async function lives({ pid, procStart }: Noted): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (process.platform !== 'linux' || procStart === null) return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may hold anything; the 22nd field is the start.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return start === procStart;
}
