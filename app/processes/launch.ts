import { execFile, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';

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
