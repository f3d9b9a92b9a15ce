import { stringEnd } from '../wire/string-end.ts';

/**
 * What stays the same from one event of a stream to the next: its bytes without the values of a few keys. Events follow
 * each other by the thousand that differ in nothing else, so one that has the shape of an event that was parsed says
 * the same about the answer and need not be parsed itself.
 *
 * A key is given as its JSON is written up to the value: `"delta":"` for a string, `"sequence_number":` for a number. A
 * quote inside a string is escaped, so no key is found in one. Keys that the event does not hold are passed over.
 */
export class EventShape {
  /** Keys whose values are left out, in the order of the event. */
  readonly keys: readonly string[];
  /** One more than values. */
  readonly literals: readonly Buffer[];
  /** Where the values stood in the event that matched last: from, to, from, to, … */
  readonly spans: number[] = [];
  readonly #areStrings: readonly boolean[];

  private constructor(keys: readonly string[], literals: readonly Buffer[]) {
    this.keys = keys;
    this.literals = literals;
    this.#areStrings = keys.map(isOfString);
  }

  /** Null where a key stands in the event more than once: then it is not known which is meant. */
  static of(event: Buffer, keys: readonly string[]): EventShape | null {
    const found: { key: string; from: number }[] = [];
    for (const key of keys) {
      const at = event.indexOf(key, 0, 'latin1');
      if (at === -1) continue;
      if (event.includes(key, at + key.length, 'latin1')) return null;
      found.push({ key, from: at + key.length });
    }
    found.sort((one, other) => one.from - other.from);
    const literals: Buffer[] = [];
    let last = 0;
    for (const { key, from } of found) {
      literals.push(Buffer.from(event.subarray(last, from)));
      last = isOfString(key) ? stringEnd(event, from, short) : numberEnd(event, from);
      if (last === -1) return null;
    }
    literals.push(Buffer.from(event.subarray(last)));
    return new EventShape(
      found.map(({ key }) => key),
      literals,
    );
  }

  /**
   * Where the event ends that begins here, if it has this shape: then `spans` says where its values stand. -1: it has
   * another.
   */
  endOf(bytes: Buffer, from: number): number {
    const { literals, spans } = this;
    const strings = this.#areStrings;
    let at = from;
    for (let n = 0; n < strings.length; n++) {
      const literal = literals[n];
      if (literal === undefined || !isAt(bytes, at, literal)) return -1;
      at += literal.length;
      const near = (spans[2 * n + 1] ?? 0) - (spans[2 * n] ?? 0) < short;
      const end = strings[n] === true ? stringEnd(bytes, at, near ? short : 0) : numberEnd(bytes, at);
      if (end === -1) return -1;
      spans[2 * n] = at;
      spans[2 * n + 1] = end;
      at = end;
    }
    const rest = literals[strings.length];
    return rest !== undefined && isAt(bytes, at, rest) ? at + rest.length : -1;
  }
}

/** Below this a loop is faster than a call out of JavaScript. */
const short = 96;

function isOfString(key: string): boolean {
  return key.endsWith('"');
}

function isAt(bytes: Buffer, at: number, literal: Buffer): boolean {
  const { length } = literal;
  if (at + length > bytes.length) return false;
  if (length > short) return bytes.compare(literal, 0, length, at, at + length) === 0;
  for (let n = 0; n < length; n++) if (bytes[at + n] !== literal[n]) return false;
  return true;
}

/** -1 where there is no digit. */
function numberEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 48 && byte <= 57; byte = bytes[++at]);
  return at === from ? -1 : at;
}
