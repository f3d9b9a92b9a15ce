import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../ports.ts';
import { notesFolder } from './open-sessions.ts';

/** Several changes of a note are reported as one, in ms. */
const settleMs = 100;

/** Tells of changes of the notes of Claude Code's processes. One watch of the system's for all that listen. */
export class NotesWatch {
  readonly #notes: string;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #listeners = new Set<() => void>();
  #watcher: { inode: number; of: FSWatcher } | null = null;
  #telling: AbortController | null = null;

  /** @param folder Claude Code's own: `~/.claude` */
  constructor(folder: string, clock: Pick<Clock, 'sleep'>) {
    this.#notes = notesFolder(folder);
    this.#clock = clock;
  }

  /** Returns what ends it. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    this.look();
    return () => {
      this.#listeners.delete(changed);
      if (this.#listeners.size > 0) return;
      this.#telling?.abort();
      this.#telling = null;
      this.#watcher?.of.close();
      this.#watcher = null;
    };
  }

  /** Watches the folder of the notes, or the nearest one above it: Claude Code may not have run yet. */
  look(): void {
    if (this.#listeners.size === 0) return;
    for (const folder of [this.#notes, dirname(this.#notes), dirname(dirname(this.#notes))]) {
      try {
        // A folder that was deleted and made again has another inode.
        const inode = statSync(folder).ino;
        if (this.#watcher?.inode === inode) return;
        const of = watch(folder, { persistent: false }, () => this.#soon());
        this.#watcher?.of.close();
        this.#watcher = { inode, of };
        of.on('error', () => {
          of.close();
          if (this.#watcher?.of === of) this.#watcher = null;
        });
        return;
      } catch {
        // Not there, or the system has no watches left.
      }
    }
  }

  #soon(): void {
    if (this.#telling !== null) return;
    const telling = new AbortController();
    this.#telling = telling;
    this.#clock.sleep(settleMs, telling.signal).then(
      () => {
        this.#telling = null;
        this.look();
        for (const changed of [...this.#listeners]) changed();
      },
      () => undefined,
    );
  }
}
