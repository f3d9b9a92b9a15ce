import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Language } from './language.ts';

/**
 * A language for tests: English with accents, a third longer and in brackets. A text without brackets bypasses the
 * catalogs; one that is cut off or breaks a line is too long for other languages.
 */
export const pseudo: Language = {
  // The tag of pseudo-locales. `Intl` takes it as English.
  tag: 'en-XA',
  message(english) {
    const parts = parse(english.replace(/ ⟨[^⟩]*⟩$/, ''));
    const letters = lettersOf(parts);
    return [literal('⟦'), ...parts.map(accented), literal(`${'~'.repeat(Math.ceil(letters / 3))}⟧`)];
  },
};

const literal = (value: string): MessageFormatElement => ({ type: TYPE.literal, value });

function lettersOf(parts: readonly MessageFormatElement[]): number {
  return parts.reduce((all, part) => {
    if (part.type === TYPE.literal) return all + part.value.length;
    return all + (part.type === TYPE.tag ? lettersOf(part.children) : 0);
  }, 0);
}

function accented(part: MessageFormatElement): MessageFormatElement {
  if (part.type === TYPE.literal)
    return literal(part.value.replace(/[A-Za-z]/g, (letter) => accents[letter] ?? letter));
  if (part.type === TYPE.tag) return { ...part, children: part.children.map(accented) };
  if (part.type !== TYPE.plural && part.type !== TYPE.select) return part;
  const options = Object.entries(part.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(accented) },
  ]);
  return { ...part, options: Object.fromEntries(options) };
}

const plain = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz';
const withAccents = 'ÅåƁƀÇçĐđÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀɱÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž';
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...plain].map((letter, at) => [letter, [...withAccents][at] ?? letter]),
);
