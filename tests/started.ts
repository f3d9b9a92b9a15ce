import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { patienceMs } from './soon.ts';
import { whereItStands } from './where-it-stands.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface StartedOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> {
  /** How long one wait may take, in ms. */
  withinMs?: number;
  /** All that it reads on stdin; nothing unless told. */
  input?: string;
}

/**
 * A process that a test started, with what it has printed until now. No wait is without an end: it fails when the
 * process ended without bringing what is waited for, and after `withinMs`, and then says what was printed and where the
 * process stands, and kills it.
 */
export class Started {
  readonly child: ChildProcess;
  out = '';
  err = '';
  readonly #name: string;
  readonly #withinMs: number;
  readonly #waiting = new Set<() => void>();
  #ended: Ended | null = null;
  #failure: Error | null = null;

  constructor(
    program: string,
    args: readonly string[],
    { withinMs = patienceMs, cwd, env, input, detached = false }: StartedOptions = {},
  ) {
    this.#name = [basename(program), ...args.map((arg) => (arg.length > 80 ? `${arg.slice(0, 80)}…` : arg))].join(' ');
    this.#withinMs = withinMs;
    this.child = spawn(program, [...args], {
      cwd,
      ...(env !== undefined && { env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env } }),
      detached,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.child.stdin?.on('error', () => undefined).end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      this.#changed();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
      this.#changed();
    });
    this.child.on('error', (error) => {
      this.#failure = error;
      this.#changed();
    });
    // Not `exit`: what it printed last may still be on its way then.
    this.child.on('close', (code, signal) => {
      this.#ended = { code, signal, out: this.out, err: this.err };
      this.#changed();
    });
  }

  /** Waits until something is on stdout. */
  async until(found: (out: string) => boolean): Promise<string> {
    await this.#wait('its output', () => found(this.out));
    return this.out;
  }

  async untilError(found: (err: string) => boolean): Promise<string> {
    await this.#wait('its errors', () => found(this.err));
    return this.err;
  }

  /** The first line on stdout. */
  async line(): Promise<string> {
    const out = await this.until((text) => text.includes('\n'));
    return out.slice(0, out.indexOf('\n'));
  }

  /** Waits for its end and for everything it printed. */
  async ended(): Promise<Ended> {
    await this.#wait('its end', () => this.#ended !== null);
    if (this.#ended === null) throw new Error(`${this.#name} has no end.`);
    return this.#ended;
  }

  /** Asks it to go and waits; one that stays is killed, and that is a failure. Does nothing where it has gone. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (this.#ended === null) this.child.kill(signal);
    await this.ended();
  }

  #changed(): void {
    for (const wake of this.#waiting) wake();
  }

  async #wait(what: string, holds: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (holds()) resolve();
      else if (this.#failure !== null) reject(this.#failure);
      else if (this.#ended !== null) reject(new Error(`${this.#name} ended ${this.#how()}.${this.#printed()}`));
    };
    const late = setTimeout(() => {
      const stands = whereItStands(this.child.pid);
      this.child.kill('SIGKILL');
      reject(new Error(`${this.#name}: waited ${this.#withinMs / 1000} s for ${what}.${this.#printed()}${stands}`));
    }, this.#withinMs);
    this.#waiting.add(look);
    try {
      look();
      await promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(look);
    }
  }

  #how(): string {
    return this.#ended?.signal ? `by ${this.#ended.signal}` : `with ${this.#ended?.code}`;
  }

  #printed(): string {
    const shown = (name: string, text: string): string => `\n${name}: ${text.slice(-2_000) || '(nothing)'}`;
    return `${shown('stdout', this.out)}${shown('stderr', this.err)}`.replace(/("key":")[^"]+/g, '$1…');
  }
}
