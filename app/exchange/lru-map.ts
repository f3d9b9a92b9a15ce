/** A bounded map in order of use: the least recently used value is dropped first. */
export class LruMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Null if there is none. Who goes on using it keeps it anew, which makes it the last used. */
  takeOut(key: string): Value | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    this.#values.delete(key);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  keep(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    const oldest = this.#values.keys().next();
    if (!oldest.done) this.#values.delete(oldest.value);
  }
}
