import type { Preferences } from '../api/settings.ts';
import { shownLanguage } from '../language/language.ts';

/** `Results of Bash` for `results of Bash`. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `system prompt`, `MCP tools`: a label within a sentence. Only English writes it small there. */
export function inSentence(label: string): string {
  if (!shownLanguage().tag.startsWith('en')) return label;
  return label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
}

/** Where a text may be cut: there, or before the pair of surrogates that this would part. */
export function cutAt(text: string, place: number): number {
  const parts = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, place - 1), place + 1));
  return parts ? place - 1 : place;
}

/** The text with at most so many characters and an ellipsis. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, cutAt(text, most - 1)).trimEnd()}…` : text;
}

/** What is not seen, or turns what follows around. Joiners of letters and the looks of emoji are part of words. */
const unseen = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0e\ufe0f]]/gv;

/** A piece of one line: without what is not seen, with one space for each gap. */
export function withoutHidden(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(unseen, '');
}

/** Makes text of others safe in one line of ours: it can't break the line, reverse it or hide in it. */
export function oneLine(text: string, most = 200): string {
  // Of megabytes only what can be shown is looked at.
  return shortened(withoutHidden(text.slice(0, 4 * most)).trim(), most);
}

/** A sentence for Claude Code says who speaks; where Jumpseat itself shows it, that is left out. */
export function withoutSpeaker(sentence: string): string {
  return sentence.replace(/^Jumpseat[:：]\s*/u, '');
}

/** A cell of a table for spreadsheets. What one would take for a formula begins with an apostrophe. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The window's page with the chosen theme and language on its root, so that nothing is painted in others first.
 * `system` leaves them to the browser.
 * @param languages the system's, the preferred one first, where the browser doesn't know them
 */
export function chosenPage(
  html: string,
  { theme, language }: Pick<Preferences, 'theme' | 'language'>,
  languages: readonly string[] = [],
): string {
  const chosen = Object.entries({ theme, language }).filter(([, choice]) => choice !== 'system');
  const values = [...chosen, ...(languages.length === 0 ? [] : [['languages', languages.join(' ')] as const])];
  return values.reduce((page, [name, value]) => onRoot(page, name, value), html);
}

/** The window's page with the command that is typed for `jumpseat` here, which its sentences then name. */
export function pageWithCommand(html: string, command: string): string {
  return command === 'jumpseat' ? html : onRoot(html, 'command', command);
}

function onRoot(html: string, name: string, value: string): string {
  return html.replace(/<html(?=[\s>])/, () => `<html data-${name}="${inMarkup(value)}"`);
}

/** A text as it is written in HTML, also within an attribute. */
export function inMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
