import { onLanguage, showLanguage, shownLanguage } from '../../app/language/language.ts';

/** The page in the language that it is shown in: `?language=en-XA` shows it in the pseudo-locale. */
export async function takeLanguage(): Promise<void> {
  onLanguage(() => {
    document.documentElement.lang = shownLanguage().tag;
  });
  const wanted = new URLSearchParams(window.location.search).get('language');
  if (wanted === 'en-XA') showLanguage((await import('../../app/language/pseudo.ts')).pseudo);
}
