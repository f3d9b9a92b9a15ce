export interface Span {
  start: number;
  end: number;
}

/**
 * Where the value at `path` stands in the text of a JSON object, so that it can be replaced and every other byte stay.
 * The text must have been parsed before: what is not JSON gives a meaningless span. Of a key that is there twice the
 * last counts, as it does for `JSON.parse`.
 */
export function jsonValueSpan(text: string, path: readonly string[]): Span | null {
  let span: Span | null = { start: skipSpace(text, 0), end: text.length };
  for (const key of path) {
    if (text[span.start] !== '{') return null;
    span = memberOf(text, span.start, key);
    if (span === null) return null;
  }
  return span;
}

function memberOf(text: string, object: number, key: string): Span | null {
  let found: Span | null = null;
  for (let at = skipSpace(text, object + 1); text[at] === '"'; ) {
    const keyEnd = skipString(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (isKey(text.slice(at, keyEnd), key)) found = { start, end };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

function isKey(quoted: string, key: string): boolean {
  return quoted.includes('\\') ? JSON.parse(quoted) === key : quoted === `"${key}"`;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') at = skipString(text, at);
    else if (char === '{' || char === '[') {
      depth++;
      at++;
    } else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (depth === 0 && isEndOfPlainValue(char)) return at;
    else at++;
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return at;
  }
  return at;
}

function isEndOfPlainValue(char: string | undefined): boolean {
  return char === ',' || char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
