import { IntlMessageFormat } from 'intl-messageformat';
import { english, type Language, shownLanguage } from './language.ts';
import type { Message } from './messages.ts';
import { madeSentence, valuesOfOthers } from './sentences.ts';

// Of use for patterns of times alone, which no message has: reading what languages there are takes 8 ms of a start.
IntlMessageFormat.resolveLocale = () => undefined;

/** Values for the placeholders of a message. Texts stay as they are; numbers choose the plural, and `#` groups them. */
type Values = Readonly<Record<string, string | number>>;

/** The same for a message with tags: also elements, and for each tag a function that makes one of the parts inside. */
type RichValues<Part> = Readonly<
  Record<string, string | number | Part | ((inside: readonly (string | Part)[]) => Part)>
>;

/**
 * A message in the shown language. The first argument is the message in English, in ICU's syntax and written out, so
 * that `npm run check` finds it: `t('{count, plural, one {# request} other {# requests}}', { count })`.
 * @param context for translators, where the same English words have two meanings: `t('Open', {}, 'a button')`
 */
export function t(message: string, values?: Values, context?: string): string {
  const format = formatOf(context === undefined ? message : inContext(message, context), message);
  const text = typeof format === 'string' ? format : String(format.format(values));
  return madeSentence(text, (part) => t(message, values && withParts(values, part), context), values !== undefined);
}

function withParts(values: Values, part: (text: string) => string): Values {
  const made = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && !valuesOfOthers.has(name) ? part(value) : value,
  ]);
  return Object.fromEntries(made);
}

/** A message that a table marked with `msg`. */
export function translated(message: Message): string {
  return t(message);
}

/** A message with tags, such as `Press <kbd>{key}</kbd>`, as the parts that it is made of, in their order. */
export function richParts<Part>(message: string, values: RichValues<Part>, context?: string): (string | Part)[] {
  const format = formatOf(context === undefined ? message : inContext(message, context), message);
  if (typeof format === 'string') return [format];
  const parts = format.format<Part>(values as Record<string, string | number | Part>);
  return (Array.isArray(parts) ? parts : [parts]) as (string | Part)[];
}

/** Name of a message with context in the catalogs. */
function inContext(message: string, context: string): string {
  return `${message} ⟨${context}⟩`;
}

/** Formats made so far, by names of messages: plain texts are kept as they are. */
const formatsOf = new WeakMap<Language, Map<string, string | IntlMessageFormat>>();

function formatOf(name: string, inEnglish: string): string | IntlMessageFormat {
  const language = shownLanguage();
  let formats = formatsOf.get(language);
  if (formats === undefined) {
    formats = new Map();
    formatsOf.set(language, formats);
  }
  let format = formats.get(name);
  if (format === undefined) {
    format = made(name, inEnglish, language);
    formats.set(name, format);
  }
  return format;
}

function made(name: string, inEnglish: string, language: Language): string | IntlMessageFormat {
  // English has no catalog, so a message with context is there without it.
  const found = language === english ? inEnglish : language.message(name);
  const message = found ?? inEnglish;
  if (typeof message === 'string' && !/[{}'<]/.test(message)) return message;
  return new IntlMessageFormat(message, found === null ? english.tag : language.tag);
}
