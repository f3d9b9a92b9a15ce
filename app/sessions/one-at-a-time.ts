/** Work that is done one piece after the other, in the order in which it was asked for. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Nothing is under way, and nothing waits. */
  get isAtRest(): boolean {
    return this.#count === 0;
  }

  run<Made>(work: () => Promise<Made>): Promise<Made> {
    this.#count += 1;
    const made = this.#last.then(work).finally(() => {
      this.#count -= 1;
    });
    this.#last = made.catch(() => undefined);
    return made;
  }

  /** Resolves when what was asked for until now is done. Never rejects. */
  async done(): Promise<void> {
    await this.#last;
  }
}
