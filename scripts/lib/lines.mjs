/** Columns of a line at most; biome keeps code to them, and nothing keeps comments and texts. */
export const most = 120;

/** A text or a pattern that is long by itself: to part it would make it harder to find. */
const literal = /(['"`/])(?:(?!\1).){70,}\1/u;

/**
 * Lines that are too long and could be parted.
 * @param {string} text a file
 * @returns {{ number: number, columns: number }[]} `number` from 1 on
 */
export function linesTooLong(text) {
  return text.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= most) return [];
    const isComment = /^\s*(?:\*|\/\/|\/\*)/.test(line);
    return !isComment && literal.test(line) ? [] : [{ number: index + 1, columns }];
  });
}
