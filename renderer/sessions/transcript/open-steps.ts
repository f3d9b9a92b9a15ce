/** Which steps of a conversation are open. Only the one that is opened or closed is drawn again. */
export class OpenSteps {
  readonly #open = new Set<string>();
  readonly #listeners = new Map<string, Set<() => void>>();

  has(key: string): boolean {
    return this.#open.has(key);
  }

  set(key: string, isOpen: boolean): void {
    if (isOpen === this.#open.has(key)) return;
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }

  listen(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }
}
