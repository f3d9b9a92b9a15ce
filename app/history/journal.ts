import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { isObject, parseObject } from '../formats/wire/json.ts';

/** What the database does not have yet. */
export type JournalEntry =
  /** An exchange that is about to be sent. */
  | { sent: unknown }
  /** What the ledger knows of a prompt, and its key. */
  | { prompt: string; entry: object };

/**
 * A file beside the database with a line for what may not be lost while it waits to be written there (measured: 0.02 ms
 * a line, where a transaction takes 0.2 to 0.4): a process that is killed leaves it to the next owner of the folder.
 * Only the owner has one. Nothing here throws: without the file nothing waits.
 */
export class Journal {
  readonly #path: string;
  #file: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  get isOpen(): boolean {
    return this.#file !== null;
  }

  /** Returns what a killed owner left, which stays in the file until `clear`. What is no entry is left out. */
  begin(): JournalEntry[] {
    if (this.#file !== null) return [];
    try {
      this.#file = openSync(this.#path, 'a+', 0o600);
      return readFileSync(this.#path, 'utf8').split('\n').flatMap(entryOf);
    } catch {
      this.end();
      return [];
    }
  }

  /** False: they could not be written, and nothing will be any more. */
  add(entries: readonly JournalEntry[]): boolean {
    if (this.#file === null) return false;
    if (entries.length === 0) return true;
    try {
      writeSync(this.#file, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
      return true;
    } catch {
      this.end();
      return false;
    }
  }

  /** All of it is in the database. */
  clear(): void {
    if (this.#file === null) return;
    try {
      ftruncateSync(this.#file);
    } catch {
      this.end();
    }
  }

  /** Lets go of the file; what is in it stays. */
  end(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }

  /** Lets go of it where nothing is in it any more. */
  remove(): void {
    if (this.#file === null) return;
    this.end();
    rmSync(this.#path, { force: true });
  }
}

/** A line may be cut off: the disk was full. */
function entryOf(line: string): JournalEntry[] {
  const read = parseObject(line);
  return read !== null && isEntry(read) ? [read] : [];
}

function isEntry(read: object): read is JournalEntry {
  if ('sent' in read) return true;
  return 'prompt' in read && typeof read.prompt === 'string' && 'entry' in read && isObject(read.entry);
}
