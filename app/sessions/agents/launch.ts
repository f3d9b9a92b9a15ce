import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A process that is about to be started: an ES module that speaks on stdio. */
export interface AgentProgram {
  file: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
}

export interface AgentProcess {
  /** Null where it was not started; then `exited` says why. */
  readonly pid: number | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it is gone and all that it printed was read. Never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null; error: Error | null }>;
  /** Ends it outright. */
  kill(): void;
}

/** How a front starts the process of an agent: as a child, or, in Electron, as a utility process. */
export type AgentLauncher = (program: AgentProgram) => AgentProcess;

/** With the Node of this process, in a group of its own, so that a Ctrl-C in our terminal is ours to answer. */
export const launchChild: AgentLauncher = ({ file, env }) => {
  const isWindows = process.platform === 'win32';
  const child = spawn(process.execPath, [file], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
  });
  const { pid = null, stdin, stdout, stderr } = child;
  for (const pipe of [stdin, stdout, stderr]) pipe.on('error', () => undefined);
  const exited = new Promise<Awaited<AgentProcess['exited']>>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.once('close', (code, signal) => resolve({ code, signal, error: null }));
  });
  const kill = (): void => {
    if (pid === null || child.exitCode !== null || child.signalCode !== null) return;
    try {
      if (isWindows) child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  return { pid, stdin, stdout, stderr, exited, kill };
};
