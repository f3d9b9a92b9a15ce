/** One thing that was changed on the way: a name for the log, how often, and a short sentence for a person. */
export interface FitNoteLike {
  code: string;
  count: number;
  text: string;
}

/** Collects notes; the same code with the same text counts up, and a count above one shows as `×n`. */
export class Notes {
  readonly #found = new Map<string, { code: string; text: string; count: number }>();

  add(code: string, text: string, count = 1): void {
    const key = `${code}\n${text}`;
    const known = this.#found.get(key);
    if (known) known.count += count;
    else this.#found.set(key, { code, text, count });
  }

  /** In the order in which they were first added. */
  list(): FitNoteLike[] {
    return [...this.#found.values()].map(({ code, text, count }) => ({
      code,
      count,
      text: count > 1 ? `${text} ×${count}` : text,
    }));
  }
}
