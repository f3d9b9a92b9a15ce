/**
 * JSON with line ends and indents, all else exactly as it was: no digit, escape or order changes. What is not JSON
 * comes out as it went in, or with some line ends more.
 */
export function indentJson(text: string): string {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return text;
  const out: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at += 1;
    switch (char) {
      case '{':
      case '[': {
        const inside = skipSpace(text, at);
        const closing = text[inside];
        if (closing === '}' || closing === ']') {
          out.push(char, closing);
          at = inside + 1;
          break;
        }
        depth += 1;
        out.push(char, lineEnd(depth));
        break;
      }
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
        out.push(lineEnd(depth), char);
        break;
      case ',':
        out.push(char, lineEnd(depth));
        break;
      case ':':
        out.push(': ');
        break;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        // Several values one after the other, each on a line of its own.
        if (depth === 0 && char === '\n') out.push(char);
        break;
      default:
        out.push(char);
    }
  }
  return out.join('');
}

const deepest = 40;

function lineEnd(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, deepest))}`;
}

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}
