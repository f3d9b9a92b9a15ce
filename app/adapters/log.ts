import { appendFileSync, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log, LogLevel } from '../ports.ts';
import { mark, redact } from './redact.ts';

export interface FileLog extends Log {
  /** Resolves when everything handed in until now is in the file, or could not be written. */
  flush(): Promise<void>;
  /** Writes what is left; later lines are dropped. */
  close(): Promise<void>;
}

interface FileLogOptions {
  /** Lines below it are dropped. */
  level?: LogLevel;
  /** A file that has grown beyond it is put aside. */
  maxBytes?: number;
  /** How many files there are at most, the current one among them. */
  files?: number;
  now?: () => number;
}

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
/** Characters that may wait for a slow or full disk; beyond it lines are dropped and counted. */
const waitingLimit = 1_000_000;

/**
 * JSON lines in `jumpseat.log`, older ones in `jumpseat.1.log` and so on. Lines are redacted before they are queued and
 * written asynchronously; what cannot be written is dropped. Nothing ever throws. At a sudden end of the process what
 * waits is written synchronously.
 */
export function fileLog(dir: string, options: FileLogOptions = {}): FileLog {
  const { level = 'info', maxBytes = 2_000_000, files = 5, now = Date.now } = options;
  const current = join(dir, 'jumpseat.log');
  const older = (count: number) => join(dir, `jumpseat.${count}.log`);
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  let handle: FileHandle | null = null;
  let size = 0;
  let working: Promise<void> | null = null;
  let closed = false;

  const openFile = async (): Promise<FileHandle> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const opened = await open(current, 'a', 0o600);
    size = (await opened.stat()).size;
    return opened;
  };

  const rotate = async (): Promise<void> => {
    await handle?.close();
    handle = null;
    await rm(older(files - 1), { force: true });
    for (let count = files - 2; count >= 0; count--) {
      await rename(count === 0 ? current : older(count), older(count + 1)).catch(ignoreMissing);
    }
    if (files < 2) await rm(current, { force: true });
  };

  const take = (): string => {
    if (dropped > 0) waiting.push(lineOf(now(), 'warn', 'log-lines-dropped', { dropped }));
    const text = waiting.join('');
    waiting = [];
    waitingLength = 0;
    dropped = 0;
    return text;
  };

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      try {
        handle ??= await openFile();
        if (size >= maxBytes) {
          // Where it fails the file grows on: better long than lost.
          await rotate().catch(() => {});
          handle ??= await openFile();
        }
        const text = take();
        await handle.appendFile(text);
        size += Buffer.byteLength(text);
      } catch {
        // A full disk or a folder that went away: these lines are lost, the next ones try again.
        take();
        await handle?.close().catch(() => {});
        handle = null;
      }
    }
  };

  const start = (): Promise<void> => {
    working ??= work().finally(() => {
      working = null;
      if (waiting.length > 0) void start();
    });
    return working;
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0 || working !== null) await start();
  };

  const writeAtExit = (): void => {
    if (waiting.length === 0) return;
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      appendFileSync(current, take(), { mode: 0o600 });
    } catch {
      // There is nowhere left to write it.
    }
  };
  process.once('exit', writeAtExit);

  return {
    write(lineLevel, event, facts) {
      if (closed || order[lineLevel] < order[level]) return;
      const line = lineOf(now(), lineLevel, event, facts);
      if (waitingLength + line.length > waitingLimit) {
        dropped++;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      // After this turn, so that the lines of one turn are one write.
      if (waiting.length === 1 && working === null) setImmediate(() => void start());
    },
    flush: drain,
    async close() {
      closed = true;
      process.removeListener('exit', writeAtExit);
      await drain();
      await handle?.close().catch(() => {});
      handle = null;
    },
  };
}

function lineOf(at: number, level: LogLevel, event: string, facts: Record<string, unknown> | undefined): string {
  const head = { time: new Date(at).toISOString(), level, event: redact(event) };
  if (facts === undefined) return `${JSON.stringify(head)}\n`;
  return `${JSON.stringify(head).slice(0, -1)},"facts":${stringify(() => redactFacts(facts))}}\n`;
}

/** Facts may hold anything, also a getter that throws. */
function stringify(facts: () => unknown): string {
  try {
    return JSON.stringify(facts()) ?? 'null';
  } catch {
    return '"[not readable]"';
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

const secretKey =
  /^(?:(?:proxy-)?authorization|x-api-key|(?:set-)?cookie|.*(?:token|secret|password|device_?code)|.*[_-]?key)$/i;
/** Keys that end like a secret's and hold a number or a name. */
const harmlessKey = /^(?:tokens?|input_?tokens?|output_?tokens?|max_?tokens?|ledger_?key|key)$/i;

const longestText = 4_000;
const longestRead = 64_000;
/** A secret cut in two by `longestRead` would be known no more: this much of the end goes as well. */
const cutMargin = 1_000;
const deepest = 6;
const mostEntries = 100;

/**
 * A copy of facts that may be written down: without secrets, bodies, long texts, depths and circles. Only its own copy
 * is changed.
 */
export function redactFacts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'symbol' || typeof value === 'function') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) {
    const items = value.slice(0, mostEntries).map((item) => redactFacts(item, depth + 1));
    return value.length > mostEntries ? [...items, `[${value.length - mostEntries} more]`] : items;
  }
  if (value instanceof Map || value instanceof Set) return redactFacts([...value], depth);
  const copy: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (copy.length === mostEntries) break;
    const secret =
      secretKey.test(key) &&
      !harmlessKey.test(key) &&
      typeof item !== 'number' &&
      typeof item !== 'boolean' &&
      item !== null;
    copy.push([redactText(key), secret ? mark : redactFacts(item, depth + 1)]);
  }
  return Object.fromEntries(copy);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const facts: Record<string, unknown> = { name: redactText(error.name), message: redactText(error.message) };
  if ('code' in error) facts.code = redactFacts(error.code, depth + 1);
  if (error.stack !== undefined) facts.stack = redactText(error.stack);
  if (error.cause !== undefined) facts.cause = redactFacts(error.cause, depth + 1);
  return facts;
}

function redactText(text: string): string {
  if (text.length <= longestRead) return shorten(redact(text), text.length);
  return shorten(redact(text.slice(0, longestRead)).slice(0, -cutMargin), text.length);
}

function shorten(text: string, length: number): string {
  return text.length <= longestText && length <= longestRead
    ? text
    : `${text.slice(0, longestText)}… [${length} characters]`;
}
