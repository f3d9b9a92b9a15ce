/**
 * What stays the same from one event of a stream to the next: the JSON of an event without the values of a few keys. Events follow each other by the thousand
 * that differ in nothing else, so one that has the shape of an event that was parsed says the same about the answer and need not be parsed itself.
 *
 * A key is given as its JSON is written up to the value: `"delta":"` for a string, `"sequence_number":` for a number. A quote inside a string is escaped, so no
 * key is found in one. Keys that the text does not hold are passed over.
 */
export class TextShape {
  /** Keys whose values are left out, in the order of the text. */
  readonly keys: readonly string[];
  /** One more than values. */
  readonly literals: readonly string[];

  private constructor(keys: readonly string[], literals: readonly string[]) {
    this.keys = keys;
    this.literals = literals;
  }

  /** Null where a key stands in the text more than once: then nobody knows which is meant. */
  static of(text: string, keys: readonly string[]): TextShape | null {
    const found: { key: string; from: number }[] = [];
    for (const key of keys) {
      const at = text.indexOf(key);
      if (at === -1) continue;
      if (text.includes(key, at + key.length)) return null;
      found.push({ key, from: at + key.length });
    }
    found.sort((one, other) => one.from - other.from);
    const literals: string[] = [];
    let last = 0;
    for (const { key, from } of found) {
      literals.push(text.slice(last, from));
      last = valueEnd(text, from, key);
      if (last === -1) return null;
    }
    literals.push(text.slice(last));
    return new TextShape(
      found.map(({ key }) => key),
      literals,
    );
  }

  /** The values of the keys in this text, as they are written; null where it has another shape. */
  values(text: string): string[] | null {
    const { keys, literals } = this;
    const values: string[] = [];
    let at = 0;
    for (let n = 0; n < keys.length; n++) {
      const literal = literals[n] ?? '';
      // Compared as memory; `startsWith` would go from character to character.
      if (text.slice(at, at + literal.length) !== literal) return null;
      at += literal.length;
      const end = valueEnd(text, at, keys[n] ?? '');
      if (end === -1) return null;
      values.push(text.slice(at, end));
      at = end;
    }
    const rest = literals[keys.length] ?? '';
    return text.slice(at) === rest ? values : null;
  }
}

const quote = 34;
const backslash = 92;

/** Where the value ends that begins here: -1 where it does not. */
function valueEnd(text: string, from: number, key: string): number {
  if (key.charCodeAt(key.length - 1) === quote) {
    let at = text.indexOf('"', from);
    while (at !== -1 && isEscaped(text, at, from)) at = text.indexOf('"', at + 1);
    return at;
  }
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at === from ? -1 : at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charCodeAt(at - slashes - 1) === backslash) slashes++;
  return slashes % 2 === 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
