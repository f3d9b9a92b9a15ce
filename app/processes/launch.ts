import { spawn } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { endTree } from './end-tree.ts';

/** A program of ours that is about to be started as a process: an ES module that speaks on stdio. */
export interface LaunchedProgram {
  file: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
}

export interface LaunchedProcess {
  /** Null if it was not started; then `exited` says why. */
  readonly pid: number | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it is gone and all that it printed was read. Never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null; error: Error | null }>;
  /** Ends it outright, on Windows with all that it started. */
  kill(): void;
}

/** How a front starts a program of ours: as a child, or, in Electron, as a utility process. */
export type Launcher = (program: LaunchedProgram) => LaunchedProcess;

/** Starts a process with the Node of this one, in its own group, so that Ctrl-C in our terminal reaches us alone. */
export const launchChild: Launcher = ({ file, env }) => {
  const leadsGroup = process.platform !== 'win32';
  const child = spawn(process.execPath, [file], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: leadsGroup,
    windowsHide: true,
  });
  const { pid = null, stdin, stdout, stderr } = child;
  for (const pipe of [stdin, stdout, stderr]) pipe.on('error', () => undefined);
  const exited = new Promise<Awaited<LaunchedProcess['exited']>>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.once('close', (code, signal) => resolve({ code, signal, error: null }));
  });
  const kill = (): void => {
    if (pid === null || child.exitCode !== null || child.signalCode !== null) return;
    endTree(pid, leadsGroup);
  };
  return { pid, stdin, stdout, stderr, exited, kill };
};

interface ParentPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
}

/**
 * Electron's utility process has no stdin: there the port of its parent takes its place (a chunk a message, `null` is
 * the end).
 */
export function bridgeStdin(): void {
  const port = parentPort();
  if (port !== null) Object.defineProperty(process, 'stdin', { value: fromPort(port) });
}

function fromPort(port: ParentPort): Readable {
  const input = new PassThrough();
  port.on('message', ({ data }) => {
    if (data === null) input.end();
    else if (data instanceof Uint8Array) input.write(data);
  });
  return input;
}

function parentPort(): ParentPort | null {
  const port: unknown = Reflect.get(process, 'parentPort');
  return isPort(port) ? port : null;
}

function isPort(port: unknown): port is ParentPort {
  return typeof port === 'object' && port !== null && 'on' in port && typeof port.on === 'function';
}
