import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '../../ports.ts';

/** Claude Code writes several lines for one step: they are reported as one change. */
const settleMs = 100;
/** Polls where the system reports nothing, and sometimes elsewhere: a network drive, too few watches, a new folder. */
const pollMs = 3_000;
const slowPollMs = 30_000;

interface Seen {
  size: number;
  modifiedAt: number;
}

/**
 * Tells which transcripts have changed, come or gone, while there is a listener. The system tells it at once where
 * it can; a look at all files from time to time finds what it did not tell. Nothing is opened.
 */
export class TranscriptWatch {
  /** Resolves once nothing is missed: transcripts listed afterwards are complete. */
  readonly ready: Promise<void>;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed: (path: string) => void;
  readonly #ending = new AbortController();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #due = new Set<string>();
  #seen: Map<string, Seen> | null = null;
  #isWatching = true;

  /** @param changed may be called for a file that is as it was, and for one that is gone */
  constructor(folder: string, dependencies: { clock: Clock; log: Log }, changed: (path: string) => void) {
    this.#folder = folder;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#changed = changed;
    this.ready = this.#lookAtAll();
    void this.ready.then(() => this.#lookAgain()).catch(() => undefined);
  }

  close(): void {
    this.#ending.abort();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #lookAgain(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#clock.sleep(this.#isWatching ? slowPollMs : pollMs, signal);
      await this.#lookAtAll();
    }
  }

  async #lookAtAll(): Promise<void> {
    const folders = await subfolders(this.#folder);
    if (this.#ending.signal.aborted) return;
    this.#watch(this.#folder, (name) => this.#watchProject(join(this.#folder, name)));
    for (const folder of folders) this.#watchProject(folder);
    const seen = new Map<string, Seen>();
    for (const folder of folders) await lookInto(folder, seen);
    if (this.#ending.signal.aborted) return;
    const before = this.#seen;
    this.#seen = seen;
    if (before === null) return;
    for (const [path, now] of seen) {
      const then = before.get(path);
      if (then?.size !== now.size || then.modifiedAt !== now.modifiedAt) this.#changed(path);
    }
    for (const path of before.keys()) if (!seen.has(path)) this.#changed(path);
  }

  #watchProject(folder: string): void {
    this.#watch(folder, (name) => {
      if (name.endsWith('.jsonl')) void this.#tellSoon(join(folder, name));
    });
  }

  #watch(folder: string, reported: (name: string) => void): void {
    if (this.#watchers.has(folder) || this.#ending.signal.aborted) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => name !== null && reported(name));
      const end = (): void => {
        watcher.close();
        this.#watchers.delete(folder);
      };
      watcher.on('error', end);
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // Gone, no folder, or the system has no watches left.
      if (this.#isWatching && folder !== this.#folder && !saysGone(error)) {
        this.#isWatching = false;
        this.#log.write('info', 'transcripts-polled', { why: error instanceof Error ? error.message : String(error) });
      }
      if (folder === this.#folder) this.#isWatching = false;
    }
  }

  async #tellSoon(path: string): Promise<void> {
    if (this.#due.has(path)) return;
    this.#due.add(path);
    try {
      await this.#clock.sleep(settleMs, this.#ending.signal);
    } catch {
      return;
    }
    this.#due.delete(path);
    this.#changed(path);
  }
}

async function subfolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
  } catch {
    return [];
  }
}

async function lookInto(folder: string, seen: Map<string, Seen>): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.jsonl')) continue;
      const path = join(folder, name);
      const found = await stat(path);
      seen.set(path, { size: found.size, modifiedAt: found.mtimeMs });
    }
  } catch {
    // It went meanwhile.
  }
}

function saysGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
