/** Columns of a line at most; biome keeps code to them, and nothing keeps comments and texts. */
export const most = 120;

/** A text or a pattern that is long by itself: to part it would make it harder to find. */
const literal = /(['"`/])(?:(?!\1).){70,}\1/u;

/**
 * Lines of code that are too long and could be parted.
 * @param {string} text a file
 * @returns {{ number: number, columns: number }[]} `number` from 1 on
 */
export const linesTooLong = (text) =>
  linesOver(text, (line) => /^\s*(?:\*|\/\/|\/\*)/.test(line) || !literal.test(line));

/**
 * The same of a document: a heading, a row of a table, a picture and an address are one line, and so is a paragraph in
 * Chinese or Japanese, where a break would be shown as a space.
 * @param {string} text Markdown
 * @returns {{ number: number, columns: number }[]}
 */
export const linesTooLongInDocument = (text) =>
  linesOver(
    text,
    (line) =>
      !/^\s*(?:#|\||!\[[^\]]*\]\(\S+\)$|\S+$)/.test(line) &&
      !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(line),
  );

/** @param {string} text @param {(line: string) => boolean} canBeParted */
const linesOver = (text, canBeParted) =>
  text.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    return columns > most && canBeParted(line) ? [{ number: index + 1, columns }] : [];
  });
