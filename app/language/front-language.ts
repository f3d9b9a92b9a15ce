import { english, inLanguage, type Language } from './language.ts';
import { type LanguageTag, languageFor, loadLanguage } from './languages.ts';
import { sentenceIn } from './remembered.ts';

/**
 * The language of a front in the process of the app: tray, notifications and dialogs, or the lines that
 * `jumpseat serve` prints. The process itself stays in English, because its logs and its errors for clients are made of
 * the same words: what is shown is made within `inFrontLanguage`.
 */
let shown: Language = english;
let latest: string = shown.tag;

/** Makes words that the front shows. */
export function inFrontLanguage<Made>(make: () => Made): Made {
  return inLanguage(shown, make);
}

/** What the app of this process said, as the front says it. */
export function frontSentence(sentence: string): string {
  return sentenceIn(shown, sentence);
}

/**
 * From now on words are made in this language. Resolves to true where it is another one than before.
 * @param systems the system's languages, the preferred one first: `system` means the first of them that there is
 */
export async function chooseFrontLanguage(
  chosen: LanguageTag | 'system',
  systems: readonly string[],
): Promise<boolean> {
  const tag = chosen === 'system' ? languageFor(systems) : chosen;
  if (tag === latest) return false;
  latest = tag;
  // Where it can't be read, because the app was replaced meanwhile, the language before stays.
  const language = await loadLanguage(tag).catch(() => null);
  if (latest !== tag) return false;
  latest = language?.tag ?? shown.tag;
  if (language === null || language.tag === shown.tag) return false;
  showInFront(language);
  return true;
}

/** For a language that is at hand. */
export function showInFront(language: Language): void {
  shown = language;
  latest = language.tag;
}
