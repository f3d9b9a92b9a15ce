import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** How a system is asked about its processes; replaced by tests. */
export interface StartDependencies {
  platform: NodeJS.Platform;
  /** Text of a file. Rejects if there is none. */
  read(path: string): Promise<string>;
  /** What a program prints. @param variables beside those of this process */
  run(file: string, args: readonly string[], variables: Readonly<Record<string, string>>): Promise<string>;
}

const execute = promisify(execFile);
/** A system that does not answer is not waited for, in ms: PowerShell alone needs one second on a busy machine. */
const answersWithinMs = 5_000;

const thisSystem: StartDependencies = {
  platform: process.platform,
  read: (path) => readFile(path, 'latin1'),
  run: async (file, args, variables) => {
    const env = { ...process.env, ...variables };
    return (await execute(file, [...args], { env, windowsHide: true, timeout: answersWithinMs })).stdout;
  },
};

/**
 * When a process began, which tells it from a later one of the same number; null if it is gone, or can't be asked. In
 * the words in which Claude Code notes it too: Linux's ticks since the start of the machine, `ps`’s date in English
 * and UTC, Windows' file time. Another language or time zone of this process changes nothing. Never rejects.
 */
export async function processStart(
  pid: number,
  { platform, read, run }: StartDependencies = thisSystem,
): Promise<string | null> {
  try {
    if (platform === 'linux') return statFields(await read(`/proc/${pid}/stat`))?.start ?? null;
    const asked =
      platform === 'win32'
        ? run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', fileTime(pid)], {})
        : run('ps', ['-o', 'lstart=', '-p', String(pid)], { LC_ALL: 'C', TZ: 'UTC' });
    return (await asked).trim() || null;
  } catch {
    return null;
  }
}

const fileTime = (pid: number): string => `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToFileTimeUtc()`;

/** State and start in `/proc/<pid>/stat`. The name in front may hold anything, so they are after the last bracket. */
export function statFields(text: string): { state: string; start: string } | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : null;
}
