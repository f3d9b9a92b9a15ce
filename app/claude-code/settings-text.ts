import type { Node } from 'jsonc-parser';
import { settingsBlocks } from '../api/names.ts';
import type { SettingsBlock } from '../api/setup.ts';
import { t } from '../language/translate.ts';
import {
  eolOf,
  insertProperty,
  lineAt,
  parse,
  partsOf,
  plainValue,
  rawOf,
  removeProperty,
  SettingsTextError,
  splice,
} from './settings-nodes.ts';

/**
 * Claude Code's settings.json as text. Values are found by their offsets and edited in place, so that order, comments,
 * indentation, line endings and everything unknown stay as they are. Comments are taken; a trailing comma is an error,
 * as it is to Claude Code.
 */

/** Settings beside `env` that a setup may write. No variable has such a name. */
const besideEnv: readonly string[] = ['skipWebFetchPreflight', 'statusLine', 'cleanupPeriodDays'];

export function isBesideEnv(name: string): boolean {
  return besideEnv.includes(name) || windowPath(name) !== null;
}

const [modelSettings, window] = ['modelSettings', 'autoCompactWindow'];

/** The name of the setting that says how far a conversation with this model may grow. */
export const windowName = (model: string): string => `${modelSettings}.${model}.${window}`;

/** The keys that lead to it; null if it is another name. */
export function windowPath(name: string): readonly string[] | null {
  const model = /^modelSettings\.(.+)\.autoCompactWindow$/.exec(name)?.[1];
  return model === undefined ? null : [modelSettings, model, window];
}

/** One value: below `env`, or beside it. */
export interface SettingsValue {
  value: unknown;
  /** The value's text. */
  raw: string;
  line: number;
}

/** All values below `env`, in the order of the text; empty for a blank text. Throws `SettingsTextError`. */
export function readEnv(text: string): Map<string, SettingsValue> {
  const values = new Map<string, SettingsValue>();
  const env = envOf(text, parse(text));
  for (const property of env?.children ?? []) {
    const { key, value } = partsOf(property);
    if (values.has(key)) {
      const line = lineAt(text, property.offset);
      throw new SettingsTextError(t('holds "{name}" twice (line {line})', { name: key, line: String(line) }), line);
    }
    values.set(key, { value: plainValue(value), raw: rawOf(text, value), line: lineAt(text, value.offset) });
  }
  return values;
}

/** All values that a setup may write: those below `env`, and our own beside it. */
export function readValues(text: string): Map<string, SettingsValue> {
  const values = readEnv(text);
  const root = parse(text);
  const put = (name: string, property: Node | undefined): void => {
    values.delete(name);
    if (!property) return;
    const { value } = partsOf(property);
    values.set(name, { value: plainValue(value), raw: rawOf(text, value), line: lineAt(text, value.offset) });
  };
  for (const name of besideEnv) put(name, onlyOne(text, root, name));
  for (const model of objectIn(onlyOne(text, root, modelSettings))?.children ?? []) {
    const own = (objectIn(model)?.children ?? []).find((property) => partsOf(property).key === window);
    if (own) put(windowName(partsOf(model).key), own);
  }
  return values;
}

/** Null if the value is no object. */
function objectIn(property: Node | undefined): Node | null {
  const value = property && partsOf(property).value;
  return value?.type === 'object' ? value : null;
}

/** Sets one of the values of `readValues`, given as JSON text. */
export function putValue(text: string, name: string, raw: string): string {
  if (!isBesideEnv(name)) return putEnv(text, name, raw);
  return putAt(text, windowPath(name) ?? [name], raw);
}

/** Sets what stands at the end of a path of keys. Objects on the way that are missing are put in. */
function putAt(text: string, path: readonly string[], raw: string): string {
  const root = parse(text);
  if (root === null) return putAt(newObject(text, path[0] ?? '', path.length === 1 ? raw : '{}'), path, raw);
  let object = root;
  for (const [depth, key] of path.entries()) {
    if (depth === path.length - 1) return putProperty(text, root, object, key, raw);
    const property = (object.children ?? []).find((each) => partsOf(each).key === key);
    if (!property) return putAt(insertProperty(text, root, object, key, '{}'), path, raw);
    const inner = objectIn(property);
    if (inner === null)
      throw new SettingsTextError(
        t('holds a "{name}" that is no JSON object', { name: key }),
        lineAt(text, property.offset),
      );
    object = inner;
  }
  return text;
}

/** Sets one property of an object that is given as text. */
export function setProperty(object: string, name: string, raw: string): string {
  const root = parse(object);
  return root === null ? object : putProperty(object, root, root, name, raw);
}

/**
 * Takes one of them out.
 * @param theirs objects on the way that stay, though they are empty then: `modelSettings`
 */
export function removeValue(text: string, name: string, theirs: readonly string[] = []): string {
  return isBesideEnv(name) ? removeAt(text, windowPath(name) ?? [name], theirs) : removeEnv(text, name);
}

/** The empty objects that hold windows, or would: `modelSettings`, `modelSettings.gpt-5.4`. */
export function emptyWindowObjects(text: string): string[] {
  const property = onlyOne(text, parse(text), modelSettings);
  const all = objectIn(property);
  if (all === null) return [];
  const models = (all.children ?? []).filter((model) => objectIn(model)?.children?.length === 0);
  const named = models.map((model) => `${modelSettings}.${partsOf(model).key}`);
  return all.children?.length === 0 ? [modelSettings] : named;
}

/** Which of the objects that a setup writes into are in `other` and not in `text`. */
export function blocksNotIn(text: string, other: string): SettingsBlock[] {
  const has = (where: string, name: SettingsBlock) => objectIn(onlyOne(where, parse(where), name)) !== null;
  return settingsBlocks.filter((name) => has(other, name) && !has(text, name));
}

/** Takes out what stands at the end of a path of keys, and objects on the way that hold nothing else. */
function removeAt(text: string, path: readonly string[], theirs: readonly string[]): string {
  const root = parse(text);
  let object: Node | null = root;
  for (const key of path.slice(0, -1)) {
    object = objectIn((object?.children ?? []).find((property) => partsOf(property).key === key));
  }
  const last = path.at(-1);
  if (object === null || last === undefined) return text;
  const outer = path.slice(0, -1);
  const isAlone = object !== root && object.children?.length === 1 && !theirs.includes(outer.join('.'));
  return isAlone ? removeAt(text, outer, theirs) : removeProperty(text, object, last);
}

export function hasEnv(text: string): boolean {
  return envOf(text, parse(text)) !== null;
}

/** Nothing but an empty object, or nothing at all. */
export function isEmptySettings(text: string): boolean {
  return /^\uFEFF?\s*(\{\s*\}\s*)?$/.test(text);
}

/** Sets `env.NAME` to a value given as JSON text: in place where the name is there, else as the last of `env`. */
export function putEnv(text: string, name: string, raw: string): string {
  const root = parse(text);
  if (root === null) {
    const eol = eolOf(text);
    return newObject(text, 'env', `{${eol}    ${JSON.stringify(name)}: ${raw}${eol}  }`);
  }
  const env = envOf(text, root);
  if (env === null) {
    const withEnv = insertProperty(text, root, root, 'env', '{}');
    return putEnv(withEnv, name, raw);
  }
  return putProperty(text, root, env, name, raw);
}

/** Replaces a blank text. */
function newObject(blank: string, name: string, raw: string): string {
  const eol = eolOf(blank);
  return `${blank.startsWith('\uFEFF') ? '\uFEFF' : ''}{${eol}  ${JSON.stringify(name)}: ${raw}${eol}}${eol}`;
}

function putProperty(text: string, root: Node, object: Node, name: string, raw: string): string {
  for (const property of object.children ?? []) {
    const { key, value } = partsOf(property);
    if (key === name) return splice(text, value.offset, value.offset + value.length, raw);
  }
  return insertProperty(text, root, object, name, raw);
}

/** Takes `env.NAME` out, with its comma and its line. */
export function removeEnv(text: string, name: string): string {
  const env = envOf(text, parse(text));
  return env === null ? text : removeProperty(text, env, name);
}

/** Takes `env` itself out, if it is empty. */
export function removeEmptyEnv(text: string): string {
  const root = parse(text);
  const env = envOf(text, root);
  if (root === null || env === null || !/^\{\s*\}$/.test(rawOf(text, env))) return text;
  return removeProperty(text, root, 'env');
}

/** The value of the whole text, for comparing; null for a blank one. */
export function settingsValue(text: string): unknown {
  const root = parse(text);
  return root === null ? null : plainValue(root);
}

function envOf(text: string, root: Node | null): Node | null {
  const property = onlyOne(text, root, 'env');
  if (!property) return null;
  const { value } = partsOf(property);
  if (value.type !== 'object') throw new SettingsTextError(t('holds an "env" that is no JSON object'), null);
  return value;
}

/** The property of this name. Of two of them it isn't known which one is meant. */
function onlyOne(text: string, root: Node | null, name: string): Node | undefined {
  const [property, again] = (root?.children ?? []).filter((each) => partsOf(each).key === name);
  if (again) {
    const line = lineAt(text, again.offset);
    throw new SettingsTextError(t('holds "{name}" twice (line {line})', { name, line: String(line) }), line);
  }
  return property;
}

/** The model that these settings choose; null if they choose none. Throws `SettingsTextError`. */
export function readModel(text: string): string | null {
  const property = onlyOne(text, parse(text), 'model');
  const value = property && plainValue(partsOf(property).value);
  return typeof value === 'string' && value !== '' ? value : null;
}
