import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import { applyEdits, modify, type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parseDocument } from 'yaml';

/**
 * A settings file of another program as text: values are put in and taken out, and everything else stays where it is,
 * with its comments.
 */
export type Format = 'json' | 'toml' | 'yaml';

/** The name of a property, or what an element of a list holds by which it is found. */
export type Step = string | Readonly<Record<string, string>>;
type Path = readonly Step[];

/** The text can't be edited safely. `message` goes on from the file's name. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

interface Editor {
  /** Throws `DocumentError`, or the library's own error. */
  parse(text: string): unknown;
  /** `undefined` takes it out. */
  edit(text: string, at: readonly (string | number)[], value: unknown): string;
}

const editors: Readonly<Record<Format, Editor>> = {
  json: {
    parse: (text) => {
      if (text.trim() === '') return {};
      const errors: ParseError[] = [];
      const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
      const [first] = errors;
      if (first === undefined) return value;
      const line = text.slice(0, first.offset).split('\n').length;
      throw new DocumentError(`isn’t valid JSON (line ${line}: ${printParseErrorCode(first.error)})`);
    },
    edit: (text, at, value) => {
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
      const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
      const edited = applyEdits(text, modify(text, [...at], value, { formattingOptions }));
      return text === '' ? `${edited}${eol}` : edited;
    },
  },
  toml: {
    parse: (text) => parseToml(text),
    edit: (text, at, value) => {
      const edited = patchToml(text, withValue(parseToml(text), at, value));
      return text === '' && !edited.endsWith('\n') ? `${edited}\n` : edited;
    },
  },
  yaml: {
    parse: (text) => yamlOf(text).toJS() ?? {},
    edit: (text, at, value) => {
      const document = yamlOf(text);
      if (value === undefined) document.deleteIn(at);
      else document.setIn(at, document.createNode(value));
      const indentSeq = !/:[ \t]*(?:#.*)?\r?\n- /.test(text);
      return document.toString({ lineWidth: 0, indentSeq });
    },
  },
};

function yamlOf(text: string): ReturnType<typeof parseDocument> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new DocumentError(`isn’t valid YAML (${error.message.split('\n')[0]})`);
  return document;
}

/** Throws `DocumentError`. */
export function parseDocumentText(format: Format, text: string): unknown {
  try {
    return editors[format].parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new DocumentError(`isn’t valid ${format.toUpperCase()} (${why})`);
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
  const at = placeOf(before, path);
  if (value === undefined && valueAt(before, path) === undefined) return text;
  const edited = editors[format].edit(body, at, value);
  // The last line of defence: what reaches beyond our own keys is never written.
  if (!isDeepStrictEqual(plain(parseDocumentText(format, edited)), plain(withValue(before, at, value))))
    throw new DocumentError('holds something that can’t be edited safely');
  return mark + edited;
}

/** Takes out what the path leads through where it is empty now, and was not there in another document. */
export function withoutEmptied(format: Format, text: string, path: Path, earlier: unknown): string {
  let next = text;
  for (let length = path.length - 1; length > 0; length--) {
    const outer = path.slice(0, length);
    const value = valueAt(parseDocumentText(format, next), outer);
    const isEmpty = Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0;
    if (!isEmpty || valueAt(earlier, outer) !== undefined) return next;
    next = withEdit(format, next, outer, undefined);
  }
  return next;
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

function withValue(document: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
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
