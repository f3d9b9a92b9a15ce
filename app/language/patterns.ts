import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { dateInWords, percentSign, separators } from './formats.ts';
import type { Language } from './language.ts';

/**
 * Sentences with values that another run made, such as those of a stored row: the message is found by the words around
 * its values, and its translation gets the values that stand between them.
 */

/** A message with one option chosen for each plural and select. */
interface Pattern {
  message: string;
  /** Texts between the values; one more than `names`. */
  literals: string[];
  names: string[];
  /** Values by the options that were chosen. */
  chosen: Record<string, string | number>;
  /** Letters that have to be there. */
  letters: number;
  /** `client {name}`: looked for only where a phrase is known to be one. */
  isLabel: boolean;
  longest: string;
}

/** Fewer letters, or a single word, would be found in texts of others. */
const leastLetters = 8;
const mostOptions = 48;
const mostRemembered = 1_000;

interface Patterns {
  all: readonly Pattern[];
  /** The last texts that were looked for. */
  found: Map<string, string | null>;
}
const patternsOf = new WeakMap<Language, Patterns>();

/** The values are given to `part`, with their names, and put in as it returns them. Null: no message is like this. */
export function byPattern(
  language: Language,
  text: string,
  part: (value: string, name: string) => string,
  isLabel = false,
): string | null {
  const { catalog } = language;
  if (catalog === undefined || text.length > 1_000) return null;
  let patterns = patternsOf.get(language);
  if (patterns === undefined) {
    patterns = { all: Object.keys(catalog).flatMap(patternsIn), found: new Map() };
    patternsOf.set(language, patterns);
  }
  const { all, found } = patterns;
  const key = isLabel ? `${text}:` : text;
  let translation = found.get(key);
  if (translation === undefined) {
    const best = bestOf(all, text, isLabel);
    translation = best && inCatalog(language, best, part);
    if (found.size >= mostRemembered) found.clear();
    found.set(key, translation);
  }
  return translation;
}

interface Match {
  pattern: Pattern;
  values: readonly string[];
}

function bestOf(all: readonly Pattern[], text: string, isLabel: boolean): Match | null {
  let best: Match | null = null;
  for (const pattern of all) {
    if (pattern.isLabel !== isLabel) continue;
    if (best !== null && pattern.letters <= best.pattern.letters) continue;
    if (!text.includes(pattern.longest)) continue;
    const values = valuesIn(pattern, text);
    if (values !== null) best = { pattern, values };
  }
  return best;
}

function inCatalog(
  { catalog, tag }: Language,
  { pattern, values }: Match,
  part: (value: string, name: string) => string,
) {
  const given = pattern.names.map((name, at): [string, string | number] => {
    const value = values[at] ?? '';
    if (pattern.chosen[name] === counted) return [name, Number(value.replaceAll(',', ''))];
    return [name, figures.has(name) ? figureAgain(value) : (momentAgain(catalog ?? {}, value) ?? part(value, name))];
  });
  const format = new IntlMessageFormat(catalog?.[pattern.message] ?? pattern.message, tag);
  return String(format.format({ ...pattern.chosen, ...Object.fromEntries(given) }));
}

const figures: ReadonlySet<string> = new Set(['amount', 'count', 'credits', 'most', 'percent', 'tokens', 'used']);

/** English figures in the separators of the shown language. */
function figureAgain(value: string): string {
  const { group, decimal } = separators();
  return value
    .replaceAll(/[,.](?=\d)/g, (separator) => (separator === ',' ? group : decimal))
    .replace(/%$/, percentSign());
}

const moment = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}), (\d\d:\d\d)$/;

/** `1 Dec 2026, 14:00` as the shown language writes it; null for anything else. */
function momentAgain(catalog: Readonly<Record<string, string>>, value: string): string | null {
  const [, day = '', month = '', year = '', time = ''] = moment.exec(value) ?? [];
  const at = Date.parse(`${day} ${month} ${year} UTC`);
  const date = Number.isNaN(at) ? null : dateInWords(at, 'day', 'utc');
  return date && (catalog['{day}, {time}'] ?? '{day}, {time}').replace('{day}', date).replace('{time}', time);
}

/** Where a sentence ends. A value never spans it, because the text behind it belongs to another sentence. */
const border = /[.?!]["”’)]* \p{Lu}|\n/u;

function valuesIn({ literals, names, chosen }: Pattern, text: string): string[] | null {
  const escaped = literals.map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const groups = names.map((name) => (chosen[name] === counted ? '([\\d,]+)' : figures.has(name) ? '(\\S+)' : '(.*?)'));
  const source = escaped.map((literal, at) => `${literal}${groups[at] ?? ''}`).join('');
  const values = new RegExp(`^${source}$`, 's').exec(text)?.slice(1) ?? null;
  if (values === null || values.some((value) => border.test(value))) return null;
  // Two places of one value have to have the same.
  return values.every((value, at) => values[names.indexOf(names[at] ?? '')] === value) ? values : null;
}

/** In place of a value: its figure is in the text. */
const counted = '#';

function patternsIn(message: string): Pattern[] {
  if (!message.includes('{')) return [];
  let flat: Flat[];
  try {
    flat = expanded(parse(message.replace(/ ⟨[^⟩]*⟩$/, '')), null, [{ literals: [''], names: [], chosen: {} }]);
  } catch {
    return [];
  }
  return flat.flatMap((one) => {
    const words = one.literals.join(' ').match(/\p{L}+/gu) ?? [];
    const letters = words.join('').length;
    const isLabel = isLabelled(one);
    if ((words.length < 2 || letters < leastLetters) && !isLabel && !isShort(one)) return [];
    const longest = one.literals.reduce((most, literal) => (literal.length > most.length ? literal : most), '');
    return [{ message, ...one, letters, isLabel, longest }];
  });
}

/** `5 minutes`, `rule 2 (all requests)`: a figure beside its word, which texts of others hardly have alone. */
function isShort({ literals, names, chosen }: Flat): boolean {
  const [first = '', second = '', last] = literals;
  if (names.length === 1) return first === '' && chosen[names[0] ?? ''] === counted && /^ \p{L}{3}/u.test(second);
  return names.length === 2 && /^\p{L}{4,} $/u.test(first) && second === ' (' && last === ')';
}

/** One of several words to choose from, then a name: `client codex`. */
function isLabelled({ literals: [first = '', second], names, chosen }: Flat): boolean {
  return names.length === 1 && 'part' in chosen && /^\p{L}[\p{L} ]+ $/u.test(first) && second === '';
}

type Flat = Pick<Pattern, 'literals' | 'names' | 'chosen'>;

function expanded(parts: readonly MessageFormatElement[], count: string | null, before: readonly Flat[]): Flat[] {
  let all = [...before];
  for (const part of parts) {
    if (part.type === TYPE.literal) all = all.map((one) => withLiteral(one, part.value));
    else if (part.type === TYPE.argument) all = all.map((one) => withName(one, part.value));
    else if (part.type === TYPE.pound && count !== null)
      all = all.map((one) => ({ ...withName(one, count), chosen: { ...one.chosen, [count]: counted } }));
    else if (part.type === TYPE.plural || part.type === TYPE.select) all = all.flatMap((one) => ofOptions(part, one));
    else throw new TypeError('A message with tags or formats is made of elements.');
    if (all.length > mostOptions) throw new RangeError('Too many options.');
  }
  return all;
}

type Choice = Extract<MessageFormatElement, { options: unknown }>;

function ofOptions(part: Choice, before: Flat): Flat[] {
  const { value: name, options } = part;
  const known = before.chosen[name];
  return Object.entries(options).flatMap(([option, { value }]) => {
    const chosen = part.type === TYPE.select ? option : option === 'one' ? 1 : Number(option.slice(1)) || 2;
    if (known !== undefined && known !== counted && known !== chosen) return [];
    const one = known === undefined ? { ...before, chosen: { ...before.chosen, [name]: chosen } } : before;
    return expanded(value, part.type === TYPE.plural ? name : null, [one]);
  });
}

function withLiteral({ literals, ...flat }: Flat, text: string): Flat {
  return { ...flat, literals: [...literals.slice(0, -1), `${literals.at(-1)}${text}`] };
}

function withName({ literals, names, chosen }: Flat, name: string): Flat {
  return { literals: [...literals, ''], names: [...names, name], chosen };
}
