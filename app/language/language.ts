import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** A language with all its messages. */
export interface Language {
  /** BCP 47: `en`, `de`. `Intl` is asked for numbers, plurals and lists in it. */
  tag: string;
  /** The translation of an English message, or its parsed form. Null if there is none: English is shown then. */
  message(english: string): string | MessageFormatElement[] | null;
}

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

/** Texts that a program, a log, a file or a report of a fault gets stay in English, whatever language is shown. */
export function inEnglish<Made>(make: () => Made): Made {
  const shown = current;
  current = english;
  try {
    return make();
  } finally {
    current = shown;
  }
}
