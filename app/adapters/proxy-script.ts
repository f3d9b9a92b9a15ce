import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { type Dialed, type DialRequest, NetworkError } from '../ports.ts';
import type { PacReport, PacTask } from './pac-thread.ts';

/** The answer of a script, or its problem: the rest of a sentence that begins with the script. */
export type Said = { answer: string; problem: null } | { answer: null; problem: string };

/** The message is such a rest. */
class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

interface ProxyScriptDependencies {
  /** An address of http or https, or a path. */
  address: string;
  /** Asks a server without any proxy. */
  dial: (request: DialRequest) => Promise<Dialed>;
  /** Wall clock, ms: what was read goes stale in a sleep, too. */
  now?: () => number;
}

interface Held {
  script: string;
  readAt: number;
  freshUntil: number;
  /** To ask whether it is the same still. */
  etag: string | null;
  lastModified: string | null;
}

/** The largest script, in bytes; Chromium has the same limit. */
const mostBytes = 2 ** 20;
const fetchLimitMs = 10_000;
/** Above what a script may take by its own limits (pac-thread.ts), lookups included. */
const runLimitMs = 15_000;
/** How long a script is used before it is read again, in ms: as its server says, within these; else an hour. */
const [leastFresh, usuallyFresh, mostFresh] = [60_000, 3_600_000, 43_200_000];
/** How many bytes of a name's addresses a script is given. */
const foundBytes = 8_192;
/** A file is looked at this often. */
const fileFreshMs = 60_000;
/** One that can't be read isn't read anew for every request. */
const retryMs = 5_000;

/** A PAC script: read from the place that the person named, and run apart from everything else. */
export class ProxyScript {
  readonly #dependencies: Required<ProxyScriptDependencies>;
  #held: Held | null = null;
  /** The last try to read it. Null: it went well. */
  #failure: { why: string; until: number } | null = null;
  #reading: Promise<void> | null = null;

  constructor({ now = Date.now, ...dependencies }: ProxyScriptDependencies) {
    this.#dependencies = { now, ...dependencies };
  }

  get readAt(): number | null {
    return this.#held?.readAt ?? null;
  }

  /** Why it couldn't be read again, while an older copy is in use. */
  get staleBecause(): string | null {
    return this.#held === null ? null : (this.#failure?.why ?? null);
  }

  /** The script is read anew before it is asked the next time, as after a change of network. */
  reload(): void {
    if (this.#held !== null) this.#held.freshUntil = 0;
    this.#failure = null;
  }

  /** `PROXY a:1; DIRECT` for an address. */
  async find(url: URL): Promise<Said> {
    try {
      return { answer: await runScript(await this.#read(), url), problem: null };
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      return { answer: null, problem: error.message };
    }
  }

  async #read(): Promise<string> {
    const { now } = this.#dependencies;
    const isFresh = this.#held !== null && now() < this.#held.freshUntil;
    if (!isFresh && !(this.#failure !== null && now() < this.#failure.until)) {
      this.#reading ??= this.#readAnew().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    // What was read last is still what the company said last.
    if (this.#held !== null) return this.#held.script;
    throw new ScriptError(this.#failure?.why ?? 'can’t be read');
  }

  async #readAnew(): Promise<void> {
    const { address, now } = this.#dependencies;
    try {
      this.#held = /^https?:/i.test(address) ? await this.#fetch(new URL(address)) : await this.#readFile(address);
      this.#failure = null;
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      this.#failure = { why: error.message, until: now() + retryMs };
    }
  }

  async #readFile(address: string): Promise<Held> {
    const { now } = this.#dependencies;
    try {
      const bytes = await readFile(address.startsWith('file:') ? fileURLToPath(address) : address);
      const readAt = now();
      const script = checked(bytes);
      return { script, readAt, freshUntil: readAt + fileFreshMs, etag: null, lastModified: null };
    } catch (error) {
      if (error instanceof ScriptError) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
      throw new ScriptError(code === 'ENOENT' ? 'isn’t there' : `can’t be read (${code})`);
    }
  }

  async #fetch(url: URL): Promise<Held> {
    const held = this.#held;
    const headers: Record<string, string> = { 'User-Agent': 'jumpseat', Accept: '*/*' };
    if (held?.etag) headers['If-None-Match'] = held.etag;
    if (held?.lastModified) headers['If-Modified-Since'] = held.lastModified;
    try {
      const { response } = await this.#dependencies.dial({
        ...{ url, method: 'GET', headers, headTimeoutMs: fetchLimitMs, idleTimeoutMs: fetchLimitMs },
        signal: AbortSignal.timeout(2 * fetchLimitMs),
      });
      const readAt = this.#dependencies.now();
      const freshUntil = readAt + freshFor(response, readAt);
      if (response.statusCode === 304 && held !== null) {
        response.resume();
        return { ...held, readAt, freshUntil };
      }
      if (response.statusCode !== 200) {
        response.resume();
        throw new ScriptError(refusal(response));
      }
      const { etag = null, 'last-modified': lastModified = null } = response.headers;
      return { script: checked(await bodyOf(response)), readAt, freshUntil, etag, lastModified };
    } catch (error) {
      if (error instanceof ScriptError) throw error;
      if (error instanceof NetworkError) throw new ScriptError(`can’t be read: ${error.message}`);
      throw new ScriptError('didn’t come in time');
    }
  }
}

function refusal({ statusCode = 0, headers: { location } }: IncomingMessage): string {
  if (statusCode < 300 || statusCode > 399) return `can’t be read: the server answered ${statusCode}`;
  const where = location === undefined ? '' : `, to ${location.replace(/[?#].*$/, '').slice(0, 200)}`;
  return `isn’t read from another place than the one you named: the server redirects (${statusCode})${where}`;
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > mostBytes) {
      response.destroy();
      break;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(length > mostBytes ? [Buffer.alloc(mostBytes + 1)] : chunks);
}

function checked(bytes: Buffer): string {
  if (bytes.length > mostBytes) throw new ScriptError('is larger than 1 MB');
  const script = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (/^\s*</.test(script)) throw new ScriptError('is a web page instead of a script');
  return script;
}

/** How long an answer may be used by its own rules, in ms (RFC 9111). */
function freshFor({ headers }: IncomingMessage, now: number): number {
  const rules = headers['cache-control'] ?? '';
  if (/\bno-(?:cache|store)\b/i.test(rules)) return leastFresh;
  const [, seconds] = /\bmax-age=(\d{1,9})/i.exec(rules) ?? [];
  const { expires, age = '0' } = headers;
  const until = expires === undefined ? Number.NaN : Date.parse(expires);
  let ms = usuallyFresh;
  if (seconds !== undefined) ms = (Number(seconds) - (Number.parseInt(age, 10) || 0)) * 1000;
  else if (expires !== undefined) ms = Number.isNaN(until) ? 0 : until - (Date.parse(headers.date ?? '') || now);
  return Math.min(Math.max(ms, leastFresh), mostFresh);
}

const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(isSource ? './pac-thread.ts' : '../threads/pac-thread.js', import.meta.url);

/** QuickJS. The build packs it with Brotli. */
async function readEngine(): Promise<Uint8Array> {
  if (isSource) return readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
  const packed = await readFile(new URL('../threads/quickjs.wasm.br', import.meta.url));
  return promisify(brotliDecompress)(packed);
}

/** Throws `ScriptError`. */
async function runScript(script: string, { origin, hostname }: URL): Promise<string> {
  const found = new SharedArrayBuffer(4 + foundBytes);
  const task: PacTask = {
    wasm: await readEngine(),
    script,
    url: `${origin}/`,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ownAddress: await ownAddress(),
    found,
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(threadFile, {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  worker.unref();
  const timer = setTimeout(() => reject(new ScriptError('didn’t answer in time')), runLimitMs);
  worker.on('message', (said: PacReport) => {
    if (said.kind === 'lookup') void answerLookup(said.name, found);
    else if (said.kind === 'answer') resolve(said.text);
    else reject(new ScriptError(said.why));
  });
  worker.on('error', (error) => reject(new ScriptError(`failed (${error.message})`)));
  worker.on('exit', () => reject(new ScriptError('ended without an answer')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

async function answerLookup(name: string, found: SharedArrayBuffer): Promise<void> {
  const answer = name.length > 253 ? [] : await lookup(name, { all: true }).catch(() => []);
  const bytes = Buffer.from(JSON.stringify(answer.slice(0, 50).map(({ address }) => address)));
  new Uint8Array(found, 4).set(bytes.subarray(0, foundBytes));
  const length = new Int32Array(found, 0, 1);
  Atomics.store(length, 0, Math.min(bytes.length, foundBytes));
  Atomics.notify(length, 0);
}

/** This machine's address on the way to the internet. Nothing is sent: the socket only learns its own address. */
async function ownAddress(): Promise<string> {
  const socket = dgram.createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once('error', () => resolve('127.0.0.1'));
  socket.once('connect', () => resolve(socket.address().address));
  socket.connect(53, '192.0.2.1');
  try {
    return await promise;
  } finally {
    socket.close();
  }
}
