import { english, type Language } from './language.ts';

/** The languages of the setting `language`, which names them. Each but English has a catalog. */
export const languageTags = ['en', 'de', 'ja', 'zh-CN'] as const;
export type LanguageTag = (typeof languageTags)[number];

/** The translation of each English message. The file is loaded when its language is chosen. */
type Catalog = Readonly<Record<string, string>>;
const catalogs: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<{ default: Catalog }>>> = {
  de: () => import('./catalogs/de.json', { with: { type: 'json' } }),
  ja: () => import('./catalogs/ja.json', { with: { type: 'json' } }),
  'zh-CN': () => import('./catalogs/zh-CN.json', { with: { type: 'json' } }),
};

/**
 * The first wished language that has a catalog; English if none has.
 * @param wished BCP 47 tags, the preferred one first; what is no tag is left out
 */
export function languageFor(wished: readonly string[]): LanguageTag {
  return wished.map(languageOf).find((tag) => tag !== null) ?? 'en';
}

function languageOf(wished: string): LanguageTag | null {
  // Without the tables behind `Intl`, which take 3 ms of a start.
  if (/^en(?:-[A-Z]{2})?$/.test(wished)) return 'en';
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(wished).maximize();
  } catch {
    return null;
  }
  // Traditional Chinese is another script, which this translation doesn't write.
  if (locale.language === 'zh') return locale.script === 'Hans' ? 'zh-CN' : null;
  return languageTags.find((tag) => tag === locale.language) ?? null;
}

/** One object for each language: what was made of its messages is kept with it. */
const loaded = new Map<string, Language>([['en', english]]);

export async function loadLanguage(tag: LanguageTag): Promise<Language> {
  const before = loaded.get(tag);
  if (before !== undefined || tag === 'en') return before ?? english;
  const { default: catalog } = await catalogs[tag]();
  const language: Language = { tag, catalog, message: (text) => catalog[text] ?? null };
  loaded.set(tag, language);
  return language;
}

/** The language that a page says it shows. English for what is none, and where its catalog can't be read. */
export async function languageOfPage(tag: unknown): Promise<Language> {
  const known = languageTags.find((one) => one === tag);
  if (known !== undefined) return loadLanguage(known).catch(() => english);
  return tag === 'en-XA' ? (await import('./pseudo.ts')).pseudo : english;
}
