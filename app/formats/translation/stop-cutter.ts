/**
 * Cuts text at the stop sequence that is complete first, for an upstream that was not told them; of two that end there
 * the longer counts. Holds back an end that may be the beginning of one. Looks at each character once for each
 * sequence, however long they are and in whatever pieces the text comes.
 */
export class StopCutter {
  readonly #searches: readonly Search[];
  #held = '';

  constructor(sequences: readonly string[]) {
    this.#searches = sequences.filter((sequence) => sequence !== '').map((sequence) => new Search(sequence));
  }

  /** `text` may be written now; `hit` is the sequence that ends the answer. After a hit nothing more comes. */
  push(added: string): { text: string; hit: string | null } {
    for (let index = 0; index < added.length; index += 1) {
      const hit = this.#next(added.charCodeAt(index));
      if (hit === null) continue;
      const text = this.#held + added.slice(0, index + 1);
      this.#held = '';
      return { text: text.slice(0, text.length - hit.length), hit };
    }
    const text = this.#held + added;
    const at = text.length - Math.max(0, ...this.#searches.map((search) => search.matched));
    this.#held = text.slice(at);
    return { text: text.slice(0, at), hit: null };
  }

  /** What was held back, when no more text follows. What comes then is another text. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    for (const search of this.#searches) search.matched = 0;
    return held;
  }

  /** The longest sequence that is complete with this character. */
  #next(code: number): string | null {
    let hit: string | null = null;
    for (const search of this.#searches) {
      if (search.next(code) && search.sequence.length > (hit?.length ?? 0)) hit = search.sequence;
    }
    return hit;
  }
}

/** Finds one sequence as Knuth, Morris and Pratt do: nothing is looked at again after it went by. */
class Search {
  readonly sequence: string;
  /** How much of the beginning is the end of the text so far. */
  matched = 0;
  /** By length of a beginning: the longest shorter one that it ends with. */
  readonly #shorter: Uint32Array;

  constructor(sequence: string) {
    this.sequence = sequence;
    this.#shorter = new Uint32Array(sequence.length + 1);
    for (let length = 1; length < sequence.length; length += 1) {
      this.#shorter[length + 1] = this.#advance(this.#shorter[length] ?? 0, sequence.charCodeAt(length));
    }
  }

  /** Whether the sequence is complete with this character. */
  next(code: number): boolean {
    this.matched = this.#advance(this.matched, code);
    return this.matched === this.sequence.length;
  }

  #advance(matched: number, code: number): number {
    let length = matched;
    while (length > 0 && this.sequence.charCodeAt(length) !== code) length = this.#shorter[length] ?? 0;
    return this.sequence.charCodeAt(length) === code ? length + 1 : 0;
  }
}
