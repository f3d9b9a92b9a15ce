import { Lexer, type Links, type Token } from 'marked';
import { drawable } from './open-text.ts';

/** Longer texts are not formatted. */
export const mostFormatted = 200_000;

/** One block of Markdown and where in the text it begins. Its object stays the same for as long as its text does. */
export interface MarkdownBlock {
  at: number;
  token: Token;
}

export interface ParsedMarkdown {
  text: string;
  isOpen: boolean;
  blocks: readonly MarkdownBlock[];
  links: Links;
}

/** So much emphasis in one paragraph is no prose, and takes the parser seconds. */
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
