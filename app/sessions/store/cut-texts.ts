import { leftOut } from '../../formats/wire/long-strings.ts';

/** A text that was too long to keep whole. */
export interface Cut {
  /** Where it stands in the event: a JSON pointer (RFC 6901). */
  at: string;
  /**
   * Its length in characters, of which `kept` stand there from its beginning. What was too long to be read at all
   * counts in bytes.
   */
  length: number;
  kept: number;
}

/** So much of a text is kept. A window shows less of it at once. */
export const longestText = 64 * 1024;
/** And so much of all long texts of one event together, and of each that comes after these. */
const mostLongText = 1024 * 1024;
const afterThese = 1024;
/** Deeper than any message of an agent; what lies below is passed on as it is. */
const deepest = 40;

/**
 * The event with each text longer than `longest` cut, and what was cut. Without one it is the same object. The event
 * itself is not changed.
 */
export function cutTexts(event: unknown, longest = longestText): { event: unknown; cuts: Cut[] } {
  const cuts: Cut[] = [];
  let left = mostLongText;
  const cut = (value: string, at: string): string => {
    const unread = leftOut(value);
    const text = unread?.kept ?? value;
    const most = Math.min(longest, Math.max(left, afterThese));
    if (unread === null && text.length <= most) {
      if (text.length > afterThese) left -= text.length;
      return value;
    }
    const kept = text.length <= most ? text.length : wholeCharacters(text, most);
    if (kept > afterThese) left -= kept;
    cuts.push({ at, length: text.length + (unread?.bytes ?? 0), kept });
    return text.slice(0, kept);
  };
  const walk = (value: unknown, at: string, depth: number): unknown => {
    if (typeof value === 'string') return cut(value, at);
    if (typeof value !== 'object' || value === null || depth > deepest) return value;
    const before = cuts.length;
    if (Array.isArray(value)) {
      const walked = value.map((one, index) => walk(one, `${at}/${index}`, depth + 1));
      return cuts.length === before ? value : walked;
    }
    const walked = Object.entries(value).map(([name, one]) => [name, walk(one, `${at}/${escaped(name)}`, depth + 1)]);
    return cuts.length === before ? value : Object.fromEntries(walked);
  };
  return { event: walk(event, '', 0), cuts };
}

/** A pair of surrogates is one character, and is not cut in two. */
function wholeCharacters(value: string, longest: number): number {
  const last = value.charCodeAt(longest - 1);
  return last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
