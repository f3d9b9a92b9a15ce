/** So many requests of one client wait for their turn; one more is refused. */
const mostWaiting = 32;

interface Line {
  running: number;
  waiting: (() => void)[];
}

/** How many requests of one client run at once. What is more waits in the order in which it came. */
export class ClientTurns {
  readonly #lines = new Map<string, Line>();
  readonly #atOnce: () => number;

  /** @param atOnce asked for every request: it is a setting. */
  constructor(atOnce: () => number) {
    this.#atOnce = atOnce;
  }

  /**
   * Waits for a turn and gives the way to end it, which has to be called once. Null at once: too many wait already.
   * Rejects with the signal's reason when that fires first; then there is nothing to end.
   */
  take(client: string, signal: AbortSignal): Promise<() => void> | null {
    const line = this.#lines.get(client) ?? { running: 0, waiting: [] };
    this.#lines.set(client, line);
    const release = (): void => this.#release(client, line);
    if (line.running < this.#atOnce()) {
      line.running++;
      return Promise.resolve(release);
    }
    if (line.waiting.length >= mostWaiting) return null;
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', left);
        resolve(release);
      };
      const left = (): void => {
        line.waiting = line.waiting.filter((each) => each !== go);
        reject(signal.reason);
      };
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener('abort', left, { once: true });
      line.waiting.push(go);
    });
  }

  /** There may be more turns than before: the setting was changed. */
  widened(): void {
    for (const line of this.#lines.values()) this.#next(line);
  }

  #release(client: string, line: Line): void {
    line.running--;
    this.#next(line);
    // Labels are whatever clients say; those that rest are not kept.
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(client);
  }

  #next(line: Line): void {
    while (line.running < this.#atOnce()) {
      const next = line.waiting.shift();
      if (next === undefined) break;
      line.running++;
      next();
    }
  }
}
