import { type ChildProcess, spawn } from 'node:child_process';
import type { SetUp } from '../../api/calls/worktrees.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import { endTree } from '../../processes/launch.ts';
import { isWithin } from '../../settings/files.ts';
import { endMarked, markVariable, newMark } from '../agents/agent-processes.ts';
import { sparseEnvironment } from '../agents/sparse-environment.ts';
import { SessionError } from '../session/error.ts';

interface SetUpDependencies {
  environment: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, 'sleep'>;
}

interface Begun {
  command: string;
  output: string;
  end: SetUp['end'];
  isStopped: boolean;
  child: ChildProcess;
  mark: string | null;
  ended: Promise<void>;
}

/** The last of what a command says, in characters. */
const mostOutput = 32_000;

/**
 * Commands that a person has run in new worktrees, one at a time in each: in the system's shell, with the same few
 * variables that agents get. Nothing else calls it.
 */
export class SetUpCommands {
  readonly #given: SetUpDependencies;
  /** By the path of the worktree. */
  readonly #begun = new Map<string, Begun>();

  constructor(given: SetUpDependencies) {
    this.#given = given;
  }

  /** Of the worktree that a folder is in; null if nothing was run there. */
  of(folder: string): SetUp | null {
    const inner = [...this.#begun]
      .filter(([path]) => isWithin(folder, path))
      .toSorted(([a], [b]) => b.length - a.length);
    const [path, found] = inner[0] ?? [];
    if (path === undefined || found === undefined) return null;
    return { path, command: found.command, output: found.output, end: found.end };
  }

  isRunning(path: string): boolean {
    return this.#begun.get(path)?.end === null;
  }

  async start(path: string, command: string): Promise<void> {
    const mark = await newMark();
    if (this.isRunning(path))
      throw new SessionError('in-use', t('A command runs there already.'), t('Wait for it, or stop it.'));
    const environment = sparseEnvironment(this.#given.environment, process.platform);
    const child = spawn(command, {
      ...{ cwd: path, shell: true, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: mark === null ? environment : { ...environment, [markVariable]: mark },
    });
    const begun: Begun = {
      ...{ command, output: '', end: null, isStopped: false, child, mark },
      ended: Promise.resolve(),
    };
    begun.ended = new Promise((resolve) => {
      const end = (how: SetUp['end']): void => {
        begun.end ??= begun.isStopped ? { kind: 'stopped' } : how;
        resolve();
      };
      child.once('error', (error) => end({ kind: 'not-begun', why: error.message }));
      child.once('close', (code, signal) => end({ kind: 'ended', code, signal }));
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => {
        begun.output = `${begun.output}${text}`.slice(-mostOutput);
      });
    }
    this.#begun.set(path, begun);
  }

  /** With all that it started. Resolves when it is gone. */
  async stop(path: string): Promise<void> {
    const begun = this.#begun.get(path);
    if (begun === undefined || begun.end !== null) return;
    begun.isStopped = true;
    const { mark, child } = begun;
    // On Windows no process is found by its mark.
    if (mark !== null && process.platform !== 'win32') await endMarked(mark, this.#given.clock);
    else if (child.pid !== undefined) endTree(child.pid, false);
    await begun.ended;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#begun.keys()].map((path) => this.stop(path)));
  }
}
