import { Lexer, type Links, type Token } from 'marked';

/** Longer texts are not formatted. */
export const mostFormatted = 200_000;

/** One block of Markdown and where in the text it begins. Its object stays the same for as long as its text does. */
interface MarkdownBlock {
  at: number;
  token: Token;
}

export interface ParsedMarkdown {
  text: string;
  isOpen: boolean;
  blocks: readonly MarkdownBlock[];
  links: Links;
}

/** A paragraph with more emphasis is no prose, and takes the parser seconds. */
const mostMarks = 600;
const mostNested = 40;
const deep = new RegExp(`^(?:(?: {0,3}>){${mostNested}}|[ \\t]{${mostNested * 2},}(?:[-*+]|\\d{1,9}[.)])[ \\t])`, 'm');

/** The parser, but for words that would take it long: they stay as they are. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if ((source.match(/[*_~]+/g)?.length ?? 0) <= mostMarks) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
    return tokens;
  }
}

/**
 * The blocks of a text. Of one that goes on from `before`, only the last block is read again. A text that is open is
 * read so that what comes next changes little of what is drawn.
 */
export function parseMarkdown(text: string, isOpen: boolean, before: ParsedMarkdown | null): ParsedMarkdown {
  const clean = text.includes('\r') || text.includes('\0') ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '�') : text;
  if (before !== null && before.text === clean && before.isOpen === isOpen) return before;
  // A reference may be defined after it is used: whole texts with one are read as a whole.
  const isDefined = !isOpen && /^ {0,3}\[[^\]\n]+\]:/m.test(clean);
  const goesOn = before !== null && !isDefined && clean.startsWith(before.text);
  const last = goesOn ? before.blocks.at(-1) : undefined;
  const kept = goesOn ? before.blocks.slice(0, -1) : [];
  const at = last?.at ?? 0;
  const links: Links = goesOn ? { ...before.links } : {};
  const rest = clean.slice(at);
  const blocks = [...kept, ...read(isOpen ? drawable(rest) : rest, at, links)];
  return { text: clean, isOpen, blocks, links };
}

function read(text: string, from: number, links: Links): MarkdownBlock[] {
  const lexer = new BoundedLexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  const plain = (): MarkdownBlock[] => [{ at: from, token: { type: 'unformatted', raw: text, text } }];
  if (deep.test(text)) return plain();
  let tokens: Token[];
  try {
    tokens = lexer.lex(text);
  } catch {
    // What is nested deeper than the stack is no prose either.
    return plain();
  }
  Object.assign(links, lexer.tokens.links);
  let at = from;
  const blocks: MarkdownBlock[] = [];
  for (const token of tokens) {
    if (token.type !== 'space' && token.type !== 'def') blocks.push({ at, token });
    at += token.raw.length;
  }
  return blocks;
}

const loneMark = /^[ \t]*(?:[-*+]+|\d{1,9}[.)]?|=+|#{1,6}|>+|`{1,2}|~{1,2})[ \t]*$/;
const isRow = (line: string): boolean => line.trimStart().startsWith('|');
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/**
 * What is drawn of a text that goes on: without a mark that stands alone in the last line, which may become anything,
 * and with a table from its first line on.
 */
function drawable(text: string): string {
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

/** Entities that models write; others are left as they are. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™' },
    ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·' },
    ...{
      times: '×',
      divide: '÷',
      plusmn: '±',
      minus: '−',
      le: '≤',
      ge: '≥',
      ne: '≠',
      asymp: '≈',
      infin: '∞',
      deg: '°',
    },
    ...{ larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', rArr: '⇒', check: '✓', cross: '✗', sect: '§' },
    ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', laquo: '«', raquo: '»', micro: 'µ', para: '¶', ensp: '\u2002' },
  }),
);

/** `&lt;` and `&#60;` as the character they mean. */
export function withCharacters(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return isCharacter ? String.fromCodePoint(code) : '�';
  });
}
