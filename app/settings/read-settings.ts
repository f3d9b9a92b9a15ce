import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';
import { settingFields } from '../api/setting-fields.ts';
import { isRow, otherSettings, type SettingTable, windowSettings } from '../api/setting-table.ts';
import { isObject } from '../formats/wire/json.ts';
import type { Log } from '../ports.ts';
import { dayStamp, keepAside, nameAside } from './keep-aside.ts';
import { migrateSettings } from './migrations.ts';
import { type Settings, settingsSchema, settingsVersion } from './schema.ts';
import { readSecondCopy } from './second-copy.ts';

/** settings.json as it stands on disk: what of it can be used, and what is to be said about the rest. */

/** Something about the settings that a person should know. Its code begins with `settings-`. */
export interface SettingsWarning {
  code: string;
  text: string;
  remedy: string;
}

/** What holds, whatever the file is. Settings that say as whom requests go out come from the second copy if absent. */
interface Parsed {
  settings: Settings;
  /**
   * What the file holds under our keys and can't be used: the defaults are, and the file keeps it until the key is
   * changed here.
   */
  strange: Record<string, unknown>;
  /** Names of these values: `historyDays`, or `limits.creditsPerDay`, which costs nothing else of its group. */
  unused: readonly string[];
  /** Why, each of one value. */
  reasons: readonly Reason[];
  /** What the file names as its schema, for editors; undefined if it names none. */
  schema: unknown;
}

/** `historyDays`, and `has to be 3650 at most`. */
interface Reason {
  /** An entry of a list is counted from 1, and named by what it is for: `entry 3 of limits.rules (client codex)`. */
  where: string;
  /** What of the entry, where it is not all of it. */
  part: string;
  why: string;
}

type State =
  | { kind: 'missing' }
  | { kind: 'read' }
  | { kind: 'broken'; why: string }
  | { kind: 'unreadable'; why: string };

/** `copy`: what the second copy says. Null if there is none, or it is damaged. */
export type Reading = State & Parsed & { copy: Record<string, unknown> | null };
type Broken = Extract<Reading, { kind: 'broken' }>;

export function defaults(): Settings {
  return settingsSchema.parse({});
}

export function readSettings(path: string): Reading {
  // Before the file: what writes both writes the file first, so that the file is never older than a copy read here.
  const copy = readSecondCopy(path);
  const { value, ...state } = readFile(path);
  const parsed = parse({ ...copy, ...value });
  const isKnown = copy !== null || !('why' in state);
  if (!isKnown) parsed.settings.lostAccounts = basename(path);
  return { ...state, ...parsed, copy };
}

function readFile(path: string): State & { value: Record<string, unknown> } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'missing', value: {} };
    return { kind: 'unreadable', why: reasonOf(error), value: {} };
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return { kind: 'read', value: migrateSettings(value) };
    return { kind: 'broken', why: 'it holds no settings', value: {} };
  } catch (error) {
    // The parser's own words quote the file.
    const [, line] = /\(line (\d+) /.exec(reasonOf(error)) ?? [];
    const why = `it isn’t valid JSON${line === undefined ? '' : ` (line ${line})`}`;
    return { kind: 'broken', why, value: {} };
  }
}

function parse(values: Record<string, unknown>): Parsed {
  const strange: Record<string, unknown> = {};
  const unused: string[] = [];
  const reasons: Reason[] = [];
  const { $schema: schema, ...file } = values;
  for (;;) {
    const parsed = settingsSchema.safeParse(file);
    if (parsed.success) return { settings: parsed.data, strange, unused, reasons, schema };
    const issue = parsed.error.issues[0];
    const key = String(issue?.path[0]);
    if (!Object.hasOwn(file, key)) throw new Error(`A setting without a name isn’t allowed: ${issue?.message}`);
    strange[key] = values[key];
    reasons.push(reasonFor(issue, values));
    const part = String(issue?.path[1]);
    const group = file[key];
    // An entry of a list in a group costs no other one. All are found at once, before their numbers change.
    const list = isObject(group) ? group[part] : undefined;
    if (isGroup(key) && isObject(group) && Array.isArray(list) && typeof issue?.path[2] === 'number') {
      const wrong = parsed.error.issues.filter(({ path }) => path[0] === key && path[1] === part);
      const places = new Set(wrong.map(({ path }) => path[2]));
      file[key] = { ...group, [part]: list.filter((_, place) => !places.has(place)) };
      unused.push(...[...places].map((place) => `${key}.${part}.${String(place)}`));
      reasons.push(...wrong.slice(1).map((one) => reasonFor(one, values)));
      continue;
    }
    if (isGroup(key) && isObject(group) && Object.hasOwn(group, part)) {
      file[key] = Object.fromEntries(Object.entries(group).filter(([name]) => name !== part));
      unused.push(`${key}.${part}`);
    } else {
      delete file[key];
      unused.push(key);
    }
  }
}

/** @param values what the issue's path leads through */
function reasonFor(issue: z.core.$ZodIssue | undefined, values: Record<string, unknown>): Reason {
  const path = issue?.path ?? [];
  const why = issue === undefined ? 'can’t be used' : whatItMayBe(issue);
  const place = path.findIndex((step) => typeof step === 'number');
  if (place <= 0) return { where: path.join('.'), part: '', why };
  const list = path.slice(0, place).join('.');
  const entry = path.slice(0, place + 1).reduce<unknown>((value, step) => Reflect.get(Object(value), step), values);
  const where = `entry ${Number(path[place]) + 1} of ${list}${labelOf(entry)}`;
  return { where, part: path.slice(place + 1).join('.'), why };
}

/** ` (client codex)`. Nothing that is as long as a key: one may stand there by mistake. */
function labelOf(entry: unknown): string {
  const named = ['name', 'client', 'key', 'account', 'folder', 'model'].flatMap((name) => {
    const value: unknown = Reflect.get(Object(entry), name);
    return typeof value === 'string' && /^[^\p{C}]{1,30}$/u.test(value)
      ? [name === 'name' ? value : `${name} ${value}`]
      : [];
  });
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

/** `historyDays has to be …, and entry 3 of limits.rules (client codex) can’t be used: credits has to be …` */
function inWords(reasons: readonly Reason[]): string {
  const places = Map.groupBy(reasons, ({ where }) => where);
  return [...places]
    .map(([where, some]) => {
      if (some.every(({ part }) => part === '')) return `${where} ${some.map(({ why }) => why).join(' and ')}`;
      return `${where} can’t be used: ${some.map(({ part, why }) => partInWords(part, why)).join(' and ')}`;
    })
    .join(', and ');
}

function partInWords(part: string, why: string): string {
  const words = why.replace(/^can’t be used: /, '');
  if (part === '') return words;
  return words === why ? `${part} ${why}` : `${part}: ${words}`;
}

function isGroup(key: string): boolean {
  const entry = Object.entries<SettingTable[string]>({ ...windowSettings, ...otherSettings }).find(
    ([name]) => name === key,
  );
  return entry !== undefined && !isRow(entry[1]);
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number, without quotes',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list: […]',
  object: 'a group: {…}',
  record: 'a group: {…}',
};

const lengthWords: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' };

/** The problem in words: `has to be a number, without quotes`. */
function whatItMayBe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `has to be ${kindWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `has to be ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_big':
    case 'too_small': {
      const [bound, word] =
        issue.code === 'too_big' ? ([issue.maximum, 'most'] as const) : ([issue.minimum, 'least'] as const);
      const counted = lengthWords[issue.origin] ?? '';
      if (issue.inclusive === false)
        return `has to be ${issue.code === 'too_big' ? 'less' : 'more'} than ${bound}${counted}`;
      return `has to be ${bound}${counted} at ${word}`;
    }
    case 'unrecognized_keys':
      return `holds ${issue.keys.join(', ')}, which Jumpseat doesn’t know`;
    case 'custom':
      return `can’t be used: ${issue.message}`;
    default:
      return 'has a form that Jumpseat can’t use';
  }
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** What there is to say about the file at the start. */
export function warningsAtStart(path: string, reading: Reading): SettingsWarning[] {
  if (reading.kind === 'missing') return [];
  if (reading.kind === 'read') return wrongValues(path, reading);
  const isUnreadable = reading.kind === 'unreadable';
  const inForce =
    reading.copy === null
      ? 'The defaults are used, and nothing is sent, because your accounts are unknown.'
      : 'The defaults are used, but your accounts are known from accounts.json.';
  return [
    {
      code: `settings-${reading.kind}`,
      text: `${basename(path)} can’t be ${isUnreadable ? 'read' : 'used'}: ${reading.why}. ${inForce}`,
      remedy: isUnreadable
        ? `Make ${path} readable for your user; it is read again at once.`
        : `Fix ${path}, or replace it with a good copy; it is read again at once. ${untilFixed(path)}`,
    },
  ];
}

const ownLimits = Object.entries(windowSettings.limits).flatMap(([name, row]) =>
  row.default === null || name === 'rules' ? [name] : [],
);

const brokenLabel = (): string => `broken-${dayStamp(Date.now())}`;

/** What a change does meanwhile. */
function untilFixed(path: string): string {
  const kept = basename(nameAside(path, brokenLabel()));
  return `The next change of a setting in the window renames it to ${kept} and writes a new one.`;
}

/** Warnings after a change: the previous values stay in force in place of what can't be used. */
export function warningsOf(path: string, reading: Reading): SettingsWarning[] {
  if (reading.kind === 'missing') return [];
  if (reading.kind === 'read') return wrongValues(path, reading);
  return [
    {
      code: 'settings-not-taken',
      text: `${basename(path)} was changed and can’t be used: ${reading.why}. The previous settings still apply.`,
      remedy: `Fix ${path}; it is read again at once.${reading.kind === 'unreadable' ? '' : ` ${untilFixed(path)}`}`,
    },
  ];
}

export function goneWarning(path: string): SettingsWarning {
  return {
    code: 'settings-gone',
    text: `${basename(path)} was deleted while Jumpseat ran. The previous settings still apply.`,
    remedy:
      'The next change of a setting in the window creates it again. To start from the defaults, quit Jumpseat and ' +
      'start it again.',
  };
}

function wrongValues(path: string, { settings, unused, reasons }: Parsed): SettingsWarning[] {
  const name = basename(path);
  if (settings.version > settingsVersion) {
    const instead = unused.length === 0 ? '' : ` The defaults are used for ${unused.join(', ')}.`;
    return [
      {
        code: 'settings-newer',
        text: `${name} was written by a newer Jumpseat (version ${settings.version} of the file).${instead}`,
        remedy: 'Update Jumpseat. Settings of the newer version stay in the file.',
      },
    ];
  }
  if (unused.length === 0) return [];
  const off = unusedLimits(unused);
  return [
    {
      code: off.length === 0 ? 'settings-values' : 'settings-limits',
      text: `In ${name}, ${inWords(reasons)}. ${inPlaceOf(unused)}; the rest of the file holds.${noLimit(off)}`,
      remedy: unused.every(isInWindow)
        ? `Change it in ${path}, or choose another value in the window.`
        : `Correct it in ${path}; it is read again at once.`,
    },
  ];
}

/**
 * What holds in place of values that can't be used. A default could ask a search engine that the person left out, and
 * an entry of a list has none.
 */
function inPlaceOf(keys: readonly string[]): string {
  const isOfSearch = (key: string): boolean => key.split('.', 1)[0] === 'search';
  const others = keys.filter((key) => !isOfSearch(key) && !/\.\d+$/.test(key));
  const is = others.length === 1 ? 'default is' : 'defaults are';
  const noSearch = 'No search engine of the file is used';
  if (others.length === keys.length) return `The ${is} used in ${keys.length === 1 ? 'its' : 'their'} place`;
  if (others.length > 0)
    return `The ${is} used for ${others.join(', ')}${keys.some(isOfSearch) ? `. ${noSearch}` : ''}`;
  if (keys.some(isOfSearch)) return noSearch;
  return keys.length === 1 ? 'It is left out' : 'They are left out';
}

/** The window has no control for a value that it can’t show, such as an entry of a list. */
function isInWindow(name: string): boolean {
  return Object.hasOwn(settingFields, name);
}

/** Most limits are off by default: who set one believes that it holds. */
function unusedLimits(keys: readonly string[]): string[] {
  const isLimit = (key: string): boolean => ownLimits.some((limit) => `${key}.`.startsWith(`limits.${limit}.`));
  return keys.filter((key) => key === 'limits' || isLimit(key));
}

function noLimit(off: readonly string[]): string {
  const named = off.filter((key) => !/\.\d+$/.test(key));
  return named.length === 0 ? '' : ` Not in force: ${named.join(', ')}.`;
}

/** Before a new file takes its place. Returns the name that it has now. Throws what `renameSync` throws. */
export function keepBroken(path: string, { why }: Broken, log: Log): { kept: string; warning: SettingsWarning } {
  const name = basename(path);
  const kept = basename(keepAside(path, brokenLabel()));
  log.write('warn', 'settings-kept-aside', { why, kept });
  const warning = {
    code: 'settings-broken',
    text: `${name} couldn’t be used: ${why}. It was renamed to ${kept}, and a new one was written.`,
    remedy: `Fix ${kept}, rename it to ${name} and start Jumpseat again, or set what you need again.`,
  };
  return { kept, warning };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
