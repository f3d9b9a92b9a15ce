/** One change that was made so that Copilot accepts the request, or one thing a person should know about it. */
export interface FitNote {
  /** Stable name, kebab-case: `max-tokens-clamped`. */
  code: string;
  count: number;
  /** Short, for the log: `max_tokens 128000 → 64000`. Holds no content of the request. */
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

  static together(notes: readonly FitNote[]): FitNote[] {
    const all = new Notes();
    for (const { code, text, count } of notes) all.add(code, text, count);
    return all.list();
  }

  /** Notes in the order in which they were first added. */
  list(): FitNote[] {
    return [...this.#found.values()].map(({ code, text, count }) => ({
      code,
      count,
      text: count > 1 ? `${text} ×${count}` : text,
    }));
  }
}
