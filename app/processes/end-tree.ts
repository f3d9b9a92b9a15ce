import { execFile } from 'node:child_process';
import { win32 } from 'node:path';

/** What the system does when a process is ended; replaced by tests. */
export interface EndDependencies {
  platform: NodeJS.Platform;
  /** Sends a signal, to the group of a negative number. Throws if there is no such process. */
  signal(pid: number, name: 'SIGKILL'): void;
  /** Runs a program. Rejects if it can’t be started, or ends with another code than 0. */
  run(file: string, args: readonly string[]): Promise<unknown>;
  environment: Readonly<Record<string, string | undefined>>;
}

const thisSystem: EndDependencies = {
  platform: process.platform,
  signal: (pid, name) => void process.kill(pid, name),
  run: (file, args) =>
    new Promise((resolve, reject) => {
      execFile(file, [...args], { windowsHide: true }, (error) => (error === null ? resolve(null) : reject(error)));
    }),
  environment: process.env,
};

/**
 * Ends a process outright, and all of its group where it leads one. Windows has no such groups: there everything that
 * it started is ended with it, which no signal of Node's does. Never throws.
 */
export function endTree(pid: number, leadsGroup: boolean, dependencies: EndDependencies = thisSystem): void {
  const { platform, signal, run, environment } = dependencies;
  const end = (target: number): void => {
    try {
      signal(target, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  if (platform !== 'win32') {
    end(leadsGroup ? -pid : pid);
    return;
  }
  const taskkill = win32.join(environment.SystemRoot || 'C:\\Windows', 'System32', 'taskkill.exe');
  run(taskkill, ['/T', '/F', '/PID', String(pid)]).catch(() => end(pid));
}
