/**
 * Cuts text at the stop sequence that is complete first, for an upstream that was not told them; of two that end there
 * the longer counts. Holds back an end that may be the beginning of one. Looks at each character once, however many
 * sequences there are, however long they are and in whatever pieces the text comes.
 */
export class StopCutter {
  readonly #start: State;
  /** The longest beginning of a sequence that is the end of the text so far. */
  #at: State;
  #held = '';

  constructor(sequences: readonly string[]) {
    this.#start = automatonOf(sequences);
    this.#at = this.#start;
  }

  /** `text` may be written now; `hit` is the sequence that ends the answer. After a hit nothing more comes. */
  push(added: string): { text: string; hit: string | null } {
    for (let index = 0; index < added.length; index += 1) {
      this.#at = next(this.#at, added.charCodeAt(index)) ?? this.#start;
      const { hit } = this.#at;
      if (hit === null) continue;
      const text = this.#held + added.slice(0, index + 1);
      this.#held = '';
      return { text: text.slice(0, text.length - hit.length), hit };
    }
    const text = this.#held + added;
    const at = text.length - this.#at.length;
    this.#held = text.slice(at);
    return { text: text.slice(0, at), hit: null };
  }

  /** What was held back, when no more text follows. What comes then is another text. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    this.#at = this.#start;
    return held;
  }
}

/** A beginning of one or more sequences. */
interface State {
  length: number;
  /** States by the next character; null while none follows. */
  longer: Map<number, State> | null;
  /** The longest shorter beginning that it ends with; null for the empty one. */
  shorter: State | null;
  /** The longest sequence that it ends with. */
  hit: string | null;
}

/** Finds all sequences at once, as Aho and Corasick do. */
function automatonOf(sequences: readonly string[]): State {
  const start: State = { length: 0, longer: null, shorter: null, hit: null };
  for (const sequence of sequences) {
    if (sequence === '') continue;
    let state = start;
    for (let index = 0; index < sequence.length; index += 1) state = grown(state, sequence.charCodeAt(index));
    state.hit = sequence;
  }
  // Shorter ones come first: what a state looks back to is known by then.
  const states = [start];
  for (const state of states) {
    for (const [code, longer] of state.longer ?? []) {
      longer.shorter = (state.shorter && next(state.shorter, code)) ?? start;
      longer.hit ??= longer.shorter.hit;
      states.push(longer);
    }
  }
  return start;
}

function grown(state: State, code: number): State {
  state.longer ??= new Map();
  let longer = state.longer.get(code);
  if (longer === undefined) {
    longer = { length: state.length + 1, longer: null, shorter: null, hit: null };
    state.longer.set(code, longer);
  }
  return longer;
}

/** The longest beginning behind one more character; null: not even that character begins one. */
function next(from: State, code: number): State | null {
  for (let state: State | null = from; state !== null; state = state.shorter) {
    const longer = state.longer?.get(code);
    if (longer !== undefined) return longer;
  }
  return null;
}
