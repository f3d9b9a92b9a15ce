import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { t } from '../language/translate.ts';

/** One JSON object as text: properties are put in and taken out at their offsets, and all else stays as it is. */

/** The text cannot be edited safely. `line` counts from 1; null if no line is to blame. */
export class SettingsTextError extends Error {
  override readonly name = 'SettingsTextError';
  readonly line: number | null;
  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}

/** Null for a blank text. Throws `SettingsTextError`. */
export function parse(text: string): Node | null {
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  if (body.trim() === '') return null;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: false });
  const first = errors[0];
  if (first || !root) {
    const line = lineAt(text, first?.offset ?? 0);
    const why = first ? printParseErrorCode(first.error) : 'no value';
    throw new SettingsTextError(
      t('isn’t valid JSON (line {line}: {why})', { line: String(line), why: words(why) }),
      line,
    );
  }
  if (root.type !== 'object') throw new SettingsTextError(t('doesn’t hold a JSON object'), 1);
  return root;
}

export function partsOf(property: Node): { key: string; value: Node } {
  const [key, value] = property.children ?? [];
  if (!key || !value || typeof key.value !== 'string')
    throw new SettingsTextError(t('holds a property without a value'), null);
  return { key: key.value, value };
}

/** `getNodeValue` of the library writes to `__proto__` where a file has such a key. */
export function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  return (node.children ?? []).map((property) => {
    const { key, value } = partsOf(property);
    return [key, plainValue(value)];
  });
}

export function insertProperty(text: string, root: Node, object: Node, key: string, raw: string): string {
  const eol = eolOf(text);
  const unit = indentOf(text, root);
  const last = object.children?.at(-1);
  if (!last) {
    if (isOneLine(text, root))
      return splice(text, object.offset + 1, object.offset + 1, property(text, root, key, raw));
    const indent = object === root ? unit : lineIndent(text, object.offset) + unit;
    const outer = object === root ? '' : lineIndent(text, object.offset);
    const inner = text.slice(object.offset + 1, object.offset + object.length - 1);
    const rest = /[\r\n]/.test(inner) ? inner : `${inner.trimEnd()}${eol}${outer}`;
    return splice(
      text,
      object.offset + 1,
      object.offset + object.length - 1,
      `${eol}${indent}${property(text, root, key, raw)}${rest}`,
    );
  }
  const end = last.offset + last.length;
  const indent = ownLineIndent(text, last.offset);
  if (indent === null) {
    return splice(text, end, end, `${isMinified(text, root) ? ',' : ', '}${property(text, root, key, raw)}`);
  }
  const afterComment = end + trailingComment(text.slice(end));
  return `${text.slice(0, end)},${text.slice(end, afterComment)}${eol}${indent}${property(text, root, key, raw)}${text.slice(afterComment)}`;
}

export function removeProperty(text: string, object: Node, key: string): string {
  const properties = object.children ?? [];
  return removeChild(
    text,
    object,
    properties.findIndex((property) => partsOf(property).key === key),
  );
}

/** The same for a property or an element by its place. */
export function removeChild(text: string, object: Node, index: number): string {
  const properties = object.children ?? [];
  const property = properties[index];
  if (!property) return text;
  const end = property.offset + property.length;
  const previous = properties[index - 1];
  const next = properties[index + 1];

  if (!previous && !next) {
    const inner = text.slice(object.offset + 1, property.offset) + text.slice(end, object.offset + object.length - 1);
    if (inner.trim() === '') return splice(text, object.offset + 1, object.offset + object.length - 1, '');
  }
  const comma = next
    ? commaBetween(text, end, next.offset)
    : previous
      ? commaBetween(text, previous.offset + previous.length, property.offset)
      : null;
  if (next && comma !== null) {
    const gap = text.slice(end, comma).trim() === '';
    const after = text.slice(comma + 1);
    const aloneOnLine = ownLineIndent(text, property.offset) !== null && /^[ \t]*(\r?\n|\r)/.test(after);
    if (gap && aloneOnLine) return splice(text, lineStart(text, property.offset), comma + 1, '');
    const inline =
      gap && text.slice(comma + 1, next.offset).trim() === '' && !/[\r\n]/.test(text.slice(comma, next.offset));
    if (inline) return splice(text, property.offset, next.offset, '');
    return splice(splice(text, comma, comma + 1, ''), property.offset, end, '');
  }
  // The line break before it stays where the rest of the line would come to stand behind a line comment.
  const before = text.slice(previous ? previous.offset + previous.length : object.offset + 1, property.offset);
  const joinable = !before.includes('//') || /^[ \t]*(\/\/|\r|\n|$)/.test(text.slice(end));
  const wholeLine = joinable && ownLineIndent(text, property.offset) !== null;
  const start = wholeLine ? lineStart(text, property.offset) : property.offset;
  if (comma === null) return splice(text, start, end, '');
  if (text.slice(comma + 1, property.offset).trim() === '') {
    // On one line the blank after the comma goes too; a line of its own goes whole.
    const from = start === property.offset ? comma + 1 : start;
    return splice(splice(text, from, end, ''), comma, comma + 1, '');
  }
  return splice(splice(text, start, end, ''), comma, comma + 1, '');
}

/** Where the line break before this line begins. */
function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset).search(/(\r\n|\n|\r)[ \t]*$/);
  return before < 0 ? offset : before;
}

function commaBetween(text: string, from: number, to: number): number | null {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  const offset = from + scanner.getTokenOffset();
  return text[offset] === ',' ? offset : null;
}

/** Length of the comments that follow on the same line. */
export function trailingComment(rest: string): number {
  const found = /^(?:[ \t]*\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(rest);
  return found?.[0].length ?? 0;
}

/** Blanks before the first text on a line; null if other text is before it. */
export function ownLineIndent(text: string, offset: number): string | null {
  return /(?:\r\n|\n|\r)([ \t]*)$/.exec(text.slice(0, offset))?.[1] ?? null;
}

export function lineIndent(text: string, offset: number): string {
  const begin = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(begin, offset))?.[0] ?? '';
}

function indentOf(text: string, root: Node): string {
  const first = root.children?.[0];
  return (first ? ownLineIndent(text, first.offset) : null) || '  ';
}

function isOneLine(text: string, root: Node): boolean {
  return (root.children?.length ?? 0) > 0 && !/[\r\n]/.test(rawOf(text, root));
}

function isMinified(text: string, root: Node): boolean {
  const first = root.children?.[0];
  const [key] = first?.children ?? [];
  return (
    isOneLine(text, root) &&
    first !== undefined &&
    key !== undefined &&
    /^:\S/.test(text.slice(key.offset + key.length))
  );
}

function property(text: string, root: Node, key: string, raw: string): string {
  return `${JSON.stringify(key)}:${isMinified(text, root) ? '' : ' '}${raw}`;
}

export function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export function rawOf(text: string, node: Node): string {
  return text.slice(node.offset, node.offset + node.length);
}

export function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}

/** `CommaExpected` → `comma expected` */
function words(code: string): string {
  return code.replace(/(?!^)([A-Z])/g, ' $1').toLowerCase();
}
