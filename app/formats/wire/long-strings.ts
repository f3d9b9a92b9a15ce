/** Longer strings of a message are cut before it is parsed, in bytes of its JSON. */
const longestString = 16 * 1024 * 1024;

const [quote, backslash, lineEnd, letterU] = [0x22, 0x5c, 0x0a, 0x75];
/** Characters of a range that no text uses. */
const [opening, closing] = ['\ue000cut:', '\ue001'];
const markPattern = new RegExp(`${opening}(\\d+)${closing}$`);

/** How much of a text was left out where it was read, in bytes, and the text without that mark; null if nothing was. */
export function leftOut(text: string): { kept: string; bytes: number } | null {
  if (!text.endsWith(closing)) return null;
  const found = markPattern.exec(text.slice(-40));
  return found === null ? null : { kept: text.slice(0, -found[0].length), bytes: Number(found[1]) };
}

type Emit = (bytes: Uint8Array) => void;

/**
 * Cuts strings of JSON lines that are too long, and says at their end how much that was. A line passes as it is until
 * it is so long itself that it could hold one, so that usual messages cost nothing.
 */
export class LongStrings {
  readonly #longest: number;
  /** The line so far, until it is long. */
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #isLong = false;
  #inString = false;
  /** Bytes of an escape that are still to come. */
  #escape = 0;
  #stringBytes = 0;
  /** Bytes that were left out of the string; null if none, it is passed on. */
  #left: number | null = null;

  constructor(longest = longestString) {
    this.#longest = longest;
  }

  take(chunk: Uint8Array, emit: Emit): void {
    if (!this.#isLong && this.#lineBytes + chunk.length <= this.#longest) {
      this.#pass(chunk);
      emit(chunk);
      return;
    }
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(lineEnd, at);
      const piece = chunk.subarray(at, end === -1 ? chunk.length : end + 1);
      this.#takePiece(piece, emit);
      if (end !== -1) this.#newLine();
      at += piece.length;
    }
  }

  /** Passes on a chunk in which no line is long, including the unfinished one. */
  #pass(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(lineEnd);
    if (end !== -1) this.#newLine();
    const rest = chunk.subarray(end + 1);
    if (rest.length > 0) this.#line.push(rest);
    this.#lineBytes += rest.length;
  }

  #newLine(): void {
    this.#line = [];
    this.#lineBytes = 0;
    this.#isLong = false;
    this.#inString = false;
    this.#escape = 0;
    this.#left = null;
  }

  #takePiece(piece: Uint8Array, emit: Emit): void {
    if (this.#isLong) {
      this.#scan(piece, emit);
      return;
    }
    this.#lineBytes += piece.length;
    if (this.#lineBytes <= this.#longest) {
      this.#line.push(piece);
      emit(piece);
      return;
    }
    this.#isLong = true;
    // What was passed on holds no string that is too long; where it ends is not known yet.
    for (const before of this.#line) this.#scan(before, () => undefined);
    this.#line = [];
    this.#scan(piece, emit);
  }

  #scan(piece: Uint8Array, emit: Emit): void {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (!this.#inString) {
        if (byte === quote) this.#open();
        continue;
      }
      const isEscaped = this.#escape > 0;
      if (!isEscaped && (byte === quote || byte === lineEnd)) {
        this.#inString = false;
        if (this.#left !== null) {
          emit(new TextEncoder().encode(`${opening}${this.#left}${closing}`));
          this.#left = null;
          from = at;
        }
        continue;
      }
      const isWhole = !isEscaped && (byte & 0xc0) !== 0x80;
      if (this.#left === null && isWhole && this.#stringBytes >= this.#longest) {
        if (at > from) emit(piece.subarray(from, at));
        this.#left = 0;
      }
      if (isEscaped) this.#escape = this.#escape === 1 && byte === letterU ? 4 : this.#escape - 1;
      else if (byte === backslash) this.#escape = 1;
      this.#stringBytes += 1;
      if (this.#left !== null) this.#left += 1;
    }
    if (this.#left === null && from < piece.length) emit(piece.subarray(from));
  }

  #open(): void {
    this.#inString = true;
    this.#escape = 0;
    this.#stringBytes = 0;
  }
}
