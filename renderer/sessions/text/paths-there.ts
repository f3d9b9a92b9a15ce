/** Paths asked for at once. */
const mostAtOnce = 200;

/**
 * Which of the paths that words name lead somewhere. They are looked for beside drawing, those of one frame together,
 * and each once; those that led nowhere again when it is said that files changed.
 */
export class PathsThere {
  readonly #look: (paths: string[]) => Promise<readonly boolean[]>;
  readonly #known = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  #wanted = new Set<string>();

  /** @param look whether each is there; it never rejects */
  constructor(look: (paths: string[]) => Promise<readonly boolean[]>) {
    this.#look = look;
  }

  has(path: string): boolean {
    return this.#known.get(path) === true;
  }

  /** Has it looked for, unless it was. */
  want(path: string): void {
    if (this.#known.has(path)) return;
    if (this.#wanted.size === 0) requestAnimationFrame(() => void this.#lookForWanted());
    this.#wanted.add(path);
  }

  filesChanged(): void {
    const gone = [...this.#known].flatMap(([path, isThere]) => (isThere ? [] : [path]));
    for (const path of gone) this.#known.delete(path);
    for (const path of gone) this.want(path);
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async #lookForWanted(): Promise<void> {
    const paths = [...this.#wanted];
    this.#wanted = new Set();
    for (let at = 0; at < paths.length; at += mostAtOnce) {
      const asked = paths.slice(at, at + mostAtOnce);
      const found = await this.#look(asked);
      for (const [index, path] of asked.entries()) this.#known.set(path, found[index] === true);
    }
    for (const listener of this.#listeners) listener();
  }
}
