/** Names after the key come from whoever asks, so only so many are held. */
const mostNames = 100;

/** Clients that showed another key than Jumpseat's, by the name after it; in memory, with the time of the last one. */
export class RefusedClients {
  readonly #times = new Map<string, number>();

  note(client: string, at: number): void {
    this.#times.delete(client);
    this.#times.set(client, at);
    const [oldest] = this.#times.keys();
    if (this.#times.size > mostNames && oldest !== undefined) this.#times.delete(oldest);
  }

  get size(): number {
    return this.#times.size;
  }

  /** ms since the epoch; null if it showed the right one. */
  at(client: string): number | null {
    return this.#times.get(client) ?? null;
  }
}
