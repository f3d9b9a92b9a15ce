/**
 * Cuts text at the stop sequence that is complete first, for an upstream that was not told them. Holds back an end that
 * may be the beginning of one.
 */
export class StopCutter {
  readonly #sequences: readonly string[];
  #held = '';

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== '');
  }

  /** `text` may be written now; `hit` is the sequence that ends the answer. After a hit nothing more comes. */
  push(added: string): { text: string; hit: string | null } {
    const text = this.#held + added;
    let at = text.length;
    let hit: string | null = null;
    for (const sequence of this.#sequences) {
      const found = text.indexOf(sequence);
      if (found === -1 || (hit !== null && !endsEarlier(found, sequence, at, hit))) continue;
      at = found;
      hit = sequence;
    }
    if (hit === null) at = text.length - this.#beginning(text);
    this.#held = hit === null ? text.slice(at) : '';
    return { text: text.slice(0, at), hit };
  }

  /** What was held back, when no more text follows. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** How long an end of the text is the beginning of a sequence. */
  #beginning(text: string): number {
    let longest = 0;
    for (const sequence of this.#sequences) {
      for (let length = Math.min(sequence.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(sequence.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}

/** A model would have been stopped where the first of them was complete; of two that end there the longer counts. */
function endsEarlier(at: number, sequence: string, otherAt: number, other: string): boolean {
  const end = at + sequence.length;
  const otherEnd = otherAt + other.length;
  return end < otherEnd || (end === otherEnd && at < otherAt);
}
