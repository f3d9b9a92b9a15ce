import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { ReportedExit } from '../../agent-extras.ts';
import { endMarked, markVariable } from '../../agent-processes.ts';

/** Options in the form of the Agent SDK. */
interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

const stderrLimit = 4000;

/** The Claude Code of one session: it ends when this process does, however this one ends. */
export class ClaudeProcess {
  #stderr = '';
  #exit: Omit<ReportedExit, 'stderr'> | null = null;
  readonly #exited = Promise.withResolvers<ReportedExit>();
  readonly exited = this.#exited.promise;

  /** Bound, because the SDK calls it on its own. */
  readonly spawn = (options: SpawnOptions): ChildProcessByStdio<Writable, Readable, Readable> => {
    const { command, args, cwd, signal } = options;
    const mark = partMark();
    const env = mark === null ? options.env : { ...options.env, [markVariable]: mark };
    const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    // Killed outright it leaves its tools, each in a group of its own.
    child.once('exit', (code, killedBy) => {
      this.#exit = { code, signal: killedBy };
      this.#exited.resolve({ ...this.#exit, stderr: this.#stderr.trim() });
      if (killedBy === 'SIGKILL' && mark !== null) void endMarked(mark, { sleep: (ms) => sleep(ms) });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrLimit);
    });
    child.stderr.on('error', () => undefined);
    endTogether(child);
    return child;
  };

  /** Adds stderr to the reason for a failed start: the SDK doesn't see that of a process it did not start. */
  explain(error: unknown): unknown {
    const said = this.#stderr.trim();
    if (said === '' || !(error instanceof Error)) return error;
    const isAsked = error instanceof RequestError;
    if (isAsked && error.code !== internalError) return error;
    const data = isAsked && typeof error.data === 'object' ? error.data : {};
    return RequestError.internalError({ ...data, stderr: said }, error.message);
  }

  get hasEnded(): boolean {
    return this.#exit !== null;
  }

  /** Adds how the process ended, if it ended within a turn: the adapter says that only in words. */
  withExit(error: unknown): unknown {
    // Of a session that the adapter does not know nothing was sent.
    const isUnknown = error instanceof RequestError && error.code === RequestError.sessionNotFound('').code;
    if (this.#exit === null || isUnknown) return error;
    const exit: ReportedExit = { ...this.#exit, stderr: this.#stderr.trim() };
    return RequestError.internalError({ exit }, error instanceof Error ? error.message : undefined);
  }
}

const internalError = -32603;

let parts = 0;

function partMark(): string | null {
  const mark = process.env[markVariable];
  parts += 1;
  return mark ? `${mark}.${parts}` : null;
}

/**
 * A process that is killed outright cannot end what it started, and Claude Code would go on to the end of its turn. So
 * a shell waits on a pipe that only this process holds: when it breaks, Claude Code is told to end, with all of its
 * tools, and is made to where it does not. In a group of its own, so that what ends our group does not end it.
 */
const guard = [
  'read -r line && exit',
  'kill -TERM "$1" || exit',
  'for i in 1 2 3 4 5 6 7 8; do sleep 0.25; kill -0 "$1" || exit; done',
  'kill -KILL "$1"',
].join('\n');

function endTogether(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const shell = spawn('/bin/sh', ['-c', guard, 'jumpseat-guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env.PATH },
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  child.once('exit', () => shell.stdin.end('over\n'));
}
