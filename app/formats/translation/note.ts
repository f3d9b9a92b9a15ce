/** One change that was made so that Copilot accepts the request, or one thing a person should know about it. */
export interface FitNote {
  /** Stable name, kebab-case: `max-tokens-clamped`. */
  code: string;
  count: number;
  /** Short, for the log: `max_tokens 128000 → 64000`. Holds no content of the request. */
  text: string;
}

/** The same code with the same text counts up; a count above one shows as `×n`. In the order of the first of each. */
export function together(notes: readonly FitNote[]): FitNote[] {
  const all = new Map<string, FitNote>();
  for (const note of notes) {
    const key = `${note.code}\n${note.text}`;
    const known = all.get(key);
    all.set(key, { ...note, count: note.count + (known?.count ?? 0) });
  }
  const found: FitNote[] = [];
  for (const { code, text, count } of all.values())
    found.push({ code, count, text: count > 1 ? `${text} ×${count}` : text });
  return found;
}

/** Collects notes of a translation. */
export class Notes {
  readonly #found: FitNote[] = [];

  add(code: string, text: string, count = 1): void {
    this.#found.push({ code, text, count });
  }

  list(): FitNote[] {
    return together(this.#found);
  }
}
