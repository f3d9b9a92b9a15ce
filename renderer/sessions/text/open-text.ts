const loneMark = /^[ \t]*(?:[-*+]+|\d{1,9}[.)]?|=+|#{1,6}|>+|`{1,2}|~{1,2})[ \t]*$/;
const isRow = (line: string): boolean => line.trimStart().startsWith('|');
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/**
 * What is drawn of a text that goes on: without a mark that stands alone in the last line, which may become anything,
 * and with a table from its first line on.
 */
export function drawable(text: string): string {
  const begins = text.lastIndexOf('\n') + 1;
  const line = text.slice(begins);
  if (isInFence(text)) return text;
  const above = text.slice(0, begins).split('\n').slice(-3, -1);
  const over = above.at(-1);
  if (over !== undefined && isRow(over) && isBlank(above.at(-2)) && /^[ \t]*\|?[ \t:|-]*$/.test(line)) {
    return `${text.slice(0, begins)}${delimiterOf(over)}`;
  }
  if (line === '' && over !== undefined && isRow(over) && isBlank(above.at(-2))) return `${text}${delimiterOf(over)}`;
  if (loneMark.test(line)) return text.slice(0, begins);
  if (isRow(line) && isBlank(over)) return `${text}\n${delimiterOf(line)}`;
  return text;
}

/** The line below a table's head, which says that it is one. */
function delimiterOf(head: string): string {
  const cells = head
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
  return `|${cells.map(() => '-').join('|')}|`;
}

function isInFence(text: string): boolean {
  let fence: string | null = null;
  for (const [, mark = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === null) fence = mark[0] === '`' && rest.includes('`') ? null : mark;
    else if (mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === '') fence = null;
  }
  return fence !== null;
}
