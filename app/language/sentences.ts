import { english, shownLanguage } from './language.ts';

/** Puts something into a sentence in the language that is shown then. */
type Part = (text: string) => string;

/** Receives each English sentence, and how it is made again in the language that is shown then. */
type SentenceListener = (
  text: string,
  again: (part: Part) => string,
  /** False: there are only as many as the sources have. */
  hasValues: boolean,
) => void;

/** Values that a person, a system or another program has named: they stay, also where one is a message by chance. */
export const valuesOfOthers: ReadonlySet<string> = new Set([
  ...['name', 'names', 'title', 'login', 'label', 'labels', 'wished', 'branch', 'file', 'folder', 'path'],
]);

let listener: SentenceListener | null = null;

/** One for the process: `rememberSentences`. */
export function onSentence(hear: SentenceListener): void {
  listener = hear;
}

/** A sentence was made. */
export function madeSentence(text: string, again: (part: Part) => string, hasValues = true): string {
  if (listener !== null && shownLanguage() === english) listener(text, again, hasValues);
  return text;
}

/** What each language writes in its own way without a message: a figure, a day, a list. */
export function written(make: () => string): string {
  const text = make();
  return /^\d*$/.test(text) ? text : madeSentence(text, make);
}

/** A sentence with a change that is the same in all languages, such as a path without its beginning. */
export function altered(sentence: string, change: (sentence: string) => string): string {
  const text = change(sentence);
  return text === sentence ? text : madeSentence(text, (part) => change(part(sentence)));
}

/** `a, b`: phrases side by side. */
export function joined(phrases: readonly string[]): string {
  if (phrases.length === 1) return phrases[0] ?? '';
  return madeSentence(phrases.join(separator()), (part) => phrases.map(part).join(separator()));
}

/** A phrase with the period of the shown language. */
export function asSentence(phrase: string): string {
  return madeSentence(`${phrase}${period()}`, (part) => `${part(phrase)}${period()}`);
}

/** One behind the other. Chinese and Japanese sentences have no blank between them. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .reduce((all, text) => (all === '' ? text : `${all}${/[。！？]$/.test(all) ? '' : ' '}${text}`), '');
}

const isWide = (): boolean => /^(?:ja|zh)/.test(shownLanguage().tag);
const separator = (): string => (isWide() ? '、' : ', ');
const period = (): string => (isWide() ? '。' : '.');
