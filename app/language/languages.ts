import { english, type Language } from './language.ts';

/** The languages that there are, as they call themselves. Each but English has a catalog of its name. */
export const languageNames = { en: 'English', de: 'Deutsch', ja: '日本語', 'zh-CN': '简体中文' } as const;
export type LanguageTag = keyof typeof languageNames;

export const languageTags = Object.keys(languageNames) as readonly LanguageTag[];

/** A catalog: translations by English message. It lies beside the code, and is read when its language is chosen. */
type Catalog = Readonly<Record<string, string>>;
const catalogs: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<{ default: Catalog }>>> = {
  de: () => import('./catalogs/de.json', { with: { type: 'json' } }),
  ja: () => import('./catalogs/ja.json', { with: { type: 'json' } }),
  'zh-CN': () => import('./catalogs/zh-CN.json', { with: { type: 'json' } }),
};

/**
 * The first language of these that there is; English if there is none.
 * @param wished BCP 47 tags, the preferred one first; what is no tag is left out
 */
export function languageFor(wished: readonly string[]): LanguageTag {
  return wished.map(languageOf).find((tag) => tag !== null) ?? 'en';
}

function languageOf(wished: string): LanguageTag | null {
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

export async function loadLanguage(tag: LanguageTag): Promise<Language> {
  if (tag === 'en') return english;
  const { default: catalog } = await catalogs[tag]();
  return { tag, message: (text) => catalog[text] ?? null };
}
