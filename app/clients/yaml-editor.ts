import { isMap, isScalar, isSeq, parseDocument, stringify as stringifyYaml, type YAMLMap } from 'yaml';
import { eolOf, splice } from '../claude-code/settings-nodes.ts';
import { t } from '../language/translate.ts';
import { DocumentError, type Editor, inserted, linesOf } from './text-editor.ts';

/** Entries of ours are a pair at the top, or there an element of a list or a pair of a mapping. */
export const yaml: Editor = {
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

/** What stands before each name of a mapping. */
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
