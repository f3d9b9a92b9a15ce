const quote = 0x22;
const backslash = 0x5c;

/**
 * Where the closing quote of a JSON string stands whose text begins at `from`; -1 where there is none. `loopOver`: so
 * many bytes are looked at one by one, the rest by Node, which is faster in a long text and takes a moment to begin.
 */
export function stringEnd(bytes: Buffer, from: number, loopOver: number): number {
  let at = from;
  for (const until = from + loopOver; at < until; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  for (;;) {
    const found = bytes.indexOf(quote, at);
    if (found === -1 || !isEscaped(bytes, found, from)) return found;
    at = found + 1;
  }
}

function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && bytes[at - slashes - 1] === backslash) slashes++;
  return slashes % 2 === 1;
}
