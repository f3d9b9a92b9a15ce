import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../../app/cli/jumpseat.ts', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A running `jumpseat`, with what it has printed until now. */
export class Spawned {
  readonly child: ChildProcess;
  out = '';
  err = '';
  #waiting: (() => void)[] = [];

  constructor(args: readonly string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [entry, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const more = (): void => {
      for (const wake of this.#waiting.splice(0)) wake();
    };
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      more();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
      more();
    });
    this.child.on('close', more);
  }

  /** Waits until something is on stdout; fails when the process ends before. */
  async until(found: (out: string) => boolean): Promise<string> {
    await this.#until(() => found(this.out));
    return this.out;
  }

  async untilError(found: (err: string) => boolean): Promise<string> {
    await this.#until(() => found(this.err));
    return this.err;
  }

  async #until(found: () => boolean): Promise<void> {
    while (!found()) {
      if (this.child.exitCode !== null) throw new Error(`It ended with ${this.child.exitCode}: ${this.out}${this.err}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async ended(): Promise<Ended> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return { code: this.child.exitCode, out: this.out, err: this.err };
  }
}

export function jumpseat(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Spawned(args, env).ended();
}
