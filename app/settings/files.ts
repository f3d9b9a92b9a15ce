import { existsSync, type FSWatcher, renameSync, watch } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import type { Log } from '../ports.ts';

/** The path with the home folder for a `~` at its beginning. */
export function fromHome(path: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** True for the folder that a setting names and those below it. `~` of `wanted` is the home folder. */
export function isWithin(folder: string, wanted: string): boolean {
  const whole = resolve(fromHome(wanted));
  const own = resolve(folder);
  return own === whole || own.startsWith(whole.endsWith(sep) ? whole : whole + sep);
}

interface FileWatchOptions {
  /** How long nobody may have written before `changed` is called, in ms. */
  settleMs: number;
  log: Log;
  /** Ends of names beside the file's own that count as the file, such as `-wal`. */
  also?: readonly string[];
}

/**
 * Calls `changed` when a file was written, made or deleted, by another process too. It watches the folder: an atomic
 * write puts a new file in the place of the old one. Where the folder isn't there or the system has no watches left,
 * nothing is called until `begin` succeeds.
 */
export class FileWatch {
  readonly #path: string;
  readonly #changed: () => void;
  readonly #options: FileWatchOptions;
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(path: string, changed: () => void, options: FileWatchOptions) {
    this.#path = path;
    this.#changed = changed;
    this.#options = options;
    this.begin();
  }

  /** Does nothing while the file is watched. */
  begin(): void {
    if (this.#watcher !== null || this.#isClosed) return;
    const names = ['', ...(this.#options.also ?? [])].map((end) => basename(this.#path) + end);
    // Sessions write beside it with every message: newer Node leaves those out before anything of ours runs.
    const ignore = new RegExp(`^(?!(?:${names.map((name) => name.replace(/\W/g, '\\$&')).join('|')})$)`);
    try {
      const watcher = watch(dirname(this.#path), { persistent: false, ignore }, (_kind, name) => {
        if (name === null || names.includes(name)) this.#changedSoon();
      });
      this.#watcher = watcher.on('error', (error) => {
        watcher.close();
        this.#watcher = null;
        this.#note(error);
      });
    } catch (error) {
      this.#note(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = null;
  }

  #changedSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#changed, this.#options.settleMs).unref();
  }

  #note(error: unknown): void {
    this.#options.log.write('debug', 'file.not-watched', { file: basename(this.#path), error });
  }
}

/** A process with this number runs, also one of another user, which may not be asked more. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Renames a file that cannot be used, so that its owner can still look into it: `history.db` with the label
 * `damaged-2026-11-20` becomes `history.damaged-2026-11-20.db`. Nothing is ever overwritten: a second one on the same
 * day gets `-2`. `siblings` are endings of files that belong to it (`-wal`) and go along where they exist.
 * Returns the new path; throws what `renameSync` throws when the file itself cannot be renamed.
 */
export function keepAside(path: string, label: string, siblings: readonly string[] = []): string {
  const kept = nameAside(path, label, siblings);
  renameSync(path, kept);
  for (const sibling of siblings) if (existsSync(path + sibling)) renameSync(path + sibling, kept + sibling);
  return kept;
}

/** The path that it would have then. */
export function nameAside(path: string, label: string, siblings: readonly string[] = []): string {
  const ending = extname(path);
  const stem = join(dirname(path), basename(path, ending));
  const free = (candidate: string) => !['', ...siblings].some((sibling) => existsSync(candidate + sibling));
  let kept = `${stem}.${label}${ending}`;
  for (let count = 2; !free(kept); count++) kept = `${stem}.${label}-${count}${ending}`;
  return kept;
}

/** The local day in file names: `2026-11-20`. */
export function dayStamp(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
