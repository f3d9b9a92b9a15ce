import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** A language with all its messages. */
export interface Language {
  /** BCP 47: `en`, `de`. `Intl` is asked for numbers, plurals and lists in it. */
  tag: string;
  /** The translation of an English message, or its parsed form. Null if there is none: English is shown then. */
  message(english: string): string | MessageFormatElement[] | null;
  /** All of its translations by their English message; absent where they are computed. */
  readonly catalog?: Readonly<Record<string, string>>;
}

/** How the address of a call from a page names the language that the page shows. */
export const languageParameter = 'language';

/** English needs no catalog: its messages are in the code. */
export const english: Language = { tag: 'en', message: (text) => text };

let current = english;
const listeners = new Set<() => void>();

/** The language in which this process shows messages. */
export function shownLanguage(): Language {
  return current;
}

/** From now on messages are shown in this language. Those already shown are drawn anew by who listens. */
export function showLanguage(language: Language): void {
  if (language === current) return;
  current = language;
  for (const listener of [...listeners]) listener();
}

/** @returns ends it */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Texts that a program, a file or a report of a fault gets stay in English, whatever language is shown. */
export function inEnglish<Made>(make: () => Made): Made {
  return inLanguage(english, make);
}

/**
 * Makes words in another language than the shown one.
 *
 * Where the app itself runs, English is shown: its logs, rows and errors for clients are made of the same words. A
 * front in that process makes what it shows with this.
 */
export function inLanguage<Made>(language: Language, make: () => Made): Made {
  const shown = current;
  current = language;
  try {
    return make();
  } finally {
    current = shown;
  }
}
