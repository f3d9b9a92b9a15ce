import type { Preferences } from '../../app/api/settings.ts';
import { onLanguage, showLanguage, shownLanguage } from '../../app/language/language.ts';
import { languageFor, loadLanguage } from '../../app/language/languages.ts';

let latest: string | null = null;

/** Before the first view is drawn: the language that the page came with on its root. */
export async function takeLanguage(): Promise<void> {
  onLanguage(() => {
    document.documentElement.lang = shownLanguage().tag;
  });
  await chooseLanguage((document.documentElement.dataset.language ?? 'system') as Preferences['language']);
}

/**
 * Shows the window in this language, at once. `system`: the first of the system's, or of the browser's, that there is.
 * `?language=en-XA` in the address counts more: the pseudo-locale.
 */
export async function chooseLanguage(chosen: Preferences['language']): Promise<void> {
  if (new URLSearchParams(window.location.search).get('language') === 'en-XA') {
    showLanguage((await import('../../app/language/pseudo.ts')).pseudo);
    return;
  }
  const systems = document.documentElement.dataset.languages?.split(' ') ?? navigator.languages;
  const tag = chosen === 'system' ? languageFor(systems) : chosen;
  latest = tag;
  // Where it can't be read, because the app has ended meanwhile, the language before stays.
  const language = await loadLanguage(tag).catch(() => null);
  if (language !== null && latest === tag) showLanguage(language);
}
