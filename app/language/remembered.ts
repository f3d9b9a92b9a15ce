import { english, inLanguage, type Language, shownLanguage } from './language.ts';
import { byPattern } from './patterns.ts';
import { joined, onSentence, valuesOfOthers } from './sentences.ts';

/**
 * Sentences that the app made, in other languages.
 *
 * The app shows English, because its logs, rows and errors for clients are made of the same words. A page may show
 * another language. So the process remembers how each sentence was made: it is made again in the page's language when
 * it crosses to that page. Of another run's, such as those in stored rows, the message is found in the catalog. What
 * isn't found stays English.
 */

/** A sentence in the language that is shown now. `part` is given what was put into it. */
type Again = (part: (text: string) => string) => string;

/** Sentences with values; the least recently used one goes first. */
const most = 4_000;
/** In longer texts no sentences are looked for. */
const mostPieces = 40;

/** Without values: as many as the sources have. */
const fixed = new Map<string, Again>();
const made = new Map<string, Again>();

/** From now on this process remembers the English sentences that it makes. */
export function rememberSentences(): void {
  onSentence((text, again, hasValues) => {
    if (!hasValues) {
      if (!fixed.has(text)) fixed.set(text, again);
      return;
    }
    // The newest is last.
    made.delete(text);
    made.set(text, again);
    if (made.size <= most) return;
    for (const [oldest] of made) {
      made.delete(oldest);
      return;
    }
  });
}

/** A sentence of the app in this language, as far as it is known how it was made; one of several, each by itself. */
export function sentenceIn(language: Language, sentence: string): string {
  return language === english || sentence === '' ? sentence : inLanguage(language, () => whole(sentence));
}

/** A sentence of the app or of a stored row, in the language that this process shows. */
export function inShownLanguage(sentence: string): string {
  return sentenceIn(shownLanguage(), sentence);
}

function whole(sentence: string): string {
  return ofMessage(sentence) ?? byPieces(sentence, ofMessage);
}

function ofMessage(text: string): string | null {
  return (
    known(text) ?? inCatalog(text) ?? byPattern(shownLanguage(), text, (value, name) => valueOfPattern(value, name))
  );
}

/** A value that was read back: one or two words may be a name that is a message by chance. */
function valueOfPattern(value: string, name: string): string {
  if (name === 'when' || name === 'scope') return ofMessage(value) ?? ofLabels(value) ?? value;
  if (name === 'unit' || name === 'rule') return ofMessage(value) ?? value;
  if (valuesOfOthers.has(name) || !/\S \S+ \S|\S \S+[.?!…]$|: |^[\d,]+ \p{L}+$/u.test(value)) return value;
  return ofMessage(value) ?? byPieces(value, ofMessage);
}

/** Translates the scope of a rule or limit: `client codex, class subagent`. Null if a part is unknown. */
function ofLabels(text: string): string | null {
  const labels = text.split(', ').map((one) => byPattern(shownLanguage(), one, (value) => value, true));
  return labels.every((one) => one !== null) ? joined(labels) : null;
}

/** What was put into a sentence may be one itself, or several. Words of others that are a message by chance aren’t. */
const partOf =
  (around: string) =>
  (text: string): string =>
    text === around ? text : (known(text) ?? byPieces(text, known));

function known(text: string): string | null {
  const again = made.get(text) ?? fixed.get(text);
  if (again === undefined) return null;
  if (made.delete(text)) made.set(text, again);
  return again(partOf(text));
}

/** A message without values that another run made, such as one that was stored. */
function inCatalog(text: string): string | null {
  const { catalog } = shownLanguage();
  if (catalog === undefined || !Object.hasOwn(catalog, text)) return null;
  const found = catalog[text] ?? text;
  // In both a value would have to be put in.
  return /[{}<']/.test(text + found) ? null : found;
}

/** Sentences one behind the other: the longest ones that are known. */
function byPieces(text: string, find: (text: string) => string | null): string {
  const pieces = text.split(/(?<=[.?!:;…]["”’)]*) /);
  if (pieces.length === 1 || pieces.length > mostPieces) return text;
  let all = '';
  let at = 0;
  while (at < pieces.length) {
    const { words, next } = longest(pieces, at, find) ?? { words: pieces[at] ?? '', next: at + 1 };
    all += all === '' || /[。？！：；、）」”]$/.test(all) ? words : ` ${words}`;
    at = next;
  }
  return all;
}

function longest(
  pieces: readonly string[],
  at: number,
  find: (text: string) => string | null,
): { words: string; next: number } | null {
  for (let next = pieces.length; next > at; next -= 1) {
    const text = pieces.slice(at, next).join(' ');
    const words = find(text) ?? (text.endsWith(';') ? withSemicolon(find(text.slice(0, -1))) : null);
    if (words !== null) return { words, next };
  }
  return null;
}

const withSemicolon = (words: string | null): string | null => words && `${words};`;
