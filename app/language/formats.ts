import { type Language, shownLanguage } from './language.ts';

/** Separators and names that `Intl` has for the shown language. Read once for each language. */
interface Formats {
  language: Language;
  separators: { group: string; decimal: string };
  /** Behind a figure: `%`, or with its space. */
  percent: string;
  months: readonly string[];
  weekdays: { short: readonly string[]; long: readonly string[] };
  lists: Partial<Record<'conjunction' | 'disjunction', Intl.ListFormat>>;
  dates: Partial<Record<string, Intl.DateTimeFormat>>;
}

const dateForms = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  'day-of-year': { day: 'numeric', month: 'short' },
  'day-border': { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Between thousands, and before decimals: `,` and `.` in English. */
export function separators(): Formats['separators'] {
  return shown().separators;
}

/** `%`, with the space that the language has before it. */
export function percentSign(): string {
  return shown().percent;
}

/** `Jan`; 0 is January. */
export function shortMonth(month: number): string {
  return shown().months[month] ?? '';
}

/** `Mon`, `Monday`; 0 is Sunday. */
export function weekdayName(weekday: number, length: 'short' | 'long'): string {
  return shown().weekdays[length][weekday] ?? '';
}

/** A date as the shown language writes it: `1. Dez. 2026`, `2026年12月1日`. Null in English, which is written out. */
export function dateInWords(at: number, form: keyof typeof dateForms, zone: 'local' | 'utc'): string | null {
  const { language, dates } = shown();
  if (isEnglish(language)) return null;
  const name = `${form} ${zone}`;
  dates[name] ??= new Intl.DateTimeFormat(language.tag, {
    ...dateForms[form],
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  return dates[name].format(at);
}

/** `a, b, and c`, or with `or`. */
export function listed(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  const formats = shown();
  formats.lists[type] ??= new Intl.ListFormat(formats.language.tag, { type });
  return formats.lists[type].format(items);
}

const formatsOf = new WeakMap<Language, Formats>();

function shown(): Formats {
  const language = shownLanguage();
  let formats = formatsOf.get(language);
  if (formats === undefined) {
    formats = made(language);
    formatsOf.set(language, formats);
  }
  return formats;
}

/** English is written out: a proxy that only ever shows English doesn't load the tables behind `Intl`. */
const ofEnglish: Omit<Formats, 'language' | 'lists' | 'dates'> = {
  separators: { group: ',', decimal: '.' },
  percent: '%',
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  weekdays: {
    short: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    long: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  },
};

/** The pseudo-locale writes dates as English does. */
const isEnglish = ({ tag }: Language): boolean => tag.startsWith('en');

function made(language: Language): Formats {
  const { tag } = language;
  if (tag === 'en') return { language, lists: {}, dates: {}, ...ofEnglish };
  const parts = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, useGrouping: 'always' }).formatToParts(1234.5);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const names = (options: Intl.DateTimeFormatOptions, days: readonly number[]): string[] => {
    const { format } = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
    return days.map((at) => format(at));
  };
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1));
  // The 4th of January 2026 is a Sunday.
  const week = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 0, 4 + day));
  return {
    language,
    lists: {},
    dates: {},
    separators: { group: part('group'), decimal: part('decimal') },
    percent: new Intl.NumberFormat(tag, { style: 'percent' }).format(0.01).slice(1),
    months: names({ month: 'short' }, months),
    weekdays: { short: names({ weekday: 'short' }, week), long: names({ weekday: 'long' }, week) },
  };
}
