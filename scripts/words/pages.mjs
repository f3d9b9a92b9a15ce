/**
 * Texts of a Markdown page that a person reads: paragraphs, items of lists and cells of tables, with `…` for code. No
 * headings, which may be messages, and no fenced blocks.
 * @param {string} source
 * @returns {{ line: number, text: string }[]}
 */
export function textsInPage(source) {
  const found = [];
  let isFenced = false;
  let open = null;
  for (const [at, raw] of source.split('\n').entries()) {
    const line = raw.replace(/^\s*>\s?/, '').trim();
    const isFence = /^(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    const cells = /^\|(?![\s:|-]+$)(.*)\|$/.exec(line)?.[1].split(/(?<!\\)\|/) ?? [];
    const item = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line)?.[1];
    const isText = !isFence && !isFenced && !/^(?:#|<|\||-{3}|$)/.test(line);
    if (!isFenced) found.push(...cells.map((text) => ({ line: at + 1, text })));
    if (!isText) open = null;
    else if (open === null || item !== undefined) {
      open = { line: at + 1, text: item ?? line };
      found.push(open);
    } else open.text += ` ${line}`;
  }
  return found.map(({ line, text }) => ({ line, text: plain(text) }));
}

const plain = (text) =>
  text
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*?|<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
