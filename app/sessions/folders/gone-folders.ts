import { stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Clock } from '../../ports.ts';
import { isWithin } from '../../settings/files.ts';
import { leadsAway } from './named-path.ts';

/** How long a look holds, in ms. */
const heldMs = 30_000;
/** A disk that does not answer holds no list up, in ms. */
const waitedMs = 100;
/** More would leave Node's pool to a disk that does not answer. */
const atOnce = 3;

/** Folders of sessions that no longer exist. A folder of another machine is not checked, and counts as existing. */
export class GoneFolders {
  readonly #clock: Clock;
  readonly #looks = new Map<string, { at: number; isGone: boolean }>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #limit = pLimit(atOnce);
  readonly #platform: NodeJS.Platform;

  constructor(clock: Clock, platform: NodeJS.Platform = process.platform) {
    this.#clock = clock;
    this.#platform = platform;
  }

  /** Folders known to exist; one that couldn't be checked in time counts as existing. */
  async among(folders: Iterable<string>): Promise<ReadonlySet<string>> {
    const all = [...new Set(folders)];
    const now = this.#clock.now();
    const due = all.filter((folder) => now - (this.#looks.get(folder)?.at ?? Number.NEGATIVE_INFINITY) >= heldMs);
    if (due.length > 0) {
      const over = new AbortController();
      const looked = Promise.all(due.map((folder) => this.#look(folder)));
      const late = this.#clock.sleep(waitedMs, over.signal).catch(() => undefined);
      await Promise.race([looked, late]);
      over.abort();
    }
    return new Set(all.filter((folder) => this.#looks.get(folder)?.isGone === true));
  }

  /** Something happened to this folder, and to all in it: what was seen before holds no longer. */
  forget(changed: string): void {
    for (const folder of [...this.#looks.keys()]) if (isWithin(folder, changed)) this.#looks.delete(folder);
  }

  #look(folder: string): Promise<void> {
    const looking = this.#looking.get(folder) ?? this.#limit(() => this.#find(folder));
    this.#looking.set(folder, looking);
    return looking.finally(() => this.#looking.delete(folder));
  }

  async #find(folder: string): Promise<void> {
    const isGone =
      !leadsAway(folder, this.#platform) && (await stat(folder).then((found) => !found.isDirectory(), isMissing));
    this.#looks.set(folder, { at: this.#clock.now(), isGone });
  }
}

/** A folder that may not be looked at counts as there. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
