import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';
import type { Clock } from '../../ports.ts';
import { asNumber, asObject, asText } from '../read-response.ts';
import { faultOf, RefusedCall, RuntimeFault } from './failure.ts';

export interface StartOptions {
  path: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  clock: Clock;
}

interface Waiting {
  method: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const orderlyEndMs = 700;
/** A process that was killed may still wait for a disk; it is waited for no longer than this. */
const killedEndMs = 800;
/** Over which `end` is never. */
export const longestEndMs = orderlyEndMs + killedEndMs;
const errorTextLimit = 2000;

/**
 * One runtime, spoken to in JSON-RPC over its stdin and stdout, which no other process can open. It ends when they
 * close, so that it does not outlive a Jumpseat that was killed. The caller that starts one must end it.
 */
export class RuntimeProcess {
  readonly #clock: Clock;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #frames = new FrameReader();
  #lastId = 0;
  #fault: RuntimeFault | null = null;
  #errorText = '';

  constructor({ path, args, env, cwd, clock }: StartOptions) {
    this.#clock = clock;
    this.#child = spawn(path, args, { cwd, env, stdio: 'pipe', windowsHide: true });
    const { stdin, stdout, stderr } = this.#child;
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        this.#fail(notStarted(error));
        if (this.#child.pid === undefined) resolve();
      });
      this.#child.once('exit', () => resolve());
    });
    // After `exit` what it wrote may still be on its way; `close` comes when all of it was read.
    this.#child.once('close', (code, signal) => this.#fail(this.#ended(code, signal)));
    stdin.on('error', () => undefined);
    stdout.on('error', () => undefined);
    stderr.on('error', () => undefined);
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr.on('data', (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString('latin1')).slice(-errorTextLimit);
    });
  }

  /** Null if it was never started. */
  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /**
   * Rejects with `RuntimeFault` as soon as it is clear that no answer comes.
   * @param step what is being done, for the sentence
   */
  async call(method: string, params: JsonObject, step: string, limitMs: number): Promise<JsonObject> {
    if (this.#fault !== null) throw this.#fault;
    const result = await this.#within(limitMs, step, this.#send(method, params)).catch((error: unknown) => {
      throw error instanceof RefusedCall ? faultOf(error) : error;
    });
    if (!isObject(result)) throw new RuntimeFault('unreadable', `${method} returned no object`);
    return result;
  }

  /** Asks it to go, and makes it go where it does not. Resolves when it is gone. Never rejects. */
  async end(): Promise<void> {
    if (this.#fault === null) {
      this.#send('runtime.shutdown', {}).catch(() => undefined);
      this.#child.stdin.end();
      if (await this.#isGoneWithin(orderlyEndMs)) return;
    }
    await this.kill();
  }

  /** Resolves when it is gone. Never rejects. */
  async kill(): Promise<void> {
    this.#fail(new RuntimeFault('died', 'Jumpseat ended it'));
    this.#child.kill('SIGKILL');
    await this.#isGoneWithin(killedEndMs);
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe.destroy();
  }

  #send(method: string, params: JsonObject): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
    this.#child.stdin.write(frame({ jsonrpc: '2.0', id, method, params }));
    return answered;
  }

  #read(chunk: Buffer): void {
    if (this.#fault !== null) return;
    try {
      for (const message of this.#frames.read(chunk)) this.#take(message);
    } catch (error) {
      this.#fail(error instanceof RuntimeFault ? error : new RuntimeFault('unreadable', 'it could not be read'));
    }
  }

  /** Notifications are left unread; what it asks of us is refused, so that it does not wait. */
  #take({ id, method, result, error }: JsonObject): void {
    if (method !== undefined) {
      const refused = { code: -32601, message: 'Jumpseat answers no calls.' };
      if (id !== undefined) this.#child.stdin.write(frame({ jsonrpc: '2.0', id, error: refused }));
      return;
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'number') return;
    this.#waiting.delete(id);
    const refusal = asObject(error);
    if (refusal === null) waiting.resolve(result);
    else {
      const { code, message, data } = refusal;
      waiting.reject(new RefusedCall(waiting.method, asNumber(code), asText(message) ?? '', data));
    }
  }

  /** The first reason counts: what comes after it follows from it. */
  #fail(fault: RuntimeFault): void {
    this.#fault ??= fault;
    for (const { reject } of this.#waiting.values()) reject(this.#fault);
    this.#waiting.clear();
    this.#frames = new FrameReader();
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): RuntimeFault {
    if (/unknown option|unsupported argument/u.test(this.#errorText)) return new RuntimeFault('too-old');
    return new RuntimeFault('died', signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`);
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    return this.#within(ms, '', this.#exited).then(
      () => true,
      () => false,
    );
  }

  async #within<Found>(ms: number, step: string, work: Promise<Found>): Promise<Found> {
    const settled = new AbortController();
    const late = this.#clock.sleep(ms, settled.signal).then((): never => {
      throw new RuntimeFault('no-answer', step);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      settled.abort();
    }
  }
}

function notStarted(error: NodeJS.ErrnoException): RuntimeFault {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return new RuntimeFault('missing');
  return new RuntimeFault('not-executable', error.code ?? 'unknown error');
}

const headerLimit = 4 * 1024;
const frameLimit = 8 * 1024 * 1024;
/** The most bytes of one answer, its notifications included. */
const totalLimit = 32 * 1024 * 1024;

const headerEnd = Buffer.from('\r\n\r\n');

/** One message as it goes over the pipe. */
export function frame(message: JsonObject): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Takes messages out of what comes over the pipe, however it is cut. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;
  #total = 0;
  /** Length of the frame that has begun; null if its header isn't complete yet. */
  #awaited: number | null = null;

  /** Throws `RuntimeFault`. */
  *read(chunk: Buffer): Generator<JsonObject> {
    this.#total += chunk.length;
    if (this.#total > totalLimit) throw new RuntimeFault('unreadable', 'it does not stop talking');
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      this.#awaited ??= this.#header();
      if (this.#awaited === null || this.#held < this.#awaited) return;
      const message = parseObject(this.#take(this.#awaited).toString('utf8'));
      this.#awaited = null;
      if (message === null) throw new RuntimeFault('unreadable', 'it is no JSON');
      yield message;
    }
  }

  #header(): number | null {
    const held = this.#joined();
    const end = held.indexOf(headerEnd);
    if (end < 0 && held.length <= headerLimit) return null;
    const text = end < 0 ? '' : held.toString('latin1', 0, end);
    const digits = /^content-length: *(\d{1,9})$/imu.exec(text)?.[1];
    if (digits === undefined) throw new RuntimeFault('unreadable', 'it has no length');
    const length = Number(digits);
    if (length > frameLimit) throw new RuntimeFault('unreadable', 'it is too long');
    this.#take(end + headerEnd.length);
    return length;
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    if (more.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer {
    const held = this.#joined();
    this.#chunks = [held.subarray(length)];
    this.#held -= length;
    return held.subarray(0, length);
  }
}
