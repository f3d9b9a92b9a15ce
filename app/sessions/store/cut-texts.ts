/** A text that was too long to keep whole. */
export interface Cut {
  /** Where it stands in the event: a JSON pointer (RFC 6901). */
  at: string;
  /** Its length in characters, of which `kept` stand there from its beginning. */
  length: number;
  kept: number;
}

/** So much of a text is kept. A window shows less of it at once. */
export const longestText = 64 * 1024;
/** Deeper than any message of an agent; what lies below is passed on as it is. */
const deepest = 40;

/**
 * The event with each text longer than `longest` cut, and what was cut. Without one it is the same object. The event
 * itself is not changed.
 */
export function cutTexts(event: unknown, longest = longestText): { event: unknown; cuts: Cut[] } {
  const cuts: Cut[] = [];
  const walk = (value: unknown, at: string, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= longest) return value;
      const kept = wholeCharacters(value, longest);
      cuts.push({ at, length: value.length, kept });
      return value.slice(0, kept);
    }
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
