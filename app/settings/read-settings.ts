import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';
import { isRow, otherSettings, type SettingTable, windowSettings } from '../api/setting-table.ts';
import { isObject } from '../formats/wire/json.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import type { Log } from '../ports.ts';
import { dayStamp, keepAside, nameAside } from './files.ts';
import { migrateSettings, type Settings, settingsSchema, settingsVersion } from './schema.ts';
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
    return { kind: 'broken', why: t('it holds no settings'), value: {} };
  } catch (error) {
    // The parser's own words quote the file.
    const [, line] = /\(line (\d+) /.exec(reasonOf(error)) ?? [];
    const why = line === undefined ? t('it isn’t valid JSON') : t('it isn’t valid JSON (line {line})', { line });
    return { kind: 'broken', why, value: {} };
  }
}

function parse(values: Record<string, unknown>): Parsed {
  const strange: Record<string, unknown> = {};
  const unused: string[] = [];
  const reasons: Reason[] = [];
  const { $schema: schema, ...file } = values;
  for (;;) {
    const parsed = settingsSchema.safeParse(file, { jitless: true });
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
  const why = issue === undefined ? t('can’t be used') : whatItMayBe(issue);
  const place = path.findIndex((step) => typeof step === 'number');
  if (place <= 0) return { where: path.join('.'), part: '', why };
  const list = path.slice(0, place).join('.');
  const entry = path.slice(0, place + 1).reduce<unknown>((value, step) => Reflect.get(Object(value), step), values);
  const entryNumber = Number(path[place]) + 1;
  const label = labelOf(entry);
  const where =
    label === ''
      ? t('entry {entry} of {list}', { entry: entryNumber, list })
      : t('entry {entry} of {list} ({label})', { entry: entryNumber, list, label });
  return { where, part: path.slice(place + 1).join('.'), why };
}

/** `client codex`. Nothing that is as long as a key: one may stand there by mistake. */
function labelOf(entry: unknown): string {
  const named = ['name', 'client', 'key', 'account', 'folder', 'model'].flatMap((name) => {
    const value: unknown = Reflect.get(Object(entry), name);
    return typeof value === 'string' && /^[^\p{C}]{1,30}$/u.test(value)
      ? [name === 'name' ? value : `${name} ${value}`]
      : [];
  });
  return named.join(', ');
}

/** `historyDays has to be …, and entry 3 of limits.rules (client codex) can’t be used: credits has to be …` */
function inWords(reasons: readonly Reason[]): string {
  const places = Map.groupBy(reasons, ({ where }) => where);
  return [...places]
    .map(([where, some]) => {
      if (some.every(({ part }) => part === ''))
        return t('{where} {why}', { where, why: allOf(some.map(({ why }) => why)) });
      return t('{where} can’t be used: {why}', {
        where,
        why: allOf(some.map(({ part, why }) => partInWords(part, why))),
      });
    })
    .reduce((all, one) => (all === '' ? one : t('{first}, and {second}', { first: all, second: one })), '');
}

function partInWords(part: string, why: string): string {
  const words = why.replace(/^can’t be used: /, '');
  if (part === '') return words;
  return words === why ? t('{where} {why}', { where: part, why }) : t('{part}: {words}', { part, words });
}

/** `a and b and c`; each is half a sentence. */
function allOf(words: readonly string[]): string {
  return words.reduce((all, one) => (all === '' ? one : t('{first} and {second}', { first: all, second: one })), '');
}

function isGroup(key: string): boolean {
  const entry = Object.entries<SettingTable[string]>({ ...windowSettings, ...otherSettings }).find(
    ([name]) => name === key,
  );
  return entry !== undefined && !isRow(entry[1]);
}

const kindWords: Readonly<Record<string, Message>> = {
  string: msg('text in quotes'),
  number: msg('a number, without quotes'),
  int: msg('a whole number'),
  boolean: msg('true or false'),
  array: msg('a list: […]'),
  object: msg("a group: '{…}'"),
  record: msg("a group: '{…}'"),
};

function kindOf(expected: string): string {
  const words = kindWords[expected];
  return words === undefined ? expected : translated(words);
}

function boundOf(origin: string, bound: string): string {
  if (origin === 'string') return t('{bound} characters long', { bound });
  return origin === 'array' ? t('{bound} entries long', { bound }) : bound;
}

/** The problem in words: `has to be a number, without quotes`. */
function whatItMayBe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return t('has to be {what}', { what: kindOf(issue.expected) });
    case 'invalid_value':
      return t('has to be {what}', { what: oneOf(issue.values.map((value) => JSON.stringify(value))) });
    case 'too_big':
    case 'too_small': {
      const bound = boundOf(issue.origin, String(issue.code === 'too_big' ? issue.maximum : issue.minimum));
      if (issue.inclusive === false)
        return issue.code === 'too_big'
          ? t('has to be less than {bound}', { bound })
          : t('has to be more than {bound}', { bound });
      return issue.code === 'too_big'
        ? t('has to be {bound} at most', { bound })
        : t('has to be {bound} at least', { bound });
    }
    case 'unrecognized_keys':
      return t('holds {keys}, which Jumpseat doesn’t know', { keys: issue.keys.join(', ') });
    case 'custom':
      return t('can’t be used: {why}', { why: issue.message });
    default:
      return t('has a form that Jumpseat can’t use');
  }
}

function oneOf(values: readonly string[]): string {
  return values.length < 2
    ? values.join('')
    : t('{values} or {last}', { values: values.slice(0, -1).join(', '), last: values.at(-1) ?? '' });
}

/** What there is to say about the file at the start. */
export function warningsAtStart(path: string, reading: Reading): SettingsWarning[] {
  if (reading.kind === 'missing') return [];
  if (reading.kind === 'read') return wrongValues(path, reading);
  const isUnreadable = reading.kind === 'unreadable';
  const inForce =
    reading.copy === null
      ? t('The defaults are used, and nothing is sent, because your accounts are unknown.')
      : t('The defaults are used, but your accounts are known from accounts.json.');
  return [
    {
      code: `settings-${reading.kind}`,
      text: sentences(
        isUnreadable
          ? t('{name} can’t be read: {why}.', { name: basename(path), why: reading.why })
          : t('{name} can’t be used: {why}.', { name: basename(path), why: reading.why }),
        inForce,
      ),
      remedy: isUnreadable
        ? t('Make {path} readable for your user; it is read again at once.', { path })
        : sentences(
            t('Fix {path}, or replace it with a good copy; it is read again at once.', { path }),
            untilFixed(path),
          ),
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
  return t('The next change of a setting, also one by Jumpseat itself, renames it to {kept} and writes a new one.', {
    kept,
  });
}

/** Warnings after a change: the previous values stay in force in place of what can't be used. */
export function warningsOf(path: string, reading: Reading): SettingsWarning[] {
  if (reading.kind === 'missing') return [];
  if (reading.kind === 'read') return wrongValues(path, reading);
  return [
    {
      code: 'settings-not-taken',
      text: t('{name} was changed and can’t be used: {why}. The previous settings still apply.', {
        name: basename(path),
        why: reading.why,
      }),
      remedy: sentences(
        t('Fix {path}; it is read again at once.', { path }),
        reading.kind === 'unreadable' ? '' : untilFixed(path),
      ),
    },
  ];
}

export function goneWarning(path: string): SettingsWarning {
  return {
    code: 'settings-gone',
    text: t('{name} was deleted while Jumpseat ran. The previous settings still apply.', { name: basename(path) }),
    remedy: t(
      'The next change of a setting in the window creates it again. To start from the defaults, quit Jumpseat and ' +
        'start it again.',
    ),
  };
}

function wrongValues(path: string, { settings, unused, reasons, strange }: Parsed): SettingsWarning[] {
  const name = basename(path);
  if (settings.version > settingsVersion) {
    const instead = unused.length === 0 ? '' : t('The defaults are used for {names}.', { names: unused.join(', ') });
    return [
      {
        code: 'settings-newer',
        text: sentences(
          t('{name} was written by a newer Jumpseat (version {version} of the file).', {
            name,
            version: settings.version,
          }),
          instead,
        ),
        remedy: t('Update Jumpseat. Settings of the newer version stay in the file.'),
      },
    ];
  }
  if (unused.length === 0) return [];
  const off = unusedLimits(unused, strange);
  return [
    {
      code: off.length === 0 ? 'settings-values' : 'settings-limits',
      text: sentences(t('In {name}, {reasons}.', { name, reasons: inWords(reasons) }), inPlaceOf(unused), noLimit(off)),
      remedy: unused.every(isInWindow)
        ? t('Change it in {path}, or choose another value in the window.', { path })
        : t('Correct it in {path}; it is read again at once.', { path }),
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
  const count = keys.length;
  if (others.length === count)
    return t(
      'The {count, plural, one {default is used in its place} other {defaults are used in their place}}; the rest of the file holds.',
      { count },
    );
  const names = others.join(', ');
  if (others.length > 0 && !keys.some(isOfSearch))
    return t(
      'The {count, plural, one {default is} other {defaults are}} used for {names}; the rest of the file holds.',
      { count: others.length, names },
    );
  const noSearch = t('No search engine of the file is used; the rest of the file holds.');
  if (others.length > 0)
    return sentences(
      t('The {count, plural, one {default is} other {defaults are}} used for {names}.', {
        count: others.length,
        names,
      }),
      noSearch,
    );
  if (keys.some(isOfSearch)) return noSearch;
  return t('{count, plural, one {It is} other {They are}} left out; the rest of the file holds.', { count });
}

/** The window has no control for a value that it can’t show, such as an entry of a list. */
function isInWindow(name: string): boolean {
  return Object.entries<SettingTable[string]>(windowSettings).some(([key, entry]) =>
    isRow(entry) ? key === name : Object.keys(entry).some((part) => `${key}.${part}` === name),
  );
}

/** Most limits are off by default: who set one believes that it holds. */
function unusedLimits(keys: readonly string[], strange: Parsed['strange']): string[] {
  const isLimit = (key: string): boolean => ownLimits.some((limit) => `${key}.`.startsWith(`limits.${limit}.`));
  return keys.filter((key) => key === 'limits' || isLimit(key) || isRuleWithLimit(key, strange));
}

/** A rule, or several, of which one sets a limit. */
function isRuleWithLimit(key: string, strange: Parsed['strange']): boolean {
  if (!'models.rules.'.startsWith(`${key}.`) && !key.startsWith('models.rules.')) return false;
  const value = key.split('.').reduce<unknown>((group, part) => Reflect.get(Object(group), part), strange);
  return JSON.stringify(value ?? null).includes('"limit":');
}

function noLimit(off: readonly string[]): string {
  const named = off.filter((key) => !/\.\d+$/.test(key));
  return named.length === 0 ? '' : t('Not in force: {names}.', { names: named.join(', ') });
}

/** Before a new file takes its place. Returns the name that it has now. Throws what `renameSync` throws. */
export function keepBroken(path: string, { why }: Broken, log: Log): { kept: string; warning: SettingsWarning } {
  const name = basename(path);
  const kept = basename(keepAside(path, brokenLabel()));
  log.write('warn', 'settings-kept-aside', { why, kept });
  const warning = {
    code: 'settings-broken',
    text: t('{name} couldn’t be used: {why}. It was renamed to {kept}, and a new one was written.', {
      name,
      why,
      kept,
    }),
    remedy: t('Fix {kept}, rename it to {name} and start Jumpseat again, or set what you need again.', { kept, name }),
  };
  return { kept, warning };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
