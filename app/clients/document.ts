import { isDeepStrictEqual } from 'node:util';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { isMap, isScalar, isSeq, parseDocument, stringify as stringifyYaml, type YAMLMap } from 'yaml';
import {
  eolOf,
  lineAt,
  lineIndent,
  ownLineIndent,
  removeChild,
  removeProperty,
  splice,
  trailingComment,
} from '../claude-code/settings-nodes.ts';
import { t } from '../language/translate.ts';

/**
 * A settings file of another program as text: values are put in and taken out where they stand, and all other text
 * stays as it is. Each edit is read again, and one that changed anything else is refused.
 */
export type Format = 'json' | 'toml' | 'yaml';

/** The name of a property, or what an element of a list holds by which it is found. */
export type Step = string | Readonly<Record<string, string>>;
type Path = readonly Step[];
const json: Editor = {
  parse: (text) => (text.trim() === '' ? {} : plainOf(treeOf(text))),
  put: (text, at, value) => {
    const eol = eolOf(text);
    if (text.trim() === '') return `${JSON.stringify(withValue({}, at, value), null, 2)}${eol}`;
    const root = treeOf(text);
    const first = root.children?.[0];
    const unit = (first && ownLineIndent(text, first.offset)) || '  ';
    const written = (one: unknown, indent: string): string =>
      JSON.stringify(one, null, unit).replaceAll('\n', `${eol}${indent}`);
    const { node, rest } = deepest(root, at);
    const [key, ...below] = rest;
    if (key === undefined)
      return splice(text, node.offset, node.offset + node.length, written(value, lineIndent(text, node.offset)));
    const inner = below.length === 0 ? value : withValue(typeof below[0] === 'number' ? [] : {}, below, value);
    const item = (indent: string | null): string =>
      `${node.type === 'object' ? `${JSON.stringify(key)}: ` : ''}${indent === null ? JSON.stringify(inner) : written(inner, indent)}`;
    const last = node.children?.at(-1);
    if (last === undefined) {
      const outer = lineIndent(text, node.offset);
      const end = node.offset + node.length - 1;
      const within = text.slice(node.offset + 1, end).trimEnd();
      return splice(text, node.offset + 1, end, `${within}${eol}${outer}${unit}${item(outer + unit)}${eol}${outer}`);
    }
    const end = last.offset + last.length;
    const indent = ownLineIndent(text, last.offset);
    const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
    const behind = end + comma;
    const next = behind + (indent === null ? 0 : trailingComment(text.slice(behind)));
    const gap = indent === null ? ' ' : `${eol}${indent}`;
    const put = splice(text, next, next, `${gap}${item(indent)}${comma > 0 ? ',' : ''}`);
    return comma > 0 ? put : splice(put, end, end, ',');
  },
  remove: (text, at) => {
    const root = treeOf(text);
    const { node, rest } = deepest(root, at.slice(0, -1));
    const key = at.at(-1);
    if (rest.length > 0 || key === undefined) return text;
    return typeof key === 'string' ? removeProperty(text, node, key) : removeChild(text, node, key);
  },
};

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root !== undefined && first === undefined) return root;
  const why = first === undefined ? 'no value' : printParseErrorCode(first.error);
  throw new DocumentError(
    t('isn’t valid JSON (line {line}: {why})', { line: String(lineAt(text, first?.offset ?? 0)), why }),
  );
}

function plainOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainOf);
  if (node.type !== 'object') return node.value;
  const pairs = (node.children ?? []).map(({ children: [key, value] = [] }) => [String(key?.value), value] as const);
  const names = new Set(pairs.map(([name]) => name));
  if (names.size < pairs.length) throw new DocumentError(t('holds a name twice'));
  return Object.fromEntries(pairs.map(([name, value]) => [name, value && plainOf(value)]));
}

/** The node as far along a path as there is one, and what is left of the path. */
function deepest(root: Node, at: Place): { node: Node; rest: Place } {
  let node = root;
  for (const [index, step] of at.entries()) {
    const next =
      typeof step === 'number'
        ? node.children?.[step]
        : node.children?.find(({ children: [key] = [] }) => key?.value === step)?.children?.[1];
    const fits = typeof step === 'number' ? node.type === 'array' : node.type === 'object';
    if (!fits) throw new DocumentError(t('holds something else at {place}', { place: at.slice(0, index).join('.') }));
    if (next === undefined) return { node, rest: at.slice(index) };
    node = next;
  }
  return { node, rest: [] };
}

/** Entries of ours are a key at the top, or a table of two names with a head of its own. */
const toml: Editor = {
  parse: (text) => parseToml(text),
  put: (text, at, value) => {
    const eol = eolOf(text);
    const lines = linesOf(text);
    const [key = '', inner] = at.map(String);
    if (inner === undefined) {
      const written = `${key} = ${tomlValue(value)}`;
      const at = topKey(lines, key);
      if (at !== -1) {
        const value = /^(\s*\S+\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#]+)/;
        return lines
          .with(
            at,
            (lines[at] ?? '').replace(value, (_all, before) => before + written.split(' = ')[1]),
          )
          .join('');
      }
      const head = lines.findIndex(isHead);
      const top = head === -1 ? lines : lines.slice(0, head);
      const last = top.findLastIndex((line) => /^\s*[^\s#]/.test(line));
      if (head === -1 || last !== -1)
        return inserted(lines, last === -1 ? lines.length : last + 1, `${written}${eol}`, eol);
      return `${written}${eol}${eol}${text}`;
    }
    const block = [
      `[${key}.${inner}]`,
      ...Object.entries(Object(value)).map(([name, one]) => `${name} = ${tomlValue(one)}`),
    ];
    const found = tableAt(lines, key, inner);
    const rendered = block.join(eol) + eol;
    if (found !== null) return [...lines.slice(0, found.from), rendered, ...lines.slice(found.to)].join('');
    return inserted(lines, lines.length, `${lines.length === 0 ? '' : eol}${rendered}`, eol);
  },
  remove: (text, at) => {
    const lines = linesOf(text);
    const [key = '', inner] = at.map(String);
    if (inner === undefined) return lines.toSpliced(topKey(lines, key), 1).join('');
    const found = tableAt(lines, key, inner);
    if (found === null) throw new DocumentError(`holds ${key}.${inner} without a head of its own`);
    const isBlankBefore = /^\s*$/.test(lines[found.from - 1] ?? 'x');
    const from = found.from - (isBlankBefore ? 1 : 0);
    return lines.toSpliced(from, found.to - from).join('');
  },
};

const isHead = (line: string): boolean => /^\s*\[/.test(line);

function topKey(lines: readonly string[], key: string): number {
  const head = lines.findIndex(isHead);
  return lines
    .slice(0, head === -1 ? undefined : head)
    .findIndex((line) => line.match(/^\s*"?([\w-]+)"?\s*=/)?.[1] === key);
}

/** From its head to its last value. */
function tableAt(lines: readonly string[], outer: string, inner: string): { from: number; to: number } | null {
  const named = new RegExp(`^\\s*\\[\\s*"?${outer}"?\\s*\\.\\s*"?${inner}"?\\s*\\]`);
  const from = lines.findIndex((line) => named.test(line));
  if (from === -1) return null;
  const next = lines.findIndex((line, index) => index > from && isHead(line));
  const within = lines.slice(from, next === -1 ? undefined : next);
  return { from, to: from + within.findLastIndex((line) => /^\s*[^\s#]/.test(line)) + 1 };
}

function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return stringifyToml({ v: value }).trim().slice('v = '.length);
  const pairs = Object.entries(value).map(([name, one]) => `${name} = ${tomlValue(one)}`);
  return `{ ${pairs.join(', ')} }`;
}

/** Throws `DocumentError`. */
export function parseDocumentText(format: Format, text: string): unknown {
  try {
    return editors[format].parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new DocumentError(t('isn’t valid {format} ({why})', { format: format.toUpperCase(), why }));
  }
}

/** What stands at a path; undefined if nothing does. */
export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof step === 'string') return isTable(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    return Array.isArray(value) ? value.find((element) => holds(element, step)) : undefined;
  }, document);
}

/** Puts a value at a path, or takes it out (undefined). Throws `DocumentError` if anything else would change. */
export function withEdit(format: Format, text: string, path: Path, value: unknown): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const before = parseDocumentText(format, body);
  const old = valueAt(before, path);
  if (isDeepStrictEqual(plain(old), plain(value)) && (old === undefined) === (value === undefined)) return text;
  for (let length = 1; length < path.length; length++) {
    const outer = path.slice(0, length);
    const value = valueAt(before, outer) ?? null;
    if (value !== null && typeof path[length] === 'string' ? !isTable(value) : value !== null && !Array.isArray(value))
      throw new DocumentError(t('holds something else at {place}', { place: pathName(outer) }));
  }
  const at = placeOf(before, path);
  const editor = editors[format];
  const edited = value === undefined ? editor.remove(body, at) : editor.put(body, at, value);
  // The last line of defence: what reaches beyond our own keys is never written.
  if (!isSame(parseDocumentText(format, edited), withValue(before, at, value)))
    throw new DocumentError(t('holds something that can’t be edited safely'));
  return mark + edited;
}

/** Takes out what the path leads through where it is empty now, and was not there in another document. */
export function withoutEmptied(format: Format, text: string, path: Path, earlier: unknown): string {
  let next = text;
  for (let length = path.length - 1; length > 0; length--) {
    const outer = path.slice(0, length);
    const value = valueAt(parseDocumentText(format, next), outer);
    if (!isEmpty(value) || valueAt(earlier, outer) !== undefined) return next;
    next = withEdit(format, next, outer, undefined);
  }
  return next;
}

export function pathName(path: Path): string {
  return path.map((step) => (typeof step === 'string' ? step : Object.values(step).join(' '))).join('.');
}

/** Whether two documents say the same but for what stands at these paths. */
export function isSameBut(one: unknown, other: unknown, paths: readonly Path[]): boolean {
  const without = (document: unknown): unknown =>
    paths.reduce((rest, path) => withValue(rest, placeOf(rest, path), undefined), plain(document));
  return isSame(without(one), without(other));
}

/** What is empty says nothing, whether it stands there or not. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(plain(one)), withoutEmpty(plain(other)));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, withoutEmpty(inner)] as const)
      .filter(([, inner]) => !isEmpty(inner)),
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : value === null || (isTable(value) && Object.keys(value).length === 0);
}

/** Steps as names and numbers: an element that isn’t there yet comes last. */
function placeOf(document: unknown, path: Path): (string | number)[] {
  let value = document;
  return path.map((step) => {
    if (typeof step === 'string') {
      value = valueAt(value, [step]);
      return step;
    }
    const list: unknown[] = Array.isArray(value) ? value : [];
    const index = list.findIndex((element) => holds(element, step));
    value = list[index];
    return index === -1 ? list.length : index;
  });
}

function withValue(document: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(document) ? document : [];
    if (value === undefined && rest.length === 0) return list.toSpliced(step, 1);
    return Object.assign([...list], { [step]: withValue(list[step], rest, value) });
  }
  const table = isTable(document) ? document : {};
  if (value === undefined && rest.length === 0)
    return Object.fromEntries(Object.entries(table).filter(([name]) => name !== step));
  return { ...table, [step]: withValue(valueAt(table, [step]), rest, value) };
}

/** Dates of TOML, and tables without a prototype, as what they say. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function holds(element: unknown, wanted: Readonly<Record<string, string>>): boolean {
  return isTable(element) && Object.entries(wanted).every(([name, value]) => element[name] === value);
}

/** The common part of the editors of JSON, TOML and YAML. */

/** The same in one document: an element by its index. */
type Place = readonly (string | number)[];

/** The text can't be edited safely. `message` goes on from the file's name. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export interface Editor {
  /** Throws `DocumentError`, or the library's own error. */
  parse(text: string): unknown;
  put(text: string, at: Place, value: unknown): string;
  remove(text: string, at: Place): string;
}

/** Each with its end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function inserted(lines: readonly string[], at: number, text: string, eol: string): string {
  const before = lines.slice(0, at).join('');
  return before + (before === '' || before.endsWith('\n') ? '' : eol) + text + lines.slice(at).join('');
}

/** Entries of ours are a pair at the top, or there an element of a list or a pair of a mapping. */
const yaml: Editor = {
  parse: (text) => yamlOf(text).toJS() ?? {},
  put: (text, at, value) => {
    const eol = eolOf(text);
    const [key = '', inner] = at;
    const pair = pairAt(yamlOf(text).contents, key);
    const rendered = (one: unknown, indent: string): string =>
      stringifyYaml(one, { lineWidth: 0 }).trimEnd().replaceAll('\n', `${eol}${indent}`) + eol;
    const held = pair?.value;
    if (pair === undefined || (inner !== undefined && isNothing(held))) {
      const within = typeof inner === 'string' ? { [inner]: value } : [value];
      const whole = rendered({ [key]: inner === undefined ? value : within }, '');
      if (pair === undefined) return inserted(linesOf(text), linesOf(text).length, whole, eol);
      const [from, to] = spanOf(text, pair.key, pair.value ?? pair.key);
      return splice(text, from, to, whole);
    }
    if (inner === undefined) {
      if (!isScalar(held) || held.range == null)
        throw new DocumentError(t('holds a list or a mapping at {place}', { place: String(key) }));
      return splice(text, held.range[0], held.range[1], rendered(value, '').trimEnd());
    }
    if (typeof inner === 'string') {
      if (!isMap(held) || held.flow === true)
        throw new DocumentError(t('holds no mapping of lines at {place}', { place: String(key) }));
      const indent = indentOf(text, held);
      const found = pairAt(held, inner);
      const last = found ?? held.items.at(-1);
      const [from, to] = spanOf(text, last?.key, last?.value ?? last?.key);
      const item = indent + rendered({ [inner]: value }, indent);
      return found === undefined
        ? inserted([text.slice(0, to), text.slice(to)], 1, item, eol)
        : splice(text, from, to, item);
    }
    if (!isSeq(held) || held.flow === true)
      throw new DocumentError(t('holds no list of lines at {place}', { place: String(key) }));
    const last = held.items[inner < held.items.length ? inner : held.items.length - 1];
    const [from, to] = spanOf(text, last, last);
    const dash = /^[ \t]*-[ \t]*/.exec(text.slice(from))?.[0] ?? '- ';
    const indent = dash.slice(0, dash.indexOf('-'));
    const item = `${indent}- ${rendered(value, `${indent}  `)}`;
    return inner === held.items.length
      ? inserted([text.slice(0, to), text.slice(to)], 1, item, eol)
      : splice(text, from, to, item);
  },
  remove: (text, at) => {
    const [key = '', inner] = at;
    const pair = pairAt(yamlOf(text).contents, key);
    if (pair === undefined) return text;
    const { value } = pair;
    const within = typeof inner === 'string' ? pairAt(value, inner) : undefined;
    const element = typeof inner === 'number' && isSeq(value) ? value.items[inner] : undefined;
    if (inner !== undefined && within === undefined && element === undefined) return text;
    const { key: first, value: last } = within ?? { key: element ?? pair.key, value: element ?? value };
    return splice(text, ...spanOf(text, first, last ?? first), '');
  },
};

function yamlOf(text: string): ReturnType<typeof parseDocument> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error)
    throw new DocumentError(
      t('isn’t valid {format} ({why})', { format: 'YAML', why: error.message.split('\n')[0] ?? '' }),
    );
  return document;
}

function pairAt(node: unknown, key: string | number): YAMLMap['items'][number] | undefined {
  return isMap(node) ? node.items.find((one) => isScalar(one.key) && one.key.value === key) : undefined;
}

/** No value, or an empty list or mapping in brackets. */
function isNothing(node: unknown): boolean {
  if (isScalar(node)) return node.value === null;
  return (isMap(node) || isSeq(node)) && node.items.length === 0;
}

/** The spaces before each name of a mapping. Throws `DocumentError` where something else stands there. */
function indentOf(text: string, map: YAMLMap): string {
  const begin = rangeOf(map.items[0]?.key)[0];
  const indent = text.slice(text.lastIndexOf('\n', begin - 1) + 1, begin);
  if (!/^ *$/.test(indent)) throw new DocumentError(t('holds something that can’t be edited safely'));
  return indent;
}

/** From the beginning of the line of one node to the end of the line of another. */
function spanOf(text: string, first: unknown, last: unknown): [from: number, to: number] {
  const begin = rangeOf(first)[0];
  const end = rangeOf(last)[1];
  // The end of a block is the beginning of the next line.
  const isLineDone = text[end - 1] === '\n';
  const next = text.indexOf('\n', end);
  return [text.lastIndexOf('\n', begin - 1) + 1, isLineDone ? end : next === -1 ? text.length : next + 1];
}

function rangeOf(node: unknown): readonly [number, number, number] {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  if (!Array.isArray(range)) throw new DocumentError(t('holds something that can’t be edited safely'));
  return [Number(range[0]), Number(range[1]), Number(range[2])];
}

const editors: Readonly<Record<Format, Editor>> = { json, toml, yaml };
