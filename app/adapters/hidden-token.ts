/** A token that is looked for whole, in its parts, and cut off. */
export interface HiddenToken {
  value: string;
  /**
   * Its parts that mean nothing but secrets: no names of hosts, plans or fields, which stand in other texts as well.
   */
  pieces: readonly string[];
}

/** Shorter parts stand in other texts by chance. */
const shortestPiece = 16;

export function hiddenToken(value: string): HiddenToken {
  const parts = value.split(/[;:=.,&\s]+/);
  const pieces = parts.filter((part) => part.length >= shortestPiece && /\d/.test(part) && /[a-z]/i.test(part));
  return { value, pieces: pieces.filter((part) => part !== value) };
}

/** The text without the token's beginning and its end, wherever it was cut in two. */
export function withoutEnds(text: string, { value }: HiddenToken, mark: string): string {
  if (value.length < shortestPiece * 2) return text;
  return withoutEnd(withoutBeginning(text, value, mark), value, mark);
}

function withoutBeginning(text: string, value: string, mark: string): string {
  const begins = value.slice(0, shortestPiece);
  let clean = text;
  for (let at = clean.indexOf(begins); at >= 0; at = clean.indexOf(begins, at + mark.length)) {
    let length = shortestPiece;
    while (length < value.length && clean[at + length] === value[length]) length++;
    clean = clean.slice(0, at) + mark + clean.slice(at + length);
  }
  return clean;
}

function withoutEnd(text: string, value: string, mark: string): string {
  const ends = value.slice(-shortestPiece);
  let clean = text;
  for (let at = clean.indexOf(ends); at >= 0; at = clean.indexOf(ends, at + 1)) {
    const stop = at + shortestPiece;
    let from = at;
    while (from > 0 && clean[from - 1] === value[value.length - (stop - from) - 1]) from--;
    clean = clean.slice(0, from) + mark + clean.slice(stop);
    at = from + mark.length - 1;
  }
  return clean;
}

/**
 * These values where some of their letters are spelled as JSON may spell them: `\\u0074` for `t`, or `\\/`. The longest
 * first.
 */
export function escapedForms(values: readonly string[]): RegExp {
  const longestFirst = [...values].sort((left, right) => right.length - left.length);
  return new RegExp(longestFirst.map((value) => Array.from(value, letter).join('')).join('|') || '(?!)', 'g');
}

function letter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = Array.from(code, (digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit));
  return `(?:\\\\{0,3}${character.replace(/[^\w\s]/u, '\\$&')}|\\\\{1,4}u${digits.join('')})`;
}
