import { msg } from '../language/messages.ts';
import { oneLine } from '../words/text.ts';

/* How words become one line, by a format. Loads nothing but what it needs for that. */

/** Fields of a format. */
export const statusLineFields = {
  model: msg('the model, as Claude Code names it'),
  credits: msg('what this conversation cost, by the history: “12.40 credits”'),
  today: msg('what all requests of today cost: “31.07 today”'),
  left: msg('what is left of the quota: “2,002 credits left”'),
  limits: msg(
    'what Copilot reports of its limits of 5 hours and of a week: “5-hour limit 62% used, resets in 2 h 14 min”',
  ),
  context: msg('the share of the context window that is used: “42% context”'),
  jumpseat: msg('the word Jumpseat, or why requests don’t go through it'),
} as const;

type Field = keyof typeof statusLineFields;
/** Fields in words, without those that aren’t known. */
export type LineWords = Partial<Record<Field, string>>;

export const usualFormat = '{model} · {credits} · {today} · {left} · {limits} · {context} · {jumpseat}';

/** What separates the parts of a format. A part is left out where one of its fields isn’t known. */
const between = /( · | \| )/;

/**
 * The one line. A reason why requests don’t go through Jumpseat is shown also where the format doesn’t ask.
 * @param problem as `words.jumpseat` has it; null: they do
 */
export function statusLine(
  format: string,
  words: LineWords,
  problem: string | null,
  red: (text: string) => string,
): string {
  const shown = problem !== null && !format.includes('{jumpseat}') ? `${format} · {jumpseat}` : format;
  const [first = '', ...rest] = onOneLine(shown).split(between);
  const parts: string[] = [];
  let separator = '';
  for (const [index, text] of [first, ...rest].entries()) {
    if (index % 2 === 1) {
      separator = text;
      continue;
    }
    const part = filled(text, words, problem, red);
    if (part === null) continue;
    parts.push(parts.length === 0 ? part : `${separator}${part}`);
  }
  return parts.join('');
}

function filled(text: string, words: LineWords, problem: string | null, red: (text: string) => string): string | null {
  let isKnown = true;
  const done = text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!isField(name)) return whole;
    const value = onOneLine(words[name] ?? '');
    if (value === '') isKnown = false;
    return name === 'jumpseat' && problem !== null ? red(value) : value;
  });
  return isKnown ? done : null;
}

function isField(name: string): name is Field {
  return Object.hasOwn(statusLineFields, name);
}

const mostCharacters = 1_000;

/** Colours of others go with what they consist of. */
function onOneLine(text: string): string {
  return oneLine(text.replace(/\p{Cc}\[[\d;]*[a-z]/giu, ''), mostCharacters);
}
